// SPDX-License-Identifier: Apache-2.0
#include "include/convolution.h"

#include <math.h>

#define WIDE
#include "kernel.h"

typedef int int16 __attribute__((vector_size(64)));

#define LOAD(p) (*(const VECTOR *)(p))
#define STORE(p, v) (*(VECTOR *)(p) = (v))

// A transform of N = 8 M points: lane l of a vector holds the samples 8 n + l, so that eight
// transforms of M points run side by side, by decimation in frequency, radix 4 and a last radix 2
// where M asks for it. Their bins come out in an order of their own; the last step reads them in
// ascending order, eight at a time, turns them by their twiddles and joins the lanes by a radix 8.
//
// The table: for each block length of a radix-4 step with twiddles, from M down, W^j, W^2j and W^3j
// as six floats for each j; then, for each eight bins k of M, the twiddles W_N^lk of lanes l = 1 to
// 7, eight real and eight imaginary parts each; then, for each bin k of M, where it lies.

#define TAU 6.28318530717958647692

// Radix-4 steps of blocks longer than this have twiddles.
enum { LAST_BLOCK = 4 };

// Planes whose distance is a multiple of 4096 bytes would fight for the same lines of the cache.
enum { PLANE_GAP = 32 };

// Numbers in the tables of the radix-4 steps.
static size_t step_size(size_t points) {
  size_t numbers = 0;
  for (size_t block = points; block > LAST_BLOCK; block /= 4) numbers += 6 * (block / 4);
  return numbers;
}

// Numbers before the twiddles of the lanes, which lie on a boundary of 16.
static size_t step_space(size_t points) { return (step_size(points) + 15) / 16 * 16; }

// Notes where the steps leave bins `bin`, `bin` + `stride`, ... of the block that begins at vector
// `first`, in floats.
static void place_bins(
    unsigned *places, size_t block, size_t first, size_t bin, size_t stride) {
  if (block == 1) {
    places[bin] = (unsigned)(8 * first);
    return;
  }
  size_t radix = block == 2 ? 2 : 4;
  for (size_t digit = 0; digit < radix; digit++)
    place_bins(
        places, block / radix, first + digit * (block / radix), bin + digit * stride,
        stride * radix);
}

// The body of a radix-4 step over a block of `block` vectors, input read by READ.
#define RADIX_4(READ) \
  size_t quarter = 8 * (block / 4); \
  for (size_t j = 0; j < quarter; j += 8, twiddles += 6) { \
    VECTOR ar = READ(re + j), ai = READ(im + j); \
    VECTOR br = READ(re + quarter + j), bi = READ(im + quarter + j); \
    VECTOR cr = READ(re + 2 * quarter + j), ci = READ(im + 2 * quarter + j); \
    VECTOR dr = READ(re + 3 * quarter + j), di = READ(im + 3 * quarter + j); \
    VECTOR sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci; \
    VECTOR ur = br + dr, ui = bi + di, vr = br - dr, vi = bi - di; \
    STORE(out_re + j, sr + ur); \
    STORE(out_im + j, si + ui); \
    VECTOR xr = tr + vi, xi = ti - vr; \
    STORE(out_re + quarter + j, xr * twiddles[0] - xi * twiddles[1]); \
    STORE(out_im + quarter + j, xr * twiddles[1] + xi * twiddles[0]); \
    VECTOR yr = sr - ur, yi = si - ui; \
    STORE(out_re + 2 * quarter + j, yr * twiddles[2] - yi * twiddles[3]); \
    STORE(out_im + 2 * quarter + j, yr * twiddles[3] + yi * twiddles[2]); \
    VECTOR zr = tr - vi, zi = ti + vr; \
    STORE(out_re + 3 * quarter + j, zr * twiddles[4] - zi * twiddles[5]); \
    STORE(out_im + 3 * quarter + j, zr * twiddles[5] + zi * twiddles[4]); \
  }

