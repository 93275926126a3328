# Tests of the device program, one per subject, and one per variant of gemm. Sets device_environment for other folders.

# PoCL has several methods to turn kernels into work-group functions, each with its own bugs. PoCL's cache does not
# distinguish them, so each method gets its own cache. Other drivers ignore these variables. All versions of PoCL have
# these two methods; debian13.sh tests the newer cbs.
set(device_environment ${nothing_kept} POCL_WORK_GROUP_METHOD=loopvec
  POCL_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/pocl-cache-loopvec)
# At the quick level tools/test.sh turns PoCL's optimizer off (POCL_EXTRA_BUILD_FLAGS), which takes three quarters of a
# kernel's compilation. The tests that run each kernel, conformance.* and differential, keep it.
# Loads and stores of elements do not depend on the method. tests/portability/local.sh sweeps it more broadly.
set(loops_environment ${nothing_kept} POCL_WORK_GROUP_METHOD=loops
  POCL_CACHE_DIR=${CMAKE_CURRENT_BINARY_DIR}/pocl-cache-loops TILEWRIGHT_TEST_LEVEL=quick TILEWRIGHT_TEST_TYPES=f32,i8)
# Suites about host code, other libraries, and loads and stores of elements run with the first method only.
set(host_suites device,enqueue?launch,epilogue?errors,gemv?errors,grid?limits,host?pointers,lifetime,operand?errors
  many?systems,overlapping?operands,planted?faults,refusals,offset?promises,call?faults
  event?times,spmm?host?access,guarded?call)
list(JOIN host_suites "," host_suites)
# Suites with tests of their own.
set(plan_suites plan,plan?events,plan?threads)
set(type_suites stored?products,type?of?C,integer?products,complex?products,second?opinion)

# tilewright_add_device_test(NAME LABEL ARGUMENTS...): adds a test of the device program, and with the suffix `.loops`
# one for PoCL's second method, without the suites about host code.
function(tilewright_add_device_test name label)
  set(once "*conformance,every?kernel*,${plan_suites},${type_suites}")
  set(loops_arguments ${ARGN})
  if(NOT "${ARGN}" MATCHES "--test-suite=")
    list(APPEND ARGN --test-suite-exclude=${once})
    list(APPEND loops_arguments --test-suite-exclude=${once},default?options,${host_suites})
  endif()
  tilewright_add_test(${name} tilewright_device_tests ${ARGN})
  set(environment ${device_environment})
  if(name MATCHES "^conformance")
    list(APPEND environment POCL_EXTRA_BUILD_FLAGS=)
  endif()
  set_tests_properties(${tilewright_tests}${name} PROPERTIES
    LABELS "device;${label}" ENVIRONMENT "${environment}")
  if(NOT "${label} ${name}" MATCHES "^(out_of_core|runtime) |(plans|types)$") # which are about host code
    tilewright_add_test(${name}.loops tilewright_device_tests ${loops_arguments})
    set_tests_properties(${tilewright_tests}${name}.loops PROPERTIES
      LABELS "device;${label}" ENVIRONMENT "${loops_environment}")
  endif()
endfunction()

tilewright_subjects(subjects filters tilewright_device_tests)
foreach(subject filter IN ZIP_LISTS subjects filters)
  tilewright_add_device_test(device.${subject} ${subject} --source-file=${filter})
endforeach()
tilewright_add_device_test(device.gemm.plans gemm --test-suite=${plan_suites})
tilewright_add_device_test(device.gemm.types gemm --test-suite=${type_suites})
foreach(subject spmm transpose vector)
  tilewright_add_device_test(conformance.${subject} ${subject} --test-suite=${subject}?conformance)
endforeach()
# Each variant of gemm, whose host file names it.
file(GLOB variant_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/gemm/variants/*.cpp)
foreach(file ${variant_files})
  get_filename_component(variant ${file} NAME_WE)
  file(STRINGS ${file} named REGEX "\"${variant}\"")
  if(named)
    set(name conformance.gemm.${variant})
    tilewright_add_device_test(${name} gemm --test-suite=conformance)
    foreach(test ${tilewright_tests}${name} ${tilewright_tests}${name}.loops)
      set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT TILEWRIGHT_TEST_VARIANTS=${variant})
      set_property(TEST ${test} PROPERTY SKIP_RETURN_CODE 77) # the device does not support the variant
    endforeach()
  endif()
endforeach()

# Start the longest tests first.
foreach(name device.cholesky device.gemm device.gemm.types device.kernels device.lu device.qr device.rank_k
    device.runtime device.triangular device.trmm device.verification)
  set_tests_properties(${tilewright_tests}${name} PROPERTIES COST 100)
endforeach()

# One after another: where the device can, these allocate matrices of more than 2^31 elements, of which several would
# leave no memory for the others.
foreach(name gemm rank_k spmm transpose triangular vector)
  set_tests_properties(${tilewright_tests}device.${name} PROPERTIES RESOURCE_LOCK device_memory)
endforeach()
