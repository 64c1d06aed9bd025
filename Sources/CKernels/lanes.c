// SPDX-License-Identifier: Apache-2.0
#include "include/lanes.h"

#define WIDE
#include "kernel.h"

// Four at a time, so that lanes are read and written once for all of them.
INLINE void add_lanes(
    size_t count, size_t frames, const float *const *sources, const float *const *gains,
    float *lanes) {
  size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const float *a = sources[i], *b = sources[i + 1], *c = sources[i + 2], *d = sources[i + 3];
    float16 ga = LOAD_16(gains[i]), gb = LOAD_16(gains[i + 1]);
    float16 gc = LOAD_16(gains[i + 2]), gd = LOAD_16(gains[i + 3]);
    float *to = lanes;
    for (size_t n = 0; n < frames; n++, to += 16)
      STORE_16(to, LOAD_16(to) + ((ga * a[n] + gb * b[n]) + (gc * c[n] + gd * d[n])));
  }
  for (; i < count; i++) {
    const float *a = sources[i];
    float16 gain = LOAD_16(gains[i]);
    float *to = lanes;
    for (size_t n = 0; n < frames; n++, to += 16) STORE_16(to, LOAD_16(to) + gain * a[n]);
  }
}

INLINE void fade_lanes(size_t frames, const float *old, const float *fresh, float *lanes) {
  float step = 1 / (float)frames;
  for (size_t n = 0; n < frames; n++, old += 16, fresh += 16, lanes += 16) {
    float part = (float)n * step;
    STORE_16(lanes, LOAD_16(lanes) + (LOAD_16(old) * (1 - part) + LOAD_16(fresh) * part));
  }
}

INLINE void shelve_lanes(
    size_t frames, float pole, float low, float high, float *state, float *lanes) {
  float16 mean = LOAD_16(state);
  for (size_t n = 0; n < frames; n++, lanes += 16) {
    float16 sample = LOAD_16(lanes);
    mean = sample * (1 - pole) + mean * pole;
    STORE_16(lanes, sample * high + mean * (low - high));
  }
  STORE_16(state, mean);
}

KERNEL(void, cc_add_lanes, (
    size_t count, size_t frames, const float *const *sources, const float *const *gains,
    float *lanes),
  add_lanes(count, frames, sources, gains, lanes))

KERNEL(void, cc_fade_lanes, (
    size_t frames, const float *old, const float *fresh, float *lanes),
  fade_lanes(frames, old, fresh, lanes))

KERNEL(void, cc_shelve_lanes, (
    size_t frames, float pole, float low, float high, float *state, float *lanes),
  shelve_lanes(frames, pole, low, high, state, lanes))