#define SHUFFLE __builtin_shufflevector
#define LOW(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#define EVEN(a, b) SHUFFLE(a, b, 0, 1, 8, 9, 4, 5, 12, 13)
#define ODD(a, b) SHUFFLE(a, b, 2, 3, 10, 11, 6, 7, 14, 15)
#define FRONT(a, b) SHUFFLE(a, b, 0, 1, 2, 3, 8, 9, 10, 11)
#define BACK(a, b) SHUFFLE(a, b, 4, 5, 6, 7, 12, 13, 14, 15)

// Vectors p0 to p7 of eight bins become n0 to n7 of eight lanes.
#define TRANSPOSE(n, plane) \
  VECTOR n##0, n##1, n##2, n##3, n##4, n##5, n##6, n##7; \
  do { \
    VECTOR a = LOAD(plane + p[0]), b = LOAD(plane + p[1]); \
    VECTOR c = LOAD(plane + p[2]), d = LOAD(plane + p[3]); \
    VECTOR e = LOAD(plane + p[4]), f = LOAD(plane + p[5]); \
    VECTOR g = LOAD(plane + p[6]), h = LOAD(plane + p[7]); \
    VECTOR ab = LOW(a, b), AB = HIGH(a, b), cd = LOW(c, d), CD = HIGH(c, d); \
    VECTOR ef = LOW(e, f), EF = HIGH(e, f), gh = LOW(g, h), GH = HIGH(g, h); \
    VECTOR q0 = EVEN(ab, cd), q1 = ODD(ab, cd), q2 = EVEN(AB, CD), q3 = ODD(AB, CD); \
    VECTOR q4 = EVEN(ef, gh), q5 = ODD(ef, gh), q6 = EVEN(EF, GH), q7 = ODD(EF, GH); \
    n##0 = FRONT(q0, q4), n##1 = FRONT(q1, q5), n##2 = FRONT(q2, q6), n##3 = FRONT(q3, q7); \
    n##4 = BACK(q0, q4), n##5 = BACK(q1, q5), n##6 = BACK(q2, q6), n##7 = BACK(q3, q7); \
  } while (0)

// Turns a lane of eight bins by its twiddles.
#define TURN(lane) \
  do { \
    VECTOR c = LOAD(w + 16 * (lane - 1)), s = LOAD(w + 16 * (lane - 1) + 8); \
    VECTOR x = r##lane * c - i##lane * s; \
    i##lane = r##lane * s + i##lane * c; \
    r##lane = x; \
  } while (0)

#define REAL float
#define VECTOR float8
#define NAME(x) x##_single
#define GET(p) LOAD(p)
#define PUT(p, v) STORE(p, v)
#include "convolution_transform.h"

INLINE void multiply(
    size_t length, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum) {
  for (size_t bin = 0; bin < length; bin += 8) {
    float8 re = {0}, im = {0};
    for (size_t first = 0; first < count; first += 4) {
      size_t end = first + 4 < count ? first + 4 : count;
      float8 part_re = {0}, part_im = {0};
      for (size_t i = first; i < end; i++) {
        const float *x = spectra[i] + bin, *h = filters[i] + bin;
        float8 xr = LOAD(x), xi = LOAD(x + stride), hr = LOAD(h), hi = LOAD(h + stride);
        part_re += xr * hr - xi * hi;
        part_im += xr * hi + xi * hr;
      }
      re += part_re;
      im += part_im;
    }
    STORE(sum + bin, re);
    STORE(sum + stride + bin, im);
  }
}

// Half spectra hold the bins 0 to `bins` - 1 of real signals, all real parts, then, `stride` floats
// on, all imaginary ones; the real bin at `bins` stands for the imaginary part of bin 0, which is 0.

