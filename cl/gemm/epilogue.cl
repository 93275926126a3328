// The fused epilogue: steps applied to an element v = alpha op(A) op(B) + beta C before it is rounded and stored:
//
//   v *= scale;  v += bias;  v = activation(v);  v += residual
//
// Integer sums are first converted to float (SUMS_TO_FLOAT). If C has 8-bit integers, v is finally rounded to the
// nearest integer, ties to even, and the zero point is added; NaN becomes the zero point.
//
// Precedes operands.cl, whose DEFINE_STORE_C applies it. Without an epilogue every macro is empty.
//   EPILOGUE_SCALE, EPILOGUE_BIAS  0: none   1: a number per row of C   2: per column
//   EPILOGUE_ACTIVATION            0: none   1: relu   2: gelu by erf   3: gelu by tanh   4: silu
//   EPILOGUE_RESIDUAL              1: adds a matrix of C's shape, with its own leading dimension
//   EPILOGUE_ZERO_POINT            1: C has 8-bit integers
//
//   EPILOGUE_ARGUMENTS        kernel arguments, after BATCH_ARGUMENTS
//   FIND_EPILOGUE(product)    declares `epilogue`, for one product of a batch, from these arguments
//   EPILOGUE_PARAMETERS       the last parameters of a function that stores to a `c`: the epilogue, and the row and
//                             column of C at which `c` points
//   EPILOGUE_AT(row, column)  the arguments for these parameters
#ifndef EPILOGUE_SCALE
#define EPILOGUE_SCALE 0
#endif
#ifndef EPILOGUE_BIAS
#define EPILOGUE_BIAS 0
#endif
#ifndef EPILOGUE_ACTIVATION
#define EPILOGUE_ACTIVATION 0
#endif
#ifndef EPILOGUE_RESIDUAL
#define EPILOGUE_RESIDUAL 0
#endif
#ifndef EPILOGUE_ZERO_POINT
#define EPILOGUE_ZERO_POINT 0
#endif

#if SUMS_TO_FLOAT
#define FINISHED(width) JOIN(float, width)
#define FINISHED_OF(width, sum) JOIN(convert_, JOIN(float, width))(JOIN(as_int, width)(sum))
#define convert_float1 convert_float
#define as_int1 as_int
#else
#define FINISHED(width) JOIN(accum_t, width)
#define FINISHED_OF(width, sum) sum
#endif

#define HAS_EPILOGUE \
  (EPILOGUE_SCALE || EPILOGUE_BIAS || EPILOGUE_ACTIVATION || EPILOGUE_RESIDUAL || EPILOGUE_ZERO_POINT)
#if HAS_EPILOGUE
typedef struct {
  __global const FINISHED(1)* scale;
  __global const FINISHED(1)* bias;
  __global const out_t* residual;
  index_t ldr;
  index_t zero_point;
} epilogue_t;

#if EPILOGUE_SCALE
#define SCALE_ARGUMENTS , __global const FINISHED(1)* restrict scale, const ulong scale_offset
#define SCALE_BEGIN (scale + scale_offset)
#else
#define SCALE_ARGUMENTS
#define SCALE_BEGIN 0
#endif
#if EPILOGUE_BIAS
#define BIAS_ARGUMENTS , __global const FINISHED(1)* restrict bias, const ulong bias_offset
#define BIAS_BEGIN (bias + bias_offset)
#else
#define BIAS_ARGUMENTS
#define BIAS_BEGIN 0
#endif
#if EPILOGUE_RESIDUAL && BATCH == 1
#define RESIDUAL_ARGUMENTS \
  , __global const out_t *restrict residual, const ulong residual_offset, const index_t ldr, const ulong residual_stride
#define RESIDUAL_BEGIN(product) (residual + residual_offset + residual_stride * (ulong)(product)), ldr
#elif EPILOGUE_RESIDUAL
#define RESIDUAL_ARGUMENTS , __global const out_t *restrict residual, const ulong residual_offset, const index_t ldr
#define RESIDUAL_BEGIN(product) (residual + residual_offset + BATCH_C(product)), ldr
#else
#define RESIDUAL_ARGUMENTS
#define RESIDUAL_BEGIN(product) 0, 0
#endif

#if EPILOGUE_ZERO_POINT
#define ZERO_POINT_ARGUMENT , const index_t zero_point
#define ZERO_POINT zero_point
#else
#define ZERO_POINT_ARGUMENT
#define ZERO_POINT 0
#endif

