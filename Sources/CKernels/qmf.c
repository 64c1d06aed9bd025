// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

// The transform of the filter bank works on a block of 4 or 8 slots side by side, so that what stands between its
// steps stays in the nearest cache. The operations on each slot don't depend on the width of its block.

enum { WINDOWS = 5, WIDEST = 8 };

// Real and imaginary parts of SG_BANDS rows, a block wide.
typedef struct {
  float real[SG_BANDS * WIDEST], imaginary[SG_BANDS * WIDEST];
} block;

// The inverse FFTs (e^+jwn) of the columns of `from`: forward ones with the two parts exchanged. The passes leave
// their output in the other block each time, so the third ends in `to`.
INLINE void invert(block *from, block *to, const sg_turns *turns, size_t width) {
  sg_pass there = {from->imaginary,   from->real,       to->imaginary, to->real,
                   turns->fft_cosines, turns->fft_sines};
  run(&there, 4, SG_BANDS / 4, width);
  sg_pass back = {to->imaginary,           to->real,             from->imaginary, from->real,
                  turns->fft_cosines + 48, turns->fft_sines + 48};
  run(&back, 4, SG_BANDS / 16, 4 * width);
  there.cosines += 60;
  there.sines += 60;
  run(&there, 4, 1, 16 * width);
}

// Values of `count` slots of a row, or of `part` where the block is wider.
INLINE const float *whole(const float *row, size_t count, size_t width, float *part) {
  if (count >= width) return row;
  for (size_t slot = 0; slot < width; slot++) part[slot] = slot < count ? row[slot] : 0;
  return part;
}

#define WINDOW(V) \
  V low = {0}, high = {0}; \
  for (int window = 0; window < WINDOWS; window++) { \
    low += GET(V, row - 2 * window) * taps[128 * window]; \
    high += GET(V, row - 2 * window - 1) * taps[128 * window + 64]; \
  } \
  PUT(V, re, low * cosine - high * sine); \
  PUT(V, im, low * sine + high * cosine)

INLINE void window_block(
    sg_rows input, size_t slot, const float *prototype, const sg_turns *turns, block *to,
    size_t width) {
  for (size_t place = 0; place < SG_BANDS; place++) {
    const float *row = input.base + (SG_BANDS - 1 - place) * input.stride + slot;
    const float *taps = prototype + place;
    const float cosine = turns->place_cosines[place], sine = turns->place_sines[place];
    float *re = to->real + place * width, *im = to->imaginary + place * width;
    if (width == 8) {
      WINDOW(loose8);
    } else {
      WINDOW(loose4);
    }
  }
}

// A row of the transform times a twiddle. Its imaginary parts are multiplied by `before` (1 or -1) first, and those
// of the products by `after`.
#define TURN(V, from_re, from_im, cosine, sine, before, after, to_re, to_im) \
  do { \
    V x = GET(V, from_re), y = GET(V, from_im); \
    PUT(V, to_re, x * (cosine) - y * ((before) * (sine))); \
    PUT(V, to_im, (after) * (x * (sine) + y * ((before) * (cosine)))); \
  } while (0)

INLINE void turn(
    const float *re, const float *im, float cosine, float sine, float before, float after,
    float *to_re, float *to_im, size_t width) {
  if (width == 8)
    TURN(loose8, re, im, cosine, sine, before, after, to_re, to_im);
  else
    TURN(loose4, re, im, cosine, sine, before, after, to_re, to_im);
}

// Writes a subband of `count` slots from a row of the transform, conjugated when `sign` is -1.
INLINE void write_band(
    const block *from, size_t row, size_t band, float sign, const sg_turns *turns, float *re,
    float *im, size_t count, size_t width) {
  float part_re[WIDEST], part_im[WIDEST];
  const int fits = count >= width;
  turn(
      from->real + row * width, from->imaginary + row * width, turns->band_cosines[band],
      turns->band_sines[band], sign, 1, fits ? re : part_re, fits ? im : part_im, width);
  if (fits) return;
  for (size_t slot = 0; slot < count; slot++) {
    re[slot] = part_re[slot];
    im[slot] = part_im[slot];
  }
}

