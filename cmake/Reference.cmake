# The target tilewright_reference: the API reference in HTML, from the public headers, where Doxygen is installed.
find_program(TILEWRIGHT_DOXYGEN doxygen)
mark_as_advanced(TILEWRIGHT_DOXYGEN)
if(TILEWRIGHT_DOXYGEN)
  configure_file(${PROJECT_SOURCE_DIR}/docs/Doxyfile.in ${PROJECT_BINARY_DIR}/Doxyfile @ONLY)
  add_custom_target(tilewright_reference COMMAND ${TILEWRIGHT_DOXYGEN} ${PROJECT_BINARY_DIR}/Doxyfile
                    COMMENT "Writing ${PROJECT_BINARY_DIR}/reference/html/index.html" VERBATIM)
endif()
