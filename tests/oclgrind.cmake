# Runs PROGRAM with ARGUMENTS on Oclgrind's device and fails where it fails, or where Oclgrind's log is not empty.
#   ICD  liboclgrind-rt-icd.so: Oclgrind installs no .icd file, so the loader is pointed at it
#   LOG  the log's path
#   VARIANTS  TILEWRIGHT_TEST_VARIANTS
#   UNINITIALIZED  1: also check that no kernel reads what was never written
# Kernels are compiled without optimization: Oclgrind 21.10 ends at an instruction, freeze, that LLVM's optimizer makes.
file(REMOVE "${LOG}")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env
    OCL_ICD_VENDORS=${ICD} OCLGRIND_CHECK_API=1 OCLGRIND_DATA_RACES=1 OCLGRIND_UNINITIALIZED=${UNINITIALIZED}
    OCLGRIND_LOG=${LOG} OCLGRIND_BUILD_OPTIONS=-cl-opt-disable
    TILEWRIGHT_TEST_LEVEL=quick TILEWRIGHT_DEVICE=Oclgrind TILEWRIGHT_TEST_VARIANTS=${VARIANTS}
    ${PROGRAM} ${ARGUMENTS}
  RESULT_VARIABLE status)
if(EXISTS "${LOG}")
  file(READ "${LOG}" log LIMIT 20000)
  string(STRIP "${log}" log)
endif()
if(log)
  message(FATAL_ERROR "Oclgrind found faults; its log, ${LOG}, begins:\n${log}")
endif()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed on Oclgrind: ${status}")
endif()