#define EPILOGUE_ARGUMENTS SCALE_ARGUMENTS BIAS_ARGUMENTS RESIDUAL_ARGUMENTS ZERO_POINT_ARGUMENT
#define FIND_EPILOGUE(product) \
  const epilogue_t epilogue = {SCALE_BEGIN, BIAS_BEGIN, RESIDUAL_BEGIN(product), ZERO_POINT};
#define EPILOGUE_PARAMETERS , epilogue_t epilogue, index_t c_row, index_t c_column
#define EPILOGUE_AT(row, column) , epilogue, row, column

// Scales or biases of adjacent columns. NVIDIA's compiler splits vload into single loads.
#if ALIGNED_BUFFERS
#define DEFINE_NUMBERS(width)                                                                 \
  INLINE FINISHED(width) numbers_##width(__global const FINISHED(1)* from) {                  \
    const bool is_aligned = ((size_t)from & (sizeof(FINISHED(width)) - 1)) == 0;              \
    return is_aligned ? *(__global const FINISHED(width)*)from : LOAD_UNALIGNED(width, from); \
  }
#else
#define DEFINE_NUMBERS(width) \
  INLINE FINISHED(width) numbers_##width(__global const FINISHED(1)* from) { return LOAD_UNALIGNED(width, from); }
#endif
DEFINE_NUMBERS(1)
DEFINE_NUMBERS(2)
DEFINE_NUMBERS(4)
DEFINE_NUMBERS(8)
DEFINE_NUMBERS(16)

// The steps. Each is a statement that changes v, a vector of `width` elements of row `row` from column `column` on.
#if EPILOGUE_SCALE == 1
#define SCALE(width) v *= (FINISHED(width))(epilogue.scale[row]);
#elif EPILOGUE_SCALE == 2
#define SCALE(width) v *= JOIN(numbers_, width)(epilogue.scale + column);
#else
#define SCALE(width)
#endif
#if EPILOGUE_BIAS == 1
#define ADD_BIAS(width) v += (FINISHED(width))(epilogue.bias[row]);
#elif EPILOGUE_BIAS == 2
#define ADD_BIAS(width) v += JOIN(numbers_, width)(epilogue.bias + column);
#else
#define ADD_BIAS(width)
#endif

#if ACCUM_BITS == 64
#define ACCUM_LITERAL(digits) digits
#else
#define ACCUM_LITERAL(digits) digits##f
#endif

// EXP2(width, x) and DIVIDED(width, x, y), to 3 units in the last place. For a whole range of numbers, with subnormal
// ones, NVIDIA's compiler needs 4 and 8 instructions. Here 1 and 2 do, because a share may lose subnormal numbers.
#if defined(__NV_CL_C_VERSION) && ACCUM_BITS == 32
#define DEFINE_APPROXIMATION(name, instruction, width)                                            \
  INLINE JOIN(float, width) JOIN(name, width)(JOIN(float, width) x) {                             \
    FOR_UNROLLED (int i = 0; i < width; ++i) asm(instruction " %0, %0;" : "+f"(((float*)&x)[i])); \
    return x;                                                                                     \
  }
#define DEFINE_APPROXIMATIONS(width)                               \
  DEFINE_APPROXIMATION(power_of_two_, "ex2.approx.ftz.f32", width) \
  DEFINE_APPROXIMATION(reciprocal_of_, "rcp.approx.ftz.f32", width)
DEFINE_APPROXIMATIONS(1)
DEFINE_APPROXIMATIONS(2)
DEFINE_APPROXIMATIONS(4)
DEFINE_APPROXIMATIONS(8)
DEFINE_APPROXIMATIONS(16)
#define EXP2(width, x) JOIN(power_of_two_, width)(x)
#define DIVIDED(width, x, y) ((x)*JOIN(reciprocal_of_, width)(y))
#else
#define EXP2(width, x) exp2(x)
#define DIVIDED(width, x, y) ((x) / (y))
#endif

