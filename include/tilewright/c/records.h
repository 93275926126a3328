// Tuning records: which variant and configuration was how fast for which problem on which device.
#pragma once

#include "tilewright/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Writes the path of the file with the user's records of a device to `text`. The file may not exist. The directory is
/// TILEWRIGHT_DATA_DIR, or else tilewright in $XDG_DATA_HOME or in ~/.local/share. Fails with
/// TILEWRIGHT_INVALID_RECORDS if none of them names a directory that can be trusted.
TILEWRIGHT_C_API tilewright_status tilewright_records_file(cl_device_id device, char** text);

/// Writes the records by which the library chooses kernels on a device to `text`: those of tilewright_records_file(),
/// then shipped ones. The text is a JSON object with
///   - `records`: an array of objects with `problem`, `variant`, `configuration`, `seconds`, `source` and others
///   - `problems`: an array of texts that say which records or files were skipped, and why
/// Both are empty if TILEWRIGHT_RECORDS is "off". The other functions work on files in spite of that.
TILEWRIGHT_C_API tilewright_status tilewright_records_load(cl_device_id device, char** text);

/// Adds the records of all operations in `file` to tilewright_records_file(). They replace those of the same problem,
/// variant and configuration. Fitted constants in `file` replace the device's if they are of the same driver and
/// version of the library. Writes the number of records to `added`, which may be null. Fails with
/// TILEWRIGHT_INVALID_RECORDS if `file` cannot be read, is no file of records or belongs to another device, or if the
/// records cannot be stored.
TILEWRIGHT_C_API tilewright_status tilewright_records_import(cl_device_id device, const char* file, uint64_t* added);

/// Copies tilewright_records_file() and the device's fitted constants to the new file `file`, which
/// tilewright_records_import() reads. Fails with TILEWRIGHT_INVALID_RECORDS if the device has neither records of the
/// user nor constants, or if `file` exists or cannot be written.
TILEWRIGHT_C_API tilewright_status tilewright_records_export(cl_device_id device, const char* file);

/// Renames tilewright_records_file() and the file of fitted constants next to it, so that the device only has shipped
/// records. Writes the new name of the records to `backup`, which may be null; an empty text if there were none. Fails
/// with TILEWRIGHT_INVALID_RECORDS if the file holds no records or cannot be renamed.
TILEWRIGHT_C_API tilewright_status tilewright_records_clear(cl_device_id device, char** backup);

#ifdef __cplusplus
}
#endif
