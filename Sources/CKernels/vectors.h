// What the loops of CSignal have in common.
#ifndef VECTORS_H
#define VECTORS_H

// Any header of the C library says which one it is.
#include <stddef.h>
#include <stdint.h>

#include "CSignal.h"

#pragma clang fp contract(off)

// One copy of each loop for any x86-64 and one for those with AVX2, chosen when the program is
// loaded. Both do the same operations on each lane in the same order. Elsewhere the compiler's
// baseline already is what the machine has.
// The thread sanitizer isn't ready yet when the copies are chosen.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer)
#define CLONED __attribute__((target_clones("default", "avx2")))
#else
#define CLONED
#endif

#define INLINE static inline __attribute__((always_inline))

// Vectors at any address. They are written out in macros, not passed to functions: how a 32-byte
// vector is passed depends on the machine the function is compiled for.
typedef float float4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float float8 __attribute__((vector_size(32), aligned(4), may_alias));

#define GET(V, from) (*(const V *)(from))
#define PUT(V, to, value) (*(V *)(to) = (value))

// Exchanges rows and columns of four vectors of four.
#define TRANSPOSE(a, b, c, d) \
  do { \
    float4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5); \
    float4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7); \
    float4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5); \
    float4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7); \
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5); \
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7); \
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5); \
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7); \
  } while (0)

#endif
