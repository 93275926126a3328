# Compares the types and functions of the C header with the ones in tilewright.abi, on which programs depend. Functions
# may be added without a change of that file. After a change that is meant, write it again with
#   cmake -D UPDATE=1 -D COMPILER=cc -D SOURCE=. -D WORK=/tmp/abi -P tests/bindings/c/abi.cmake
# The comparison uses a library of empty functions, because only it has debug information about all types.
cmake_minimum_required(VERSION 3.22)
include(${CMAKE_CURRENT_LIST_DIR}/declarations.cmake)

# The order of members and the numbers of constants: no line of the first list may be gone or change its place.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/first_abi.txt first REGEX "^(enum|struct) ")
file(STRINGS ${SOURCE}/src/bindings/c/abi.txt now REGEX "^(enum|struct) ")
set(place 0)
foreach(line IN LISTS first)
  list(FIND now "${line}" found)
  if(found LESS place)
    message(FATAL_ERROR "src/bindings/c/abi.txt lacks the line '${line}', or has it in another place")
  endif()
  set(place ${found})
endforeach()

find_program(ABIDIFF abidiff)
find_program(ABIDW abidw)
if(NOT ABIDIFF OR NOT ABIDW)
  message("not run: abidiff is not installed (on Debian and Ubuntu: apt-get install abigail-tools)")
  return()
endif()
declarations(declared ${SOURCE})
set(text "#include \"tilewright.h\"\n")
foreach(declaration IN LISTS declared)
  if(declaration MATCHES "^void ")
    string(APPEND text "${declaration} {}\n")
  else()
    string(APPEND text "${declaration} { return 0; }\n")
  endif()
endforeach()
file(MAKE_DIRECTORY ${WORK})
file(WRITE ${WORK}/stub.c "${text}")
set(library ${WORK}/libtilewright.so.1)
execute_process(COMMAND ${COMPILER} -std=c11 -g -shared -fPIC -DCL_TARGET_OPENCL_VERSION=120 -I${SOURCE}/include -Wl,-soname,libtilewright.so.1
  -Wl,--version-script=${SOURCE}/src/bindings/c/exports.map ${WORK}/stub.c -o ${library} COMMAND_ERROR_IS_FATAL ANY)
set(committed ${CMAKE_CURRENT_LIST_DIR}/tilewright.abi)
if(UPDATE)
  execute_process(COMMAND ${ABIDW} --no-corpus-path --no-comp-dir-path --no-show-locs --type-id-style hash
    --headers-dir ${SOURCE}/include --drop-private-types --out-file ${committed} ${library} COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()
execute_process(COMMAND ${ABIDIFF} --no-added-syms ${committed} ${library}
  OUTPUT_VARIABLE difference RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "programs that were built with an older header would not work; abidiff says:\n${difference}")
endif()
