# Shared by the scripts in this folder.
# run(COMMAND...): fails the test if the command fails.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}")
  endif()
endfunction()

# Configures the project in SOURCE, builds it and runs its program `multiply`. If the list BUILT_TARGETS is not empty,
# builds only these targets.
function(configure_build_run source)
  run(${CMAKE_COMMAND} -S ${source} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} ${ARGN})
  set(targets "")
  if(BUILT_TARGETS)
    set(targets --target ${BUILT_TARGETS})
  endif()
  run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG} ${targets})
  find_program(program multiply REQUIRED NO_DEFAULT_PATH PATHS ${WORK}/build ${WORK}/build/${CONFIG})
  run(${program})
endfunction()

# Compiles SOURCE with COMPILER and pkg-config's flags of PACKAGE for the Tilewright in PREFIX, and runs it.
function(build_with_pkg_config prefix package compiler source)
  find_program(PKG_CONFIG NAMES pkg-config pkgconf)
  if(NOT PKG_CONFIG)
    message(STATUS "pkg-config is not installed, so ${package}.pc was not tested")
    return()
  endif()
  file(GLOB_RECURSE pc_file ${prefix}/*/${package}.pc)
  get_filename_component(pc_directory "${pc_file}" DIRECTORY)
  get_filename_component(library_directory "${pc_directory}" DIRECTORY)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_directory} ${PKG_CONFIG} --cflags --libs ${package}
    OUTPUT_VARIABLE flags RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pkg-config does not find ${package}")
  endif()
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(${compiler} ${TILEWRIGHT_SOURCE}/examples/${source} ${flags} ${ARGN} -Wl,-rpath,${library_directory}
    -o ${WORK}/program_by_pkg_config)
  run(${WORK}/program_by_pkg_config)
endfunction()

# Runs the programs of bindings.cpp with a library, on kernels some of which are broken.
function(run_bindings library)
  file(COPY ${TILEWRIGHT_SOURCE}/cl DESTINATION ${WORK})
  file(WRITE ${WORK}/cl/gemm/local_column.cl "__kernel void other(void) {}\n")
  file(WRITE ${WORK}/cl/gemm/local_tile.cl "#error broken on purpose\n")
  file(WRITE ${WORK}/records.jsonl "{\"format\": \n{\"problem\": [}\n")
  foreach(kind with without)
    set(name bindings_${kind}_${library})
    find_program(program_${name} ${name} REQUIRED NO_DEFAULT_PATH PATHS ${WORK}/build ${WORK}/build/${CONFIG})
    run(${program_${name}} ${WORK}/cl ${WORK}/records.jsonl)
  endforeach()
endfunction()
