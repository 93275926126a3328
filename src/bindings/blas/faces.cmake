# The routines that the BLAS library takes, one per line: its name, its types (s d c z), and its arguments in Fortran's
# order. Each becomes a function in each form of name:
#   dgemm_        scipy_dgemm_            Fortran, 32-bit integers
#   dgemm_64_     scipy_dgemm_64_         Fortran, 64-bit integers
#   cblas_dgemm   scipy_cblas_dgemm       CBLAS, 32-bit integers; routines of BLAS only
#   cblas_dgemm64_  scipy_cblas_dgemm64_  CBLAS, 64-bit integers; routines of BLAS only
# NumPy's wheels use the names that begin with scipy_. "gemmtr=gemmt": the function gemmtr is the routine gemmt.
set(tilewright_blas_routines
  "gemm sdcz trans_a trans_b m n k alpha a lda b ldb beta c ldc"
  "gemmt sdcz uplo trans_a trans_b n k alpha a lda b ldb beta c ldc"
  "gemmtr=gemmt sdcz uplo trans_a trans_b n k alpha a lda b ldb beta c ldc"
  "symm sdcz side uplo m n alpha a lda b ldb beta c ldc"
  "hemm cz side uplo m n alpha a lda b ldb beta c ldc"
  "syrk sdcz uplo trans_a n k alpha a lda beta c ldc"
  "herk cz uplo trans_a n k real_alpha a lda real_beta c ldc"
  "syr2k sdcz uplo trans_a n k alpha a lda b ldb beta c ldc"
  "her2k cz uplo trans_a n k alpha a lda b ldb real_beta c ldc"
  "trmm sdcz side uplo trans_a diag m n alpha a lda b ldb"
  "trsm sdcz side uplo trans_a diag m n alpha a lda b ldb")
set(tilewright_lapack_routines
  "getrf sdcz m n a lda pivots info"
  "getrs sdcz trans_a n nrhs a lda pivots b ldb info"
  "gesv sdcz n nrhs a lda pivots b ldb info"
  "potrf sdcz uplo n a lda info"
  "potrs sdcz uplo n nrhs a lda b ldb info"
  "posv sdcz uplo n nrhs a lda b ldb info"
  "geqrf sdcz m n a lda tau work lwork info"
  "ormqr sd side trans_a m n k a lda tau c ldc work lwork info"
  "unmqr=ormqr cz side trans_a m n k a lda tau c ldc work lwork info"
  "gels sdcz trans_a m n nrhs a lda b ldb work lwork info")

set(tilewright_letters side uplo trans_a trans_b diag) # a character in Fortran, an enumerator in CBLAS
set(tilewright_integers m n k nrhs lda ldb ldc)

