# Builds the library inside another project, as a shared library; nothing of it but the library may be built there.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
configure_build_run(${CMAKE_CURRENT_LIST_DIR}/add_subdirectory
  -D TILEWRIGHT_SOURCE=${TILEWRIGHT_SOURCE} -D BUILD_SHARED_LIBS=ON)
