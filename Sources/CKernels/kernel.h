// SPDX-License-Identifier: Apache-2.0

// How every loop of this target is compiled.
#ifndef KERNEL_H
#define KERNEL_H

// A header of the C library has to come first: it says whether that library is glibc.
#include <stdint.h>
#include <string.h>

#pragma clang fp contract(off)

// One copy of each loop for any x86-64 and one for those with AVX2, chosen when the program is
// loaded; files that define WIDE have one for AVX-512, too. All do the same operations on each lane
// in the same order. Elsewhere the compiler's baseline already is what the machine has.
// They begin at a cache line, so that a loop takes the same time wherever the linker puts it: 32 bytes
// beyond one, ck_gain_peaks took a tenth more.
// The thread sanitizer isn't ready yet when the copies are chosen.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer)
#ifdef WIDE
#define CLONED __attribute__((aligned(64), target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define CLONED __attribute__((aligned(64), target_clones("default", "avx2")))
#endif
#else
#define CLONED
#endif

#define INLINE static inline __attribute__((always_inline))

// Defines the function `name` that makes `call`, with its clones, and its twin for the oldest machine.
#define KERNEL(type, name, parameters, call) \
  CLONED type name parameters { return call; } \
  type name##_baseline parameters { return call; }

// Vectors are handled in macros, not passed to functions: how a 32-byte vector is passed depends on
// the machine that the function is compiled for.
typedef float float8 __attribute__((vector_size(32)));
typedef double double8 __attribute__((vector_size(64)));
typedef int32_t int8 __attribute__((vector_size(32)));
typedef float float16 __attribute__((vector_size(64)));

#define LOAD_16(p) (*(const float16 *)(p))
#define STORE_16(p, v) (*(float16 *)(p) = (v))

#define LARGER(a, b) __builtin_elementwise_max(a, b)
#define LARGEST_LANE(vector) __builtin_reduce_max(vector)

#define MAGNITUDE 0x7FFFFFFF

INLINE int32_t bits_of(float value) {
  int32_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

#define LOAD_BITS(name, from) \
  int8 name; \
  memcpy(&name, from, sizeof(name))

// The bits of the largest magnitude. Without the sign bit, the bits of a float order like its magnitude,
// with infinity and NaN on top. Four chains of comparisons, because each waits for its own last result.
INLINE int32_t peak_bits(const float *samples, size_t count) {
  int8 best0 = {0}, best1 = {0}, best2 = {0}, best3 = {0};
  size_t index = 0;
  for (; index + 32 <= count; index += 32) {
    LOAD_BITS(x0, samples + index);
    LOAD_BITS(x1, samples + index + 8);
    LOAD_BITS(x2, samples + index + 16);
    LOAD_BITS(x3, samples + index + 24);
    best0 = LARGER(best0, x0 & MAGNITUDE);
    best1 = LARGER(best1, x1 & MAGNITUDE);
    best2 = LARGER(best2, x2 & MAGNITUDE);
    best3 = LARGER(best3, x3 & MAGNITUDE);
  }
  for (; index + 8 <= count; index += 8) {
    LOAD_BITS(x, samples + index);
    best0 = LARGER(best0, x & MAGNITUDE);
  }
  best0 = LARGER(LARGER(best0, best1), LARGER(best2, best3));
  int32_t largest = LARGEST_LANE(best0);
  for (; index < count; index++) {
    int32_t bits = bits_of(samples[index]) & MAGNITUDE;
    largest = bits > largest ? bits : largest;
  }
  return largest;
}

#endif
