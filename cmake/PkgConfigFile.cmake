# Writes and installs tilewright.pc, for programs that use the C library, and tilewright-cpp.pc, for programs that use
# the C++ library. CMAKE_INSTALL_LIBDIR and CMAKE_INSTALL_INCLUDEDIR may each be absolute or relative to the prefix. With
# a relative libdir, the files derive the prefix from their own location, so an installed tree can be moved. With an
# absolute libdir, they name the installation's prefix, which `cmake --install --prefix` may change.

set(tilewright_pc_escape "${CMAKE_CURRENT_LIST_DIR}/PkgConfigEscape.cmake")
include("${tilewright_pc_escape}")

foreach(name LIBDIR INCLUDEDIR)
  tilewright_escape(tilewright_pc_${name} "${CMAKE_INSTALL_${name}}")
  if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_${name}}")
    string(PREPEND tilewright_pc_${name} "\${prefix}/")
  endif()
endforeach()

set(tilewright_pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(tilewright_pc_prefix "@tilewright_pc_root@")
else()
  cmake_path(ABSOLUTE_PATH tilewright_pc_dir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}" NORMALIZE
    OUTPUT_VARIABLE tilewright_pc_full_dir)
  file(RELATIVE_PATH tilewright_pc_prefix "${tilewright_pc_full_dir}" "${CMAKE_INSTALL_PREFIX}")
  string(REGEX REPLACE "/$" "" tilewright_pc_prefix "${tilewright_pc_prefix}")
  tilewright_escape(tilewright_pc_prefix "${tilewright_pc_prefix}")
  string(PREPEND tilewright_pc_prefix "\${pcfiledir}/")
endif()

# The headers include OpenCL's.
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(TILEWRIGHT_OPENCL_HEADERS QUIET OpenCL-Headers)
endif()
if(TILEWRIGHT_OPENCL_HEADERS_FOUND)
  set(tilewright_pc_requires "Requires: OpenCL-Headers")
else()
  foreach(directory IN LISTS OpenCL_INCLUDE_DIRS)
    tilewright_escape(escaped "${directory}")
    string(APPEND tilewright_pc_cflags " -I${escaped}")
  endforeach()
endif()

# tilewright_install_pc(FILE NAME INTERFACE LIBS PRIVATE): FILE is the name without .pc.
function(tilewright_install_pc file tilewright_pc_name tilewright_pc_interface tilewright_pc_libs tilewright_pc_private)
  # The prefix is set in the build folder, and again at installation, because it may differ.
  set(pc_file "${PROJECT_BINARY_DIR}/${file}.pc")
  tilewright_escape(tilewright_pc_root "${CMAKE_INSTALL_PREFIX}")
  configure_file(cmake/tilewright.pc.in "${pc_file}.in" @ONLY)
  configure_file("${pc_file}.in" "${pc_file}" @ONLY)
  if(IS_ABSOLUTE "${tilewright_pc_dir}")
    # file(INSTALL) considers files equal if their times differ by less than a second, so remove the old file first.
    install(CODE "include([==[${tilewright_pc_escape}]==])
tilewright_escape(tilewright_pc_root \"\${CMAKE_INSTALL_PREFIX}\")
configure_file([==[${pc_file}.in]==] [==[${pc_file}]==] @ONLY)
file(REMOVE \"\$ENV{DESTDIR}${tilewright_pc_dir}/${file}.pc\")" COMPONENT development)
  endif()
  install(FILES "${pc_file}" DESTINATION "${tilewright_pc_dir}" COMPONENT development)
endfunction()

# A program that links the static library must also link its dependencies; the shared libraries link them themselves.
if(tilewright_type STREQUAL "STATIC_LIBRARY")
  tilewright_install_pc(tilewright-cpp "Tilewright for C++" "" "-ltilewright-cpp -lOpenCL -pthread" "")
else()
  tilewright_install_pc(tilewright-cpp "Tilewright for C++" "" "-ltilewright-cpp -lOpenCL" "-pthread")
endif()
if(TARGET tilewright_c)
  tilewright_install_pc(tilewright Tilewright ", for C" "-ltilewright" "")
endif()
