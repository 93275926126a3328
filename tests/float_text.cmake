# std::to_string() writes real numbers as the locale does, and its name does not show it. No object may need its formatter.
#   NM     the program nm
#   FILES  static libraries, separated by commas
cmake_minimum_required(VERSION 3.22)
string(REPLACE "," ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
  execute_process(COMMAND ${NM} -C -A --undefined-only ${file} OUTPUT_VARIABLE symbols ERROR_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "tilewright::")
    message(SEND_ERROR "${file} has no symbols")
  endif()
  string(REGEX MATCHALL "[^\n]* U (_*v[a-z]*printf(_chk)?|std::[^\n]*to_string\\((float|double|long double)\\))\n" found
    "${symbols}")
  if(found)
    list(JOIN found "  " found)
    message(SEND_ERROR "Real numbers are written as the locale does; use runtime/system/plain_text.hpp:\n  ${found}")
  endif()
endforeach()
