# Checks that no object formats real numbers with std::to_string() or printf(), because they follow the locale.
#   NM     the program nm
#   FILES  static libraries, separated by commas
cmake_minimum_required(VERSION 3.22)
string(REPLACE "," ";" FILES "${FILES}")
foreach(file IN LISTS FILES)
  execute_process(COMMAND ${NM} -C -A --undefined-only ${file} OUTPUT_VARIABLE symbols ERROR_QUIET
    COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "tilewright::")
    message(SEND_ERROR "${file} has no symbols of Tilewright, so the check proves nothing")
  endif()
  string(REGEX MATCHALL "[^\n]* U (_*v[a-z]*printf(_chk)?|std::[^\n]*to_string\\((float|double|long double)\\))\n" found
    "${symbols}")
  if(found)
    list(JOIN found "  " found)
    message(SEND_ERROR
      "Formatting of real numbers depends on the locale; use runtime/system/plain_text.hpp:\n  ${found}")
  endif()
endforeach()
