# Links the static library as a shared one and checks its symbols, in seconds; consumer.add_subdirectory checks the
# library that CMake builds.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
set(shared_library ${WORK}/libtilewright-cpp.so)
file(MAKE_DIRECTORY ${WORK})
run(${COMPILER} -shared -o ${shared_library} -Wl,--whole-archive ${static_library} -Wl,--no-whole-archive
  -Wl,--version-script=${TILEWRIGHT_SOURCE}/cmake/exports.map)
include(${CMAKE_CURRENT_LIST_DIR}/check_exports.cmake)
