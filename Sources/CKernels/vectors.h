// SPDX-License-Identifier: Apache-2.0

// Loops of transforms and filter banks have this in common.
#ifndef VECTORS_H
#define VECTORS_H

#include "include/transforms.h"
#include "kernel.h"

// Vectors at any address.
typedef float loose4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef float loose8 __attribute__((vector_size(32), aligned(4), may_alias));

#define GET(V, from) (*(const V *)(from))
#define PUT(V, to, value) (*(V *)(to) = (value))

// Exchanges rows and columns of four vectors of four.
#define TRANSPOSE(a, b, c, d) \
  do { \
    loose4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5); \
    loose4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7); \
    loose4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5); \
    loose4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7); \
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5); \
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7); \
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5); \
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7); \
  } while (0)

#endif