// All activations but ReLU are v times a share between 0 and 1. The share is computed without subtracting nearly equal
// numbers, so it keeps its relative accuracy for large negative v. Below -1024 it is 0 in either type, and v is taken
// for -1024, because -infinity times 0 would be NaN. Comparisons with NaN are false, which keeps NaN.
//   gelu       the normal distribution of v. In double: erfc(-v / sqrt(2)) / 2. In float, where erfc takes 100
//              instructions: exp(-v^2 / 2) Q(t) for -|v|, where t = 1 / (1 + 0.325 |v|) and the fit Q errs by 7e-7
//   gelu_tanh  (1 + tanh(u)) / 2 = logistic(2 u), where u = sqrt(2 / pi) (v + 0.044715 v^3)
//   silu       logistic(v), where logistic(x) = 1 / (1 + exp(-x))
#define LOG2_E ACCUM_LITERAL(1.44269504088896340736)
#define NO_LESS_THAN(width, low) v = v < (FINISHED(width))(low) ? (FINISHED(width))(low) : v;
#if EPILOGUE_ACTIVATION == 1
#define ACTIVATE(width) v = v <= (FINISHED(width))(0) ? (FINISHED(width))(0) : v;
#elif EPILOGUE_ACTIVATION == 2 && ACCUM_BITS == 64
#define ACTIVATE(width)      \
  NO_LESS_THAN(width, -1024) \
  v *= 0.5 * erfc(-0.70710678118654752440 * v);
#elif EPILOGUE_ACTIVATION == 2
// v times its share is max(v, 0) minus |v| times the share of -|v|. NaN has the size 1024, whose share is 0.
#define ACTIVATE(width)                                                                                               \
  const FINISHED(width) size = fmin(fabs(v), (FINISHED(width))(1024));                                                \
  const FINISHED(width) t = DIVIDED(width, (FINISHED(width))(1), 0.325f * size + 1);                                  \
  const FINISHED(width) low = (size * (-0.5f * LOG2_E)) * size;                                                       \
  const FINISHED(width) q =                                                                                           \
      t * (t * (t * (t * (t * (t * (t * (t * 3.389002078e-2f - 0.1137631830f) + 8.562843042e-2f) + 2.583525193e-2f) + \
                          9.358957308e-2f) +                                                                          \
                     0.1154910490f) +                                                                                 \
                0.1296730576f) +                                                                                      \
           0.1296561321f);                                                                                            \
  NO_LESS_THAN(width, 0)                                                                                              \
  v -= size * (EXP2(width, low) * q);
#elif EPILOGUE_ACTIVATION == 3
#define LOGISTIC_OF ((v * v * ACCUM_LITERAL(0.044715) + 1) * v * ACCUM_LITERAL(1.59576912160573071176))
#elif EPILOGUE_ACTIVATION == 4
#define LOGISTIC_OF v
#else
#define ACTIVATE(width)
#endif
#ifdef LOGISTIC_OF
#define ACTIVATE(width)      \
  NO_LESS_THAN(width, -1024) \
  v = DIVIDED(width, v, EXP2(width, LOGISTIC_OF * -LOG2_E) + 1);
#endif

#if EPILOGUE_ZERO_POINT
#define ADD_ZERO_POINT(width)                                            \
  v = v == v ? clamp(rint(v), -0x1p20f, 0x1p20f) : (FINISHED(width))(0); \
  v += (FINISHED(width))((float)epilogue.zero_point);
#else
#define ADD_ZERO_POINT(width)
#endif

#define DEFINE_FINISHED(width)                                                                                   \
  INLINE FINISHED(width) finished_##width(FINISHED(width) v, epilogue_t epilogue, index_t row, index_t column) { \
    SCALE(width)                                                                                                 \
    ADD_BIAS(width)                                                                                              \
    ACTIVATE(width)                                                                                              \
    ADD_ZERO_POINT(width)                                                                                        \
    return v;                                                                                                    \
  }
DEFINE_FINISHED(1)
DEFINE_FINISHED(2)
DEFINE_FINISHED(4)
DEFINE_FINISHED(8)
DEFINE_FINISHED(16)

// For functions with EPILOGUE_PARAMETERS: declares `result`, the value of `sum` after the epilogue, a vector to store
// to c. `load` reads the residual like C: if rows of C are whole aligned vectors, its rows are, too.
#define FINISH_SUM(width) \
  FINISHED(width) result = JOIN(finished_, width)(FINISHED_OF(width, sum), epilogue, c_row, c_column);
#if EPILOGUE_RESIDUAL
#define FINISH(width, load) \
  FINISH_SUM(width)         \
  result += load(width, epilogue.residual + (c_row * epilogue.ldr + c_column));
#else
#define FINISH(width, load) FINISH_SUM(width)
#endif

#else
#define EPILOGUE_ARGUMENTS
#define FIND_EPILOGUE(product)
#define EPILOGUE_PARAMETERS
#define EPILOGUE_AT(row, column)
#define FINISH(width, load) const FINISHED(width) result = FINISHED_OF(width, sum);
#endif
