# Installs the library to a separate prefix and moves it. Then builds examples/ against it with find_package, with
# pkg-config, and with the compiler alone.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${TILEWRIGHT_BUILD} --config ${CONFIG} --prefix ${WORK}/first)
set(prefix ${WORK}/prefix)
file(RENAME ${WORK}/first ${prefix})

configure_build_run(${TILEWRIGHT_SOURCE}/examples -D CMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_CTEST_COMMAND} --test-dir ${WORK}/build --output-on-failure -C ${CONFIG})
build_with_pkg_config(${prefix} tilewright-cpp ${COMPILER} multiply.cpp -std=c++20)
if(C_BUILT)
  build_with_pkg_config(${prefix} tilewright ${C_COMPILER} multiply.c -std=c11 -pedantic -Werror -lOpenCL)
endif()

file(GLOB_RECURSE library ${prefix}/libtilewright-cpp.*)
list(GET library 0 library)
get_filename_component(library_directory "${library}" DIRECTORY)
run(${COMPILER} -std=c++20 ${TILEWRIGHT_SOURCE}/examples/multiply.cpp -I${prefix}/include -L${library_directory}
  -ltilewright-cpp -lOpenCL -o ${WORK}/multiply_by_hand)
run(${WORK}/multiply_by_hand)

foreach(file IN ITEMS LICENSE README.md docs/design.md docs/guides/embed.md docs/results/speed.svg
    examples/multiply.cpp examples/buffers.hpp)
  if(NOT EXISTS ${prefix}/share/doc/tilewright/${file})
    message(SEND_ERROR "${file} was not installed")
  endif()
endforeach()
if(COMMAND_BUILT)
  run(bash ${CMAKE_CURRENT_LIST_DIR}/installed_command.sh ${prefix})
endif()

file(REMOVE_RECURSE ${WORK}/build)
configure_build_run(${CMAKE_CURRENT_LIST_DIR}/find_package
  -D TILEWRIGHT_SOURCE=${TILEWRIGHT_SOURCE} -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_BUILD_TYPE=Debug)
run_bindings(installed)
