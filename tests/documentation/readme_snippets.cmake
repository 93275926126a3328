# Compiles every C++ snippet of README with COMPILER and warnings as errors.
#   README  the page; a snippet stands between ```cpp and ```
#   INCLUDE the public headers
#   WORK    a directory for the snippets as files
# A snippet that begins with #define is a file as it stands; others are statements, each put into a function.
cmake_minimum_required(VERSION 3.22)
file(READ ${README} page)
file(REMOVE_RECURSE ${WORK})
set(sources)
set(functions "#include \"snippet_context.hpp\"\n")
set(count 0)
while(TRUE)
  string(FIND "${page}" "```cpp\n" start)
  if(start EQUAL -1)
    break()
  endif()
  math(EXPR start "${start} + 7")
  string(SUBSTRING "${page}" ${start} -1 page)
  string(FIND "${page}" "```\n" length)
  if(length EQUAL -1)
    message(FATAL_ERROR "a snippet has no end")
  endif()
  string(SUBSTRING "${page}" 0 ${length} snippet)
  math(EXPR length "${length} + 4")
  string(SUBSTRING "${page}" ${length} -1 page) # past its end, which must not be taken for a start
  math(EXPR count "${count} + 1")
  if(snippet MATCHES "^#define")
    file(WRITE ${WORK}/snippet_${count}.cpp "${snippet}")
    list(APPEND sources snippet_${count}.cpp)
  else()
    string(APPEND functions "void snippet_${count}() {\n${snippet}}\n")
  endif()
endwhile()
file(WRITE ${WORK}/functions.cpp "${functions}")
list(APPEND sources functions.cpp)

if(count LESS 5)
  message(FATAL_ERROR "only ${count} snippets were found in ${README}")
endif()
foreach(source IN LISTS sources)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I${INCLUDE} -I${CMAKE_CURRENT_LIST_DIR} ${source}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${WORK}/${source} does not compile without warnings")
  endif()
endforeach()
message(STATUS "${count} snippets compile")
