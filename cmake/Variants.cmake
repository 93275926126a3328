# The variants of each operation, one per line, from the simplest to the fastest. Variant x of an operation is the
# constant x of namespace detail::<operation>_variants, in src/<operation>/variants/x.cpp. Its kernels are in
# cl/<operation>/x.cl.

# tilewright_list_variants(OPERATION PROBLEM NAMES...): generates the source <OPERATION>_variants.cpp in the build folder.
# It defines Operation<PROBLEM>::variants().
function(tilewright_list_variants operation problem)
  foreach(name IN LISTS ARGN)
    foreach(file src/${operation}/variants/${name}.cpp cl/${operation}/${name}.cl)
      if(NOT EXISTS ${PROJECT_SOURCE_DIR}/${file})
        message(FATAL_ERROR "${file} does not exist, but cmake/Variants.cmake lists the variant '${name}' of ${operation}")
      endif()
    endforeach()
  endforeach()
  list(JOIN ARGN ", " names)
  list(TRANSFORM ARGN PREPEND &)
  list(JOIN ARGN ", " addresses)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/variants.cpp.in ${PROJECT_BINARY_DIR}/${operation}_variants.cpp @ONLY)
endfunction()

tilewright_list_variants(gemm GemmProblem
  naive
  row_per_item
  private_row
  local_column
  local_tile
  register_strip
  register_blocked
  texel_blocked
  packed_panel
  dot_block
  column_walk
  dot4_blocked
  group_reduction
  team_per_product
  tensor_f64
  tensor_core
  tensor_warpgroup
  async_tile)

tilewright_list_variants(spmm SpmmCore
  row_per_item
  lanes_per_row
  nnz_balanced
  row_blocks
  column_lanes
  chunk_per_item)

# The last ones work in place.
tilewright_list_variants(transpose TransposeProblem
  row_reads
  row_writes
  square_tile
  oblong_tile
  padded_tile
  vector_tile
  register_block
  row_copy
  swapped_tiles
  swapped_blocks
  decomposed
  through_workspace)
