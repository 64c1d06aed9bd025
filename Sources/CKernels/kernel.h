// How the loops of this target are compiled.
#ifndef CCONVOLUTION_CLONES_H
#define CCONVOLUTION_CLONES_H

// A header of the C library has to come first: it says whether that library is glibc.
#include <math.h>

// One copy of each loop for any x86-64, one for those with AVX2 and one for those with AVX-512,
// chosen when the program is loaded. All do the same operations on each lane in the same order.
// Elsewhere the compiler's baseline already is what the machine has.
// The thread sanitizer isn't ready yet when the copies are chosen.
#if defined(__x86_64__) && defined(__ELF__) && defined(__GLIBC__) && !__has_feature(thread_sanitizer)
#define CLONED __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define CLONED
#endif

#define INLINE static inline __attribute__((always_inline))

typedef float float16 __attribute__((vector_size(64)));

#define LOAD_16(p) (*(const float16 *)(p))
#define STORE_16(p, v) (*(float16 *)(p) = (v))

#endif
