/* Promises that a program which knows Tilewright can give to its BLAS library, libtilewright-blas.so. For C and C++. */
#ifndef TILEWRIGHT_BLAS_H
#define TILEWRIGHT_BLAS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Promises that `bytes` bytes from `data` on are not written before tilewright_blas_drop(data).
 *
 * A device with its own memory then keeps copies of the matrices in this memory that calls only read, so that later
 * calls do not upload them again. The copies take at most half of the memory that the library may use on the device;
 * the ones that were not used for the longest time make room. Devices that use operands in place ignore the promise.
 * Results of calls that read the memory are undefined if the promise is broken. The only exception: the library notices
 * writes by the routines that it takes, also if the host computes them. May be called from any thread, before or after
 * the first call of BLAS. Promising the same `data` again replaces its length. Does nothing if `data` is null.
 */
void tilewright_blas_keep(const void* data, size_t bytes);

/**
 * Ends the promise for the memory that begins at `data`, and releases its copies. Must be called before the memory is
 * written or freed. Does nothing if there is no such promise.
 */
void tilewright_blas_drop(const void* data);

#ifdef __cplusplus
}
#endif

#endif
