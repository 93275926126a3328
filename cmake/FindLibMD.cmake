# libmd, the message digests of the BSDs (Debian: libmd-dev). It comes with no CMake package of its own.
# Defines the target LibMD::md.
find_path(LibMD_INCLUDE_DIR sha2.h)
find_library(LibMD_LIBRARY md)
mark_as_advanced(LibMD_INCLUDE_DIR LibMD_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibMD
  REQUIRED_VARS LibMD_LIBRARY LibMD_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libmd's development files (Debian, Ubuntu: libmd-dev)")

if(LibMD_FOUND AND NOT TARGET LibMD::md)
  add_library(LibMD::md UNKNOWN IMPORTED)
  set_target_properties(LibMD::md PROPERTIES
    IMPORTED_LOCATION ${LibMD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${LibMD_INCLUDE_DIR})
endif()