# Appends to `faces` the functions of one routine, type and width of integers in one language.
function(tilewright_add_face language routine operation letter integer suffix)
  set(element_s float)
  set(element_d double)
  set(element_c "std::complex<float>")
  set(element_z "std::complex<double>")
  set(real_s float)
  set(real_d double)
  set(real_c float)
  set(real_z double)
  set(type_s f32)
  set(type_d f64)
  set(type_c c64)
  set(type_z c128)
  set(parameters "")
  set(names "")
  set(values "")
  set(lengths "")
  set(length_names "")
  set(passed "") # to the host's function: `values` may have changed
  set(number 0)
  foreach(argument IN LISTS ARGN)
    set(by_value "")
    if(language STREQUAL cblas)
      if(argument IN_LIST tilewright_letters OR argument STREQUAL layout)
        set(by_value int)
      elseif(argument IN_LIST tilewright_integers)
        set(by_value std::int64_t) # also if integers have 32 bits, see read_size() in read_call.cpp
      elseif(argument MATCHES "^real_" OR (argument MATCHES "^(alpha|beta)$" AND letter MATCHES "[sd]"))
        set(by_value ${real_${letter}})
      endif()
    elseif(argument IN_LIST tilewright_letters)
      list(APPEND lengths "std::size_t length_${argument}")
      list(APPEND length_names length_${argument})
    endif()
    if(by_value)
      list(APPEND parameters "${by_value} ${argument}")
      list(APPEND values "&${argument}")
      list(APPEND passed ${argument})
    else()
      list(APPEND parameters "void* ${argument}")
      list(APPEND values ${argument})
      list(APPEND passed "const_cast<void*>(values[${number}])")
    endif()
    math(EXPR number "${number} + 1")
    list(APPEND names ${argument})
  endforeach()
  if(language STREQUAL cblas)
    set(name cblas_${letter}${routine}${suffix})
  else()
    set(name ${letter}${routine}_${suffix})
  endif()
  if(integer STREQUAL "std::int64_t")
    set(is_wide true)
  else()
    set(is_wide false)
  endif()
  list(JOIN names ", Argument::" kinds)
  list(JOIN values ", " values)
  list(APPEND parameters ${lengths})
  list(JOIN parameters ", " parameters)
  list(APPEND passed ${length_names})
  list(JOIN passed ", " passed)
  # Each name has its own Face, because the host may define both in different libraries.
  set(other scipy_${name})
  foreach(exported IN ITEMS ${name} scipy_${name})
    string(CONCAT face
      "TILEWRIGHT_FACE void ${exported}(${parameters}) {\n"
      "  static constexpr Argument arguments[]{Argument::${kinds}};\n"
      "  static constinit Face face{\"${exported}\", \"${other}\", Routine::${operation}, "
      "DataType::${type_${letter}}, Language::${language}, ${is_wide}, arguments};\n"
      "  const void* values[]{${values}};\n"
      "  HostTurn turn;\n"
      "  if (tilewright_blas_compute(&face, values, &turn)) return;\n"
      "  do\n"
      "    reinterpret_cast<decltype(&${exported})>(turn.function)(${passed});\n"
      "  while (turn.rest != nullptr && tilewright_blas_next(&face, values, &turn));\n"
      "  if (turn.is_counted) tilewright_blas_finish(&turn);\n"
      "}\n\n")
    string(APPEND faces "${face}")
    string(APPEND symbols "    ${exported};\n")
    set(other ${name})
  endforeach()
  set(faces "${faces}" PARENT_SCOPE)
  set(symbols "${symbols}" PARENT_SCOPE)
endfunction()

# tilewright_generate_faces(SOURCE SYMBOLS LANGUAGES ROUTINES...): generates the file SOURCE with the functions of the
# routines, and sets the variable SYMBOLS to their names as lines of a version script.
function(tilewright_generate_faces source symbols_variable languages)
  set(faces "// Generated by src/bindings/blas/faces.cmake.\n#include \"bindings/blas/face.hpp\"\n\n")
  string(APPEND faces
    "using namespace tilewright;\nusing namespace tilewright::blas;\n\n"
    "// Tells this library from the host's.\n"
    "TILEWRIGHT_FACE __attribute__((weak)) void tilewright_blas_library() {}\n\n")
  set(symbols "")
  foreach(line IN LISTS ARGN)
    string(REPLACE " " ";" arguments "${line}")
    list(POP_FRONT arguments name types)
    string(REGEX REPLACE "=.*" "" routine "${name}")
    string(REGEX REPLACE ".*=" "" operation "${name}")
    string(REGEX MATCHALL "." letters "${types}")
    foreach(letter IN LISTS letters)
      tilewright_add_face(fortran ${routine} ${operation} ${letter} std::int32_t "" ${arguments})
      tilewright_add_face(fortran ${routine} ${operation} ${letter} std::int64_t 64_ ${arguments})
      if("cblas" IN_LIST languages)
        tilewright_add_face(cblas ${routine} ${operation} ${letter} std::int32_t "" layout ${arguments})
        tilewright_add_face(cblas ${routine} ${operation} ${letter} std::int64_t 64_ layout ${arguments})
      endif()
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${source} CONTENT "${faces}" @ONLY)
  set(${symbols_variable} "${symbols}" PARENT_SCOPE)
endfunction()
