// SPDX-License-Identifier: Apache-2.0
#include "vectors.h"

// Slots before the frame's that the prototype's 640 taps reach back to, in steps of two.
enum { WINDOWS = 5 };

INLINE void gather(const float *samples, size_t slots, sg_rows rows) {
  size_t slot = 0;
  for (; slot + 4 <= slots; slot += 4)
    for (size_t place = 0; place < SG_BANDS; place += 4) {
      const float *from = samples + SG_BANDS * slot + place;
      float *to = rows.base + place * rows.stride + slot;
      loose4 a = GET(loose4, from), b = GET(loose4, from + SG_BANDS);
      loose4 c = GET(loose4, from + 2 * SG_BANDS), d = GET(loose4, from + 3 * SG_BANDS);
      TRANSPOSE(a, b, c, d);
      PUT(loose4, to, a);
      PUT(loose4, to + rows.stride, b);
      PUT(loose4, to + 2 * rows.stride, c);
      PUT(loose4, to + 3 * rows.stride, d);
    }
  for (; slot < slots; slot++)
    for (size_t place = 0; place < SG_BANDS; place++)
      rows.base[place * rows.stride + slot] = samples[SG_BANDS * slot + place];
}

// The sum at place `n` of a group.
#define SUM(V, name, n) \
  V name = {0}; \
  for (int window = 0; window < WINDOWS; window++) { \
    name += GET(V, lows + n * low.stride + slot - 2 * window) * taps[128 * window + n]; \
    name += GET(V, highs + n * high.stride + slot - 2 * window - 1) * taps[128 * window + 64 + n]; \
  } \
  name *= scale

// Writes what four places have of up to four slots.
#define PUT_SLOTS(a, b, c, d, first) \
  do { \
    loose4 w = a, x = b, y = c, z = d; \
    TRANSPOSE(w, x, y, z); \
    float *to = samples + SG_BANDS * (size_t)(first) + place; \
    PUT(loose4, to, w); \
    if ((first) + 1 < end) PUT(loose4, to + SG_BANDS, x); \
    if ((first) + 2 < end) PUT(loose4, to + 2 * SG_BANDS, y); \
    if ((first) + 3 < end) PUT(loose4, to + 3 * SG_BANDS, z); \
  } while (0)

#define LOWER(x) __builtin_shufflevector(x, x, 0, 1, 2, 3)
#define UPPER(x) __builtin_shufflevector(x, x, 4, 5, 6, 7)

INLINE void sum_slots(
    sg_rows low, sg_rows high, size_t slots, const float *prototype, float scale,
    float *restrict samples) {
  const ptrdiff_t end = (ptrdiff_t)slots;
  for (size_t place = 0; place < SG_BANDS; place += 4) {
    const float *lows = low.base + place * low.stride, *highs = high.base + place * high.stride;
    const float *taps = prototype + place;
    ptrdiff_t slot = 0;
    for (; slot + 8 <= end; slot += 8) {
      SUM(loose8, a, 0);
      SUM(loose8, b, 1);
      SUM(loose8, c, 2);
      SUM(loose8, d, 3);
      PUT_SLOTS(LOWER(a), LOWER(b), LOWER(c), LOWER(d), slot);
      PUT_SLOTS(UPPER(a), UPPER(b), UPPER(c), UPPER(d), slot + 4);
    }
    for (; slot < end; slot += 4) {
      SUM(loose4, a, 0);
      SUM(loose4, b, 1);
      SUM(loose4, c, 2);
      SUM(loose4, d, 3);
      PUT_SLOTS(a, b, c, d, slot);
    }
  }
}

// The squared magnitudes of four slots of a row.
#define SQUARES(row) \
  (GET(loose4, re + (row) * real.stride + slot) * GET(loose4, re + (row) * real.stride + slot) \
   + GET(loose4, im + (row) * imaginary.stride + slot) \
       * GET(loose4, im + (row) * imaginary.stride + slot))

// Each sum has one order, so four rows are summed side by side.
INLINE void sum_energies(
    sg_rows real, sg_rows imaginary, size_t first, size_t end, size_t slots,
    float *restrict energies) {
  size_t row = first;
  for (; row + 4 <= end; row += 4) {
    const float *re = real.base + row * real.stride, *im = imaginary.base + row * imaginary.stride;
    loose4 sums = {0};
    size_t slot = 0;
    for (; slot + 4 <= slots; slot += 4) {
      loose4 a = SQUARES(0), b = SQUARES(1), c = SQUARES(2), d = SQUARES(3);
      TRANSPOSE(a, b, c, d);
      sums = (((sums + a) + b) + c) + d;
    }
    for (; slot < slots; slot++)
      for (int lane = 0; lane < 4; lane++) {
        float x = re[lane * real.stride + slot], y = im[lane * imaginary.stride + slot];
        sums[lane] += x * x + y * y;
      }
    PUT(loose4, energies + row, sums);
  }
  for (; row < end; row++) {
    float sum = 0;
    for (size_t slot = 0; slot < slots; slot++) {
      float x = real.base[row * real.stride + slot];
      float y = imaginary.base[row * imaginary.stride + slot];
      sum += x * x + y * y;
    }
    energies[row] = sum;
  }
}

// A factor of 0 adds nothing.
INLINE void add_rows(
    sg_rows source, const float *values, const float *steps, size_t first, size_t end,
    sg_rows sums) {
  for (size_t row = 0; row < SG_BANDS; row++) {
    const float value = values[row], step = steps ? steps[row] : 0;
    const float *restrict from = source.base + row * source.stride + first;
    float *restrict to = sums.base + row * sums.stride + first;
    const size_t count = end - first;
    if (step != 0)
      for (size_t slot = 0; slot < count; slot++)
        to[slot] += (value + step * (float)(int32_t)(slot + 1)) * from[slot];
    else if (value != 0)
      for (size_t slot = 0; slot < count; slot++) to[slot] += value * from[slot];
  }
}

KERNEL(void, sg_add_rows, (
    sg_rows source, const float *values, const float *steps, size_t first, size_t end, sg_rows sums),
  add_rows(source, values, steps, first, end, sums))

void sg_advance_rows(sg_rows rows, size_t count, size_t slots, size_t history) {
  for (size_t row = 0; row < count; row++) {
    float *base = rows.base + row * rows.stride - history;
    const float *from = base + slots;
    size_t slot = 0;
    // In order of time, because a short frame's last slots and those before it overlap.
    for (; slot + 8 <= history; slot += 8) {
      loose8 values = GET(loose8, from + slot);
      PUT(loose8, base + slot, values);
    }
    for (; slot < history; slot++) base[slot] = from[slot];
  }
}

KERNEL(void, sg_energies, (
    sg_rows real, sg_rows imaginary, size_t first, size_t end, size_t slots, float *energies),
  sum_energies(real, imaginary, first, end, slots, energies))

KERNEL(void, sg_gather_slots, (
    const float *samples, size_t slots, sg_rows rows),
  gather(samples, slots, rows))

KERNEL(void, sg_sum_slots, (
    sg_rows low, sg_rows high, size_t slots, const float *prototype, float scale, float *samples),
  sum_slots(low, high, slots, prototype, scale, samples))
