# Fits constants with the command COMMAND to the file TIMINGS, and passes them to the program PROGRAM, which stores its
# files in the folder WORK. TILEWRIGHT_OPENCL_LIBRARY names the library with the described device.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/data)
execute_process(COMMAND ${COMMAND} fit-times ${TIMINGS} --only tensor. --json
  OUTPUT_FILE ${WORK}/fit.json RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "fit-times failed: ${status}")
endif()
execute_process(COMMAND ${CMAKE_COMMAND} -E env TILEWRIGHT_DATA_DIR=${WORK}/data ${PROGRAM} ${WORK}/fit.json
  RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the program failed: ${status}")
endif()
