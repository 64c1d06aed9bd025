// SPDX-License-Identifier: Apache-2.0
#include "vectors.h"

INLINE float product(const float *left, const float *right, size_t taps) {
  loose8 first = {0}, second = {0};
  for (size_t tap = 0; tap < taps; tap += 16) {
    first += GET(loose8, left + tap) * GET(loose8, right + tap);
    second += GET(loose8, left + tap + 8) * GET(loose8, right + tap + 8);
  }
  loose4 sums = (__builtin_shufflevector(first, first, 0, 1, 2, 3)
                 + __builtin_shufflevector(first, first, 4, 5, 6, 7))
      + (__builtin_shufflevector(second, second, 0, 1, 2, 3)
         + __builtin_shufflevector(second, second, 4, 5, 6, 7));
  return ((sums[0] + sums[1]) + sums[2]) + sums[3];
}

INLINE void convert(
    const float *filters, size_t up, size_t down, size_t phase, const float *input, size_t count,
    float *output) {
  const size_t whole = down / up, rest = down % up;
  for (size_t index = 0; index < count; index++) {
    output[index] = product(input, filters + phase * SG_CONVERTER_TAPS, SG_CONVERTER_TAPS);
    input += whole;
    phase += rest;
    if (phase >= up) {
      phase -= up;
      input++;
    }
  }
}

KERNEL(void, sg_convert, (
    const float *filters, size_t up, size_t down, size_t phase, const float *input, size_t count,
    float *output),
  convert(filters, up, down, phase, input, count, output))

INLINE void decimate(
    const float *filter, size_t taps, size_t factor, const float *input, size_t count,
    float *output) {
  for (size_t index = 0; index < count; index++)
    output[index] = product(input + index * factor, filter, taps);
}

KERNEL(void, sg_decimate, (
    const float *filter, size_t taps, size_t factor, const float *input, size_t count, float *output),
  decimate(filter, taps, factor, input, count, output))
