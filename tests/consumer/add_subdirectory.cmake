# Builds the library as a shared library inside another project, which must not build anything else of Tilewright. Then
# installs it from there and tests pkg-config. Builds without optimisation, so that inlining hides no header's function.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
if("$ENV{TILEWRIGHT_TEST_LEVEL}" STREQUAL "quick")
  run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/add_subdirectory -B ${WORK}/build -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D TILEWRIGHT_SOURCE=${TILEWRIGHT_SOURCE} -D BUILD_SHARED_LIBS=ON)
  message(STATUS "Configured, not built, at the quick level: building the library takes a minute")
  return()
endif()
configure_build_run(${CMAKE_CURRENT_LIST_DIR}/add_subdirectory -D TILEWRIGHT_SOURCE=${TILEWRIGHT_SOURCE}
  -D BUILD_SHARED_LIBS=ON -D TILEWRIGHT_INSTALL=ON -D CMAKE_BUILD_TYPE=Debug
  -D TILEWRIGHT_PRECOMPILE_HEADERS=ON -D CMAKE_UNITY_BUILD=ON) # halves the build time
run_bindings(shared)
run_bindings(static)
file(GLOB_RECURSE shared_library ${WORK}/build/*/libtilewright-cpp.so)
file(GLOB_RECURSE static_library ${WORK}/build/*/libtilewright_internal.a)
include(${CMAKE_CURRENT_LIST_DIR}/check_exports.cmake)
run(${CMAKE_COMMAND} --install ${WORK}/build --config ${CONFIG} --prefix ${WORK}/prefix)
build_with_pkg_config(${WORK}/prefix tilewright-cpp ${COMPILER} multiply.cpp -std=c++20)