INLINE void analyse_block(
    sg_rows input, size_t slot, size_t count, const float *prototype, const sg_turns *turns,
    sg_rows real, sg_rows imaginary, size_t width) {
  block first, second;
  window_block(input, slot, prototype, turns, &first, width);
  invert(&first, &second, turns, width);
  for (size_t place = 0; place < SG_BANDS / 2; place++) {
    const size_t even = 2 * place, odd = even + 1;
    write_band(
        &second, place, even, 1, turns, real.base + even * real.stride + slot,
        imaginary.base + even * imaginary.stride + slot, count, width);
    write_band(
        &second, SG_BANDS - 1 - place, odd, -1, turns, real.base + odd * real.stride + slot,
        imaginary.base + odd * imaginary.stride + slot, count, width);
  }
}

// Writes a subband into a row of the transform, conjugated behind its twiddle when `sign` is -1.
INLINE void read_band(
    sg_band band, size_t index, size_t slot, size_t count, float sign, const sg_turns *turns,
    block *to, size_t row, size_t width) {
  float *re = to->real + row * width, *im = to->imaginary + row * width;
  if (!band.real) {
    for (size_t lane = 0; lane < width; lane++) re[lane] = im[lane] = 0;
    return;
  }
  float part_re[WIDEST], part_im[WIDEST];
  turn(
      whole(band.real + slot, count, width, part_re),
      whole(band.imaginary + slot, count, width, part_im), turns->band_cosines[index],
      turns->band_sines[index], 1, sign, re, im, width);
}

INLINE void synthesise_block(
    const sg_band *bands, size_t slot, size_t count, const sg_turns *turns, sg_rows low,
    sg_rows high, size_t width) {
  block first, second;
  for (size_t place = 0; place < SG_BANDS / 2; place++) {
    const size_t even = 2 * place, odd = even + 1;
    read_band(bands[even], even, slot, count, 1, turns, &first, place, width);
    read_band(bands[odd], odd, slot, count, -1, turns, &first, SG_BANDS - 1 - place, width);
  }
  invert(&first, &second, turns, width);
  for (size_t place = 0; place < SG_BANDS; place++)
    turn(
        second.real + place * width, second.imaginary + place * width,
        turns->place_cosines[place], turns->place_sines[place], 1, -1,
        low.base + place * low.stride + slot, high.base + place * high.stride + slot, width);
}

INLINE void analyse(
    sg_rows input, size_t slots, const float *prototype, const sg_turns *turns, sg_rows real,
    sg_rows imaginary) {
  size_t slot = 0;
  for (; slot + 4 < slots; slot += 8)
    analyse_block(input, slot, slots - slot, prototype, turns, real, imaginary, 8);
  if (slot < slots)
    analyse_block(input, slot, slots - slot, prototype, turns, real, imaginary, 4);
}

INLINE void synthesise(
    const sg_band *bands, size_t slots, const sg_turns *turns, sg_rows low, sg_rows high) {
  size_t slot = 0;
  for (; slot + 4 < slots; slot += 8)
    synthesise_block(bands, slot, slots - slot, turns, low, high, 8);
  if (slot < slots) synthesise_block(bands, slot, slots - slot, turns, low, high, 4);
}

KERNEL(void, sg_analyse, (
    sg_rows input, size_t slots, const float *prototype, const sg_turns *turns, sg_rows real,
    sg_rows imaginary),
  analyse(input, slots, prototype, turns, real, imaginary))

KERNEL(void, sg_synthesise, (
    const sg_band *bands, size_t slots, const sg_turns *turns, sg_rows low, sg_rows high),
  synthesise(bands, slots, turns, low, high))
