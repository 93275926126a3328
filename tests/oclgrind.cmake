# Runs PROGRAM with ARGUMENTS on Oclgrind's device. Fails if the program fails or Oclgrind's log is not empty.
#   ICD  path of liboclgrind-rt-icd.so, for the loader; Oclgrind installs no .icd file
#   LOG  path of the log
#   VARIANTS  TILEWRIGHT_TEST_VARIANTS; the variable in the environment narrows it further
#   UNINITIALIZED  1: also check that no kernel reads uninitialised memory
# Kernels are compiled without optimization: Oclgrind 21.10 does not support `freeze`, which LLVM's optimizer emits.

cmake_minimum_required(VERSION 3.22)

# Filters have the form "a,b", or "-a,b" for all except a and b.
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
    # One filter lists names: keep those that the other one accepts.
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
      message(STATUS "TILEWRIGHT_TEST_VARIANTS excludes all variants of this test")
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
  message(FATAL_ERROR "Oclgrind found faults; its log, ${LOG}, starts with:\n${log}")
endif()
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} failed on Oclgrind: ${status}")
endif()
