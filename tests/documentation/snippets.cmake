# Compiles every C++ snippet of the README, the guides and the reference pages with COMPILER and warnings as errors.
#   SOURCE  the project's root
#   WORK    a directory for the snippets as files
# A snippet between ```cpp and ``` is a separate file if it starts with #define or has a main(). Other snippets are
# statements, each placed into a function.
cmake_minimum_required(VERSION 3.22)
file(GLOB pages ${SOURCE}/README.md ${SOURCE}/docs/guides/*.md ${SOURCE}/docs/reference/*.md)
file(REMOVE_RECURSE ${WORK})
set(sources)
set(functions "#include \"snippet_context.hpp\"\n")
set(count 0)
foreach(name IN LISTS pages)
  file(READ ${name} page)
  while(TRUE)
    string(FIND "${page}" "```cpp\n" start)
    if(start EQUAL -1)
      break()
    endif()
    math(EXPR start "${start} + 7")
    string(SUBSTRING "${page}" ${start} -1 page)
    string(FIND "${page}" "```\n" length)
    if(length EQUAL -1)
      message(FATAL_ERROR "a snippet of ${name} has no end")
    endif()
    string(SUBSTRING "${page}" 0 ${length} snippet)
    math(EXPR length "${length} + 4")
    string(SUBSTRING "${page}" ${length} -1 page) # without the end mark, which would count as a start
    math(EXPR count "${count} + 1")
    if(snippet MATCHES "^#define|int main")
      file(WRITE ${WORK}/snippet_${count}.cpp "${snippet}")
      list(APPEND sources snippet_${count}.cpp)
    else()
      string(APPEND functions "// ${name}\nvoid snippet_${count}() {\n${snippet}}\n")
    endif()
  endwhile()
endforeach()
file(WRITE ${WORK}/functions.cpp "${functions}")
list(APPEND sources functions.cpp)

if(count LESS 25)
  message(FATAL_ERROR "only ${count} snippets were found in ${pages}")
endif()
foreach(source IN LISTS sources)
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Werror -I${SOURCE}/include -I${CMAKE_CURRENT_LIST_DIR}
      ${source}
    WORKING_DIRECTORY ${WORK} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${WORK}/${source} does not compile without warnings")
  endif()
endforeach()

# The README's program must equal the one in examples/.
file(READ ${SOURCE}/README.md readme)
file(READ ${SOURCE}/examples/first.cpp example)
string(FIND "${readme}" "```cpp\n${example}```" found)
if(found EQUAL -1)
  message(SEND_ERROR "the program in README.md differs from examples/first.cpp")
endif()
message(STATUS "${count} snippets compile")
