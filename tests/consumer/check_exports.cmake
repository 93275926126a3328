# Checks the symbols of two files, shared_library and static_library. The shared library must export exactly the symbols
# marked with TILEWRIGHT_API, whose names are in public headers. Outside the namespace
# detail and the classes State, the static library must define no other function of the namespace tilewright. It must
# define no function of other libraries' headers, because a program may have its own copies.
cmake_minimum_required(VERSION 3.22)
find_program(NM nm REQUIRED)

# symbols(RESULT FILE [OPTIONS...]): sets RESULT to "letter name" of each symbol that FILE defines.
function(symbols result file)
  execute_process(COMMAND ${NM} -C --defined-only ${ARGN} ${file} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," text "${text}")
  string(REPLACE "[" "(" text "${text}") # CMake does not split lists inside brackets
  string(REPLACE "]" ")" text "${text}")
  string(REGEX MATCHALL "[0-9a-f]+ [A-Za-z] [^\n]+" lines "${text}")
  list(TRANSFORM lines REPLACE "^[0-9a-f]+ " "")
  set(${result} ${lines} PARENT_SCOPE)
endfunction()

file(GLOB headers ${TILEWRIGHT_SOURCE}/include/tilewright/*.hpp)
set(declarations "")
foreach(header IN LISTS headers)
  file(READ ${header} text)
  string(APPEND declarations "${text}")
endforeach()

set(failures "")
symbols(exported ${shared_library} -D)
set(exported_functions)
foreach(symbol IN LISTS exported)
  string(SUBSTRING "${symbol}" 2 -1 name)
  list(APPEND exported_functions "${name}")
  string(REGEX REPLACE "^(typeinfo name|typeinfo|vtable) for " "" bare "${name}")
  string(REGEX REPLACE "\\(.*" "" bare "${bare}")
  string(REGEX REPLACE "(abi:[a-z0-9]+)" "" bare "${bare}")
  # An instance of a function template is written with its arguments and its return type.
  string(REGEX REPLACE "<[^<>]*>" "" bare "${bare}")
  string(REGEX REPLACE "^[A-Za-z:]+ (tilewright::)" "\\1" bare "${bare}")
  string(REGEX REPLACE "^.*::(~?)" "" last "${bare}")
  if(NOT bare MATCHES "^tilewright::[A-Za-z0-9_:~= ]+$" OR bare MATCHES "::detail::|::State::")
    string(APPEND failures "\n  exported, but not public: ${name}")
  elseif(NOT declarations MATCHES "[^A-Za-z_]${last}[^A-Za-z_]")
    string(APPEND failures "\n  exported, but in no public header: ${name}")
  endif()
endforeach()
list(LENGTH exported count)
if(count LESS 50)
  string(APPEND failures "\n  ${count} symbols are exported; more were expected")
endif()

symbols(contained ${static_library})
foreach(symbol IN LISTS contained)
  string(SUBSTRING "${symbol}" 0 1 letter)
  string(SUBSTRING "${symbol}" 2 -1 name)
  if(letter MATCHES "[VWu]" AND name MATCHES "(^|[ *&<(,])(cl|nlohmann)::")
    string(APPEND failures "\n  defines a function that programs may also have: ${name}")
  elseif(letter STREQUAL "T" AND name MATCHES "^tilewright::" AND NOT name MATCHES "^tilewright::(detail|[A-Za-z]+::State)::"
         AND NOT name IN_LIST exported_functions)
    string(APPEND failures "\n  public, but without TILEWRIGHT_API: ${name}")
  endif()
endforeach()
if(failures)
  message(FATAL_ERROR "Wrong symbols in the libraries:${failures}")
endif()
message(STATUS "${count} symbols are exported")
