// SPDX-License-Identifier: Apache-2.0

// Loops over samples: from planes of floats to what files and codecs hold, and back. Every function
// gives the same bits on every machine and for every cut of its input.
#ifndef CKERNELS_SAMPLES_H
#define CKERNELS_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

#include "twins.h"

/// How samples lie in memory: little-endian, one after the other, the channels of a frame together.
/// Integers are signed but for CS_U8; full scale is their range.
typedef enum { CS_U8, CS_S16, CS_S24, CS_S32, CS_S64, CS_F32, CS_F64 } cs_format;

/// The bits of the largest magnitude of `count` samples, as an integer; infinity and NaN are larger
/// than any number.
int32_t cs_peak_bits(const float *samples, size_t count);

/// Rounds `count` samples to multiples of 2^(1 - bits), ties to even, and clamps them to the range of
/// `bits` bits (2...24). NaN becomes 0. `from` and `to` may be the same.
///
/// Returns how many samples were more than half a step beyond that range.
CK_TWINS(size_t, cs_round, (
    const float *from, float *to, size_t count, int bits));

/// As `cs_round` for `count` frames of all channels, with triangular noise of 2 steps added before:
/// the sum of two uniform numbers from the generator whose state is `noise`, frame by frame.
///
/// Returns how many samples beyond full scale were clamped.
size_t cs_round_dithered(
    const float *const *from, float *const *to, size_t channels, size_t count, int bits,
    uint64_t *noise);

/// Whether `count` samples are what integers of `bits` bits (2...24) hold exactly.
int cs_fits(const float *samples, size_t count, int bits);

/// Writes frames `start` to `start + count - 1` of `planes` as CS_S16, CS_S24, CS_S32 or CS_F32.
///
/// Integers are exact for samples that `cs_round` has rounded to as many bits or fewer.
CK_TWINS(void, cs_pack, (
    const float *const *planes, size_t channels, size_t start, size_t count, cs_format format,
    void *to));

/// Reads `count` frames into `planes`. Integers of up to 24 bits convert exactly, larger ones and
/// CS_F64 are rounded to the nearest float.
CK_TWINS(void, cs_unpack, (
    const void *from, size_t channels, size_t count, cs_format format, float *const *planes));

#endif
