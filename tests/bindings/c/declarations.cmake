# declarations(RESULT SOURCE): sets RESULT to the functions that the C headers below SOURCE declare, each as
# "type name(parameters)".
function(declarations result source)
  file(GLOB headers ${source}/include/tilewright/c/*.h ${source}/include/tilewright/c/generated/*.h)
  set(all "")
  foreach(header IN LISTS headers)
    file(READ ${header} text)
    string(REPLACE ";" "@" text "${text}") # separates items of CMake's lists
    string(REGEX MATCHALL "\nTILEWRIGHT_C_API [^@]+@" found "${text}")
    foreach(declaration IN LISTS found)
      string(REGEX REPLACE "[ \n]+" " " declaration "${declaration}")
      string(REGEX REPLACE "^ TILEWRIGHT_C_API (.*)@$" "\\1" declaration "${declaration}")
      list(APPEND all "${declaration}")
    endforeach()
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()
