# Configures a parent project that embeds the library, the command and the tests. Builds nothing.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/embedding -B "${WORK}/a parent" -G ${GENERATOR}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D TILEWRIGHT_SOURCE=${TILEWRIGHT_SOURCE} -D TILEWRIGHT_INSTALL=ON
  -D TILEWRIGHT_BUILD_TESTS=ON -D TILEWRIGHT_BUILD_TOOLS=${COMMAND_BUILT})
