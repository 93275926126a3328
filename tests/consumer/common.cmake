# For the scripts beside it: run(command...) ends the test where a command does not succeed.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "${command}: ${result}")
  endif()
endfunction()

# Configures the project in SOURCE, builds it and runs its program `multiply`.
function(configure_build_run source)
  run(${CMAKE_COMMAND} -S ${source} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_CXX_COMPILER=${COMPILER} ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/build --config ${CONFIG})
  find_program(program multiply REQUIRED NO_DEFAULT_PATH PATHS ${WORK}/build ${WORK}/build/${CONFIG})
  run(${program})
endfunction()
