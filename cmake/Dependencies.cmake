# OpenCL, its headers for C and C++, and nlohmann-json, as the targets OpenCL::OpenCL, OpenCL::HeadersCpp and
# nlohmann_json::nlohmann_json.
find_package(Threads REQUIRED)
if(NOT DEFINED SKBUILD)
  find_package(OpenCL REQUIRED)
  find_package(OpenCLHeaders QUIET) # Debian's OpenCLHeadersCpp needs its target but does not find it.
  find_package(OpenCLHeadersCpp REQUIRED)
  find_package(nlohmann_json REQUIRED)
  return()
endif()

# In the build of a Python package a compiler and CMake are enough: the C library opens libOpenCL at run time, and headers
# that are not installed are fetched. Releases of Khronos, whose headers are under Apache-2.0.
set(TILEWRIGHT_HEADERS_FROM "https://github.com/KhronosGroup" CACHE STRING
  "Where missing headers of OpenCL are fetched from: the address of OpenCL-Headers and OpenCL-CLHPP without their names")
set(clhpp_revision 2a608428f725cad7903ef55e1ce5b995895838f5) # v2025.07.22
set(headers_revision 8a97ebc88daa3495d6f57ec10bb515224400186f) # v2025.07.22

# tilewright_provide_headers(RESULT HEADER REPOSITORY REVISION SUBDIRECTORY): sets RESULT to the directory that contains
# HEADER, which is SUBDIRECTORY of the repository if HEADER is not installed.
include(FetchContent)
if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW) # extracted files get the time of extraction
endif()
function(tilewright_provide_headers result header repository revision subdirectory)
  find_path(${result} ${header})
  if(NOT ${result})
    string(TOLOWER ${repository} name)
    message(STATUS "Fetching ${repository} from ${TILEWRIGHT_HEADERS_FROM}, because ${header} is not installed")
    FetchContent_Declare(${name} URL ${TILEWRIGHT_HEADERS_FROM}/${repository}/archive/${revision}.tar.gz
      SOURCE_SUBDIR only-headers) # does not exist, so that nothing of the repository is built
    FetchContent_MakeAvailable(${name})
    set(${result} ${${name}_SOURCE_DIR}/${subdirectory} CACHE PATH "Directory of ${header}" FORCE)
  endif()
endfunction()
tilewright_provide_headers(TILEWRIGHT_CL_DIR CL/cl.h OpenCL-Headers ${headers_revision} .)
tilewright_provide_headers(TILEWRIGHT_CLHPP_DIR CL/opencl.hpp OpenCL-CLHPP ${clhpp_revision} include)

add_library(OpenCL::OpenCL INTERFACE IMPORTED)
target_include_directories(OpenCL::OpenCL INTERFACE ${TILEWRIGHT_CL_DIR})
add_library(OpenCL::HeadersCpp INTERFACE IMPORTED)
target_include_directories(OpenCL::HeadersCpp INTERFACE ${TILEWRIGHT_CLHPP_DIR} ${TILEWRIGHT_CL_DIR})

# PyPI's nlohmann-json, a build requirement in pyproject.toml, has no CMake package.
find_package(nlohmann_json QUIET)
if(NOT nlohmann_json_FOUND)
  list(TRANSFORM CMAKE_PREFIX_PATH APPEND /nlohmann_json/include OUTPUT_VARIABLE in_packages)
  find_path(TILEWRIGHT_JSON_DIR nlohmann/json.hpp HINTS ${in_packages} REQUIRED)
  add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
  target_include_directories(nlohmann_json::nlohmann_json INTERFACE ${TILEWRIGHT_JSON_DIR})
endif()