INLINE void split(
    size_t bins, size_t stride, const float *spectrum, size_t spectrum_stride, float *first,
    float *second) {
  const float *re = spectrum, *im = spectrum + spectrum_stride;
  for (size_t bin = 8; bin < bins; bin += 8) {
    const float *mirror_re = re + 2 * bins - bin - 7, *mirror_im = im + 2 * bins - bin - 7;
    float8 a = LOAD(re + bin), b = LOAD(im + bin), c, d;
    __builtin_memcpy(&c, mirror_re, sizeof c);
    __builtin_memcpy(&d, mirror_im, sizeof d);
    c = SHUFFLE(c, c, 7, 6, 5, 4, 3, 2, 1, 0);
    d = SHUFFLE(d, d, 7, 6, 5, 4, 3, 2, 1, 0);
    STORE(first + bin, (a + c) * 0.5f);
    STORE(first + stride + bin, (b - d) * 0.5f);
    STORE(second + bin, (b + d) * 0.5f);
    STORE(second + stride + bin, (c - a) * 0.5f);
  }
  for (size_t bin = 1; bin < 8; bin++) {
    size_t mirror = 2 * bins - bin;
    first[bin] = (re[bin] + re[mirror]) * 0.5f;
    first[stride + bin] = (im[bin] - im[mirror]) * 0.5f;
    second[bin] = (im[bin] + im[mirror]) * 0.5f;
    second[stride + bin] = (re[mirror] - re[bin]) * 0.5f;
  }
  first[0] = re[0], first[stride] = re[bins];
  second[0] = im[0], second[stride] = im[bins];
}

INLINE void add_products(
    size_t bins, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum) {
  float *left = sum, *right = sum + 2 * stride;
  float keep[4] = {left[0], left[stride], right[0], right[stride]};
  for (size_t bin = 0; bin < bins; bin += 8) {
    float8 lr = {0}, li = {0}, rr = {0}, ri = {0};
    for (size_t i = 0; i < count; i++) {
      const float *x = spectra[i] + bin, *h = filters[i] + bin;
      float8 xr = LOAD(x), xi = LOAD(x + stride);
      float8 ar = LOAD(h), ai = LOAD(h + stride);
      float8 br = LOAD(h + 2 * stride), bi = LOAD(h + 3 * stride);
      lr += xr * ar - xi * ai;
      li += xr * ai + xi * ar;
      rr += xr * br - xi * bi;
      ri += xr * bi + xi * br;
    }
    STORE(left + bin, LOAD(left + bin) + lr);
    STORE(left + stride + bin, LOAD(left + stride + bin) + li);
    STORE(right + bin, LOAD(right + bin) + rr);
    STORE(right + stride + bin, LOAD(right + stride + bin) + ri);
  }
  // Bin 0 holds two real bins.
  for (size_t plane = 0; plane < 4; plane++) {
    float part = 0;
    for (size_t i = 0; i < count; i++)
      part += spectra[i][plane % 2 * stride] * filters[i][plane * stride];
    sum[plane * stride] = keep[plane] + part;
  }
}

// 2 to the power of each lane, to seven digits; lanes below -120 count as -120.
#define POWER_OF_2(result, exponent) \
  do { \
    float16 e = (exponent); \
    e = __builtin_elementwise_max(e, (float16){0} - 120.0f); \
    float16 t = e + 12582912.0f, f = e - (t - 12582912.0f); \
    float16 y = f * 1.54035304e-4f + 1.33335581e-3f; \
    y = y * f + 9.61812911e-3f; \
    y = y * f + 5.55041087e-2f; \
    y = y * f + 2.40226507e-1f; \
    y = y * f + 6.93147181e-1f; \
    y = y * f + 1.0f; \
    result = (float16)((int16)y + (((int16)t - 0x4B400000) << 23)); \
  } while (0)

// Floats of 16 bins of a term, and how many of these groups ahead memory is asked for.
enum { TERM_GROUP = 48, AHEAD = 20 };

