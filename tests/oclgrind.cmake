# Runs PROGRAM with ARGUMENTS on Oclgrind's device and fails where it fails, or where Oclgrind's log is not empty.
#   ICD  liboclgrind-rt-icd.so: Oclgrind installs no .icd file, so the loader is pointed at it
#   LOG  the log's path
#   VARIANTS  TILEWRIGHT_TEST_VARIANTS; the variable in the environment narrows it further
#   UNINITIALIZED  1: also check that no kernel reads what was never written
# Kernels are compiled without optimization: Oclgrind 21.10 ends at an instruction, freeze, that LLVM's optimizer makes.

cmake_minimum_required(VERSION 3.22)

# "a,b" or, for all but those, "-a,b".
macro(read_filter filter all_but names)
  string(REGEX MATCH "^-" ${all_but} "${filter}")
  string(REGEX REPLACE "^-" "" ${names} "${filter}")
  string(REPLACE "," ";" ${names} "${${names}}")
endmacro()

if(NOT "$ENV{TILEWRIGHT_TEST_VARIANTS}" STREQUAL "")
  read_filter("${VARIANTS}" ours_all_but ours)
  read_filter("$ENV{TILEWRIGHT_TEST_VARIANTS}" theirs_all_but theirs)
  if(ours_all_but AND theirs_all_but)
    set(both ${ours} ${theirs})
    list(JOIN both "," VARIANTS)
    set(VARIANTS "-${VARIANTS}")
  else()
    # One of them lists names: those that the other one lets through.
    if(ours_all_but)
      set(both ${theirs})
      list(REMOVE_ITEM both ${ours})
    else()
      set(both ${ours})
      foreach(name IN LISTS ours)
        if((theirs_all_but AND name IN_LIST theirs) OR (NOT theirs_all_but AND NOT name IN_LIST theirs))
          list(REMOVE_ITEM both ${name})
        endif()
      endforeach()
    endif()
    list(JOIN both "," VARIANTS)
    if(NOT both)
      message(STATUS "TILEWRIGHT_TEST_VARIANTS leaves no variant to this test")
      return()
    endif()
  endif()
  message(STATUS "TILEWRIGHT_TEST_VARIANTS=${VARIANTS}")
endif()

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
