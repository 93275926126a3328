# Functions that add tests.

# tilewright_add_test(NAME PROGRAM ARGUMENTS...): adds the test ${tilewright_tests}NAME without a time limit, because a
# machine may be slow or busy. The watchdog ends a test that hangs. PROGRAM is a target or a path.
if(CMAKE_SYSTEM_NAME STREQUAL Linux)
  add_executable(tilewright_watchdog support/watchdog.cpp)
  target_compile_features(tilewright_watchdog PRIVATE cxx_std_20)
  target_link_libraries(tilewright_watchdog PRIVATE tilewright_build_options)
  set(watchdog $<TARGET_FILE:tilewright_watchdog>)
else()
  set(watchdog "")
endif()
function(tilewright_add_test name program)
  if(TARGET ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  add_test(NAME ${tilewright_tests}${name} COMMAND ${watchdog} ${program} ${ARGN})
  set_tests_properties(${tilewright_tests}${name} PROPERTIES TIMEOUT 86400) # ctest's default is 1500 s
endfunction()

# tilewright_subjects(SUBJECTS FILTERS TARGET): sets SUBJECTS to the subjects that a program tests: each folder of its
# sources, and the name of each test source that is in no folder (multiply for multiply_test.cpp). FILTERS are doctest's
# filters of their sources.
function(tilewright_subjects subjects filters target)
  get_target_property(sources ${target} SOURCES)
  set(names "")
  set(patterns "")
  foreach(source ${sources})
    if(NOT source MATCHES "^((\\.\\./)*([a-z0-9_]+))(/.*_test|_test)\\.cpp$")
      continue()
    endif()
    set(name ${CMAKE_MATCH_3})
    set(rest /*)
    if(CMAKE_MATCH_4 STREQUAL "_test")
      set(rest _test.cpp)
    endif()
    if(NOT name IN_LIST names)
      get_filename_component(path ${CMAKE_MATCH_1} ABSOLUTE)
      file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${path})
      list(APPEND names ${name})
      list(APPEND patterns */${path}${rest})
    endif()
  endforeach()
  set(${subjects} ${names} PARENT_SCOPE)
  set(${filters} ${patterns} PARENT_SCOPE)
endfunction()

# tilewright_add_tests_by_subject(PREFIX TARGET LABEL ENVIRONMENT): adds the tests PREFIX.SUBJECT of a program.
function(tilewright_add_tests_by_subject prefix target label environment)
  tilewright_subjects(subjects filters ${target})
  foreach(subject filter IN ZIP_LISTS subjects filters)
    tilewright_add_test(${prefix}.${subject} ${target} --source-file=${filter})
    set_tests_properties(${tilewright_tests}${prefix}.${subject} PROPERTIES
      LABELS "${label};${subject}" ENVIRONMENT "${environment}")
  endforeach()
endfunction()

# tilewright_define_in(SOURCE DEFINITIONS...): defines paths only in the files that use them, so that a compiler cache
# hits all other files from any directory.
function(tilewright_define_in source)
  set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS ${ARGN})
endfunction()