INLINE void mix_terms(
    size_t bins, size_t stride, size_t count, const float *const *terms, const float *weights,
    double turn_re, double turn_im, double scale, float *filter) {
  // The delay's phase at bins 0 to 15, by doubling, and then its step of 16 bins.
  double re[16] = {scale}, im[16] = {0}, x = turn_re, y = turn_im;
  for (size_t done = 1; done < 16; done *= 2) {
    for (size_t i = 0; i < done; i++) {
      re[done + i] = re[i] * x - im[i] * y;
      im[done + i] = re[i] * y + im[i] * x;
    }
    double square = x * x - y * y;
    y = 2 * x * y;
    x = square;
  }
  float16 c, s;
  for (size_t i = 0; i < 16; i++) c[i] = (float)re[i], s[i] = (float)im[i];
  float step_c = (float)x, step_s = (float)y;
  for (size_t bin = 0; bin < bins; bin += 16) {
    float16 re = {0}, im = {0}, level = {0};
    for (size_t i = 0; i < count; i++) {
      const float *term = terms[i] + 3 * bin;
      for (size_t line = 0; line < TERM_GROUP; line += 16)
        __builtin_prefetch(term + AHEAD * TERM_GROUP + line);
      re += LOAD_16(term) * weights[i];
      im += LOAD_16(term + 16) * weights[i];
      level += LOAD_16(term + 32) * weights[i];
    }
    float16 power = re * re + im * im + 1e-30f, gain;
    POWER_OF_2(gain, level);
    gain = gain / __builtin_elementwise_sqrt(power);
    re *= gain;
    im *= gain;
    STORE_16(filter + bin, re * c - im * s);
    STORE_16(filter + stride + bin, re * s + im * c);
    float16 next = c * step_c - s * step_s;
    s = c * step_s + s * step_c;
    c = next;
  }
}

INLINE void mix_aligned(
    size_t bins, size_t stride, size_t count, const float *const *terms, const float *weights,
    double turn_re, double turn_im, double scale, float *filter) {
  // Nearly all mixes have three terms; a loop of known length is faster.
  if (count == 3)
    mix_terms(bins, stride, 3, terms, weights, turn_re, turn_im, scale, filter);
  else
    mix_terms(bins, stride, count, terms, weights, turn_re, turn_im, scale, filter);
}

INLINE void add_power(
    size_t bins, size_t stride, float weight, const float *spectrum, float *term) {
  for (size_t bin = 0; bin < bins; bin += 16, term += TERM_GROUP) {
    float16 re = LOAD_16(spectrum + bin), im = LOAD_16(spectrum + stride + bin);
    STORE_16(term, LOAD_16(term) + re * weight);
    STORE_16(term + 16, LOAD_16(term + 16) + im * weight);
    STORE_16(term + 32, LOAD_16(term + 32) + (re * re + im * im) * weight);
  }
}

#undef REAL
#undef VECTOR
#undef NAME
#undef GET
#undef PUT

#define REAL double
#define VECTOR double8
#define NAME(x) x##_double
#define GET(p) __builtin_convertvector(*(const float8 *)(p), double8)
#define PUT(p, v) (*(float8 *)(p) = __builtin_convertvector(v, float8))
#include "convolution_transform.h"

size_t cc_table_size(size_t length) {
  size_t points = length / 8;
  return step_space(points) + 14 * points + points;
}

size_t cc_work_size(size_t length) { return 2 * length + PLANE_GAP; }

void cc_make_table(size_t length, float *table) { make_table_single(length, table); }

void cc_make_precise_table(size_t length, double *table) { make_table_double(length, table); }

KERNEL(void, cc_transform, (
    size_t length, const float *table, float *work, const float *re, const float *im,
    float *out_re, float *out_im),
  transform_single(length, table, work, re, im, out_re, out_im))

KERNEL(void, cc_transform_precisely, (
    size_t length, const double *table, double *work, const float *re, const float *im,
    float *out_re, float *out_im),
  transform_double(length, table, work, re, im, out_re, out_im))

KERNEL(void, cc_multiply, (
    size_t length, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum),
  multiply(length, stride, count, spectra, filters, sum))

KERNEL(void, cc_split, (
    size_t bins, size_t stride, const float *spectrum, size_t spectrum_stride, float *first,
    float *second),
  split(bins, stride, spectrum, spectrum_stride, first, second))

KERNEL(void, cc_add_products, (
    size_t bins, size_t stride, size_t count, const float *const *spectra,
    const float *const *filters, float *sum),
  add_products(bins, stride, count, spectra, filters, sum))

KERNEL(void, cc_mix_aligned, (
    size_t bins, size_t stride, size_t count, const float *const *terms, const float *weights,
    double turn_re, double turn_im, double scale, float *filter),
  mix_aligned(bins, stride, count, terms, weights, turn_re, turn_im, scale, filter))

KERNEL(void, cc_add_power, (
    size_t bins, size_t stride, float weight, const float *spectrum, float *term),
  add_power(bins, stride, weight, spectrum, term))
