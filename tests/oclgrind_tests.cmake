# Tests on Oclgrind, which finds races between work-items and uninitialised reads.
if(TILEWRIGHT_OCLGRIND_ICD AND NOT TILEWRIGHT_SANITIZE)
  # tilewright_add_oclgrind_test(NAME VARIANTS UNINITIALIZED [SUITES]): runs test suites on Oclgrind. Multi-threaded
  # suites run on PoCL only: Oclgrind's clCreateBuffer() is not thread-safe, and its events have races of their own.
  function(tilewright_add_oclgrind_test name variants uninitialized)
    set(suites "conformance,special?cases,wide?indices,spmm?conformance,transpose?conformance")
    if(ARGN)
      set(suites ${ARGN})
    endif()
    tilewright_add_test(${name} ${CMAKE_COMMAND}
      -D PROGRAM=$<TARGET_FILE:tilewright_device_tests> -D ICD=${TILEWRIGHT_OCLGRIND_ICD}
      -D LOG=${CMAKE_CURRENT_BINARY_DIR}/${name}.log -D VARIANTS=${variants} -D UNINITIALIZED=${uninitialized}
      "-DARGUMENTS=--test-suite=${suites}"
      -P ${CMAKE_CURRENT_SOURCE_DIR}/oclgrind.cmake)
    # Other types differ only in loads and stores.
    set_tests_properties(${tilewright_tests}${name} PROPERTIES
      LABELS oclgrind ENVIRONMENT "${nothing_kept};TILEWRIGHT_TEST_TYPES=f32,i8")
  endfunction()
  # Oclgrind 21.10 reports every texel as uninitialised, even if the host filled the image. The check is therefore used
  # for buffers only.
  # Two tests, so that they run at the same time.
  set(half packed_panel,dot_block,group_reduction,local_tile)
  tilewright_add_oclgrind_test(oclgrind.buffers -texel_blocked,register_blocked,dot4_blocked,local_column,${half} 1)
  tilewright_add_oclgrind_test(oclgrind.more_buffers ${half} 1)
  tilewright_add_oclgrind_test(oclgrind.local_column local_column 1)
  tilewright_add_oclgrind_test(oclgrind.register_blocked register_blocked 1)
  tilewright_add_oclgrind_test(oclgrind.dot4_blocked dot4_blocked 1)
  tilewright_add_oclgrind_test(oclgrind.images texel_blocked 0)
  # Each kernel of the other operations, once or twice. Oclgrind 21.10 forgets which elements are initialised when the
  # host writes a part of a buffer, as clEnqueueFillBuffer() does word by word; LU fills a part of its workspace. In a
  # new engine it also reports a workspace as uninitialised that a kernel has filled. The test "every element of packed
  # blocks is written" checks this on other devices.
  tilewright_add_oclgrind_test(oclgrind.operations naive 1 every?kernel)
  tilewright_add_oclgrind_test(oclgrind.lu naive 0 every?kernel?of?lu,every?kernel?at?extremes)
  # Start the longest tests first.
  set_tests_properties(${tilewright_tests}oclgrind.buffers ${tilewright_tests}oclgrind.more_buffers
    ${tilewright_tests}oclgrind.register_blocked PROPERTIES COST 300)
  set_tests_properties(${tilewright_tests}oclgrind.local_column ${tilewright_tests}oclgrind.dot4_blocked
    PROPERTIES COST 150)
else()
  message(STATUS "Tests on Oclgrind are disabled: Oclgrind is not installed, or sanitizers are on")
endif()
