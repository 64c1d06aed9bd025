// SPDX-License-Identifier: Apache-2.0
#include "include/meter.h"

#include "kernel.h"

typedef double double2 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
typedef float float4 __attribute__((vector_size(16)));

// K-weighting.
//
// Direct form II keeps the loop-carried path at one multiplication and one subtraction per filter.
// Vectors are written out in macros, not passed to functions: how a 32-byte vector is passed
// depends on the machine the function is compiled for.

#define DECLARE(V, s, lanes, first) \
  V s##1, s##2, s##3, s##4, s##5, s##6; \
  memcpy(&s##1, state + first, sizeof(V)); \
  memcpy(&s##2, state + lanes + first, sizeof(V)); \
  memcpy(&s##3, state + 2 * lanes + first, sizeof(V)); \
  memcpy(&s##4, state + 3 * lanes + first, sizeof(V)); \
  memcpy(&s##5, state + 4 * lanes + first, sizeof(V)); \
  s##6 = s##3 - s##4

#define STORE(V, s, lanes, first) \
  memcpy(state + first, &s##1, sizeof(V)); \
  memcpy(state + lanes + first, &s##2, sizeof(V)); \
  memcpy(state + 2 * lanes + first, &s##3, sizeof(V)); \
  memcpy(state + 3 * lanes + first, &s##4, sizeof(V)); \
  memcpy(state + 4 * lanes + first, &s##5, sizeof(V))

// One sample: s1, s2 are the shelf's memories, s3, s4 those of the high-pass, s5 the energy, s6 the
// last difference of the high-pass's memories, whose next difference is the output.
#define STEP(V, s, input) \
  do { \
    V shelf = ((input) - s##2 * a2) - s##1 * a1; \
    V raised = shelf + (s##1 * b1 + s##2 * b2); \
    s##2 = s##1; \
    s##1 = shelf; \
    V pass = (raised - s##4 * c2) - s##3 * c1; \
    V difference = pass - s##3; \
    V output = difference - s##6; \
    s##4 = s##3; \
    s##3 = pass; \
    s##6 = difference; \
    s##5 += output * output; \
  } while (0)

#define COEFFICIENTS \
  const double a1 = filter->shelf_a1, a2 = filter->shelf_a2; \
  const double b1 = filter->shelf_b1, b2 = filter->shelf_b2; \
  const double c1 = filter->pass_a1, c2 = filter->pass_a2

#define LOAD(name, plane) \
  float4 name; \
  memcpy(&name, (plane) + index, sizeof(name))

// Four samples of two channels, one vector of both for each sample.
#define LANES2(x, y, i, j) __builtin_convertvector(__builtin_shufflevector(x, y, i, j), double2)
#define GATHER2(name, p0, p1) \
  LOAD(name##x, p0); \
  LOAD(name##y, p1); \
  double2 name##0 = LANES2(name##x, name##y, 0, 4); \
  double2 name##1 = LANES2(name##x, name##y, 1, 5); \
  double2 name##2 = LANES2(name##x, name##y, 2, 6); \
  double2 name##3 = LANES2(name##x, name##y, 3, 7)

// Four samples of four channels, one vector of all for each sample.
#define LANES4(x, y, i, j, k, l) \
  __builtin_convertvector(__builtin_shufflevector(x, y, i, j, k, l), double4)
#define GATHER4(name, p0, p1, p2, p3) \
  LOAD(name##x, p0); \
  LOAD(name##y, p1); \
  LOAD(name##z, p2); \
  LOAD(name##w, p3); \
  float4 name##a = __builtin_shufflevector(name##x, name##y, 0, 4, 1, 5); \
  float4 name##b = __builtin_shufflevector(name##z, name##w, 0, 4, 1, 5); \
  float4 name##c = __builtin_shufflevector(name##x, name##y, 2, 6, 3, 7); \
  float4 name##d = __builtin_shufflevector(name##z, name##w, 2, 6, 3, 7); \
  double4 name##0 = LANES4(name##a, name##b, 0, 1, 4, 5); \
  double4 name##1 = LANES4(name##a, name##b, 2, 3, 6, 7); \
  double4 name##2 = LANES4(name##c, name##d, 0, 1, 4, 5); \
  double4 name##3 = LANES4(name##c, name##d, 2, 3, 6, 7)

INLINE void weigh_2(
    const ck_k_weighting *filter, const float *const *planes, size_t start, size_t count,
    double *state) {
  COEFFICIENTS;
  const float *p0 = planes[0] + start, *p1 = planes[1] + start;
  DECLARE(double2, s, 2, 0);
  size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    GATHER2(x, p0, p1);
    STEP(double2, s, x0);
    STEP(double2, s, x1);
    STEP(double2, s, x2);
    STEP(double2, s, x3);
  }
  for (; index < count; index++) {
    double2 x = {p0[index], p1[index]};
    STEP(double2, s, x);
  }
  STORE(double2, s, 2, 0);
}

INLINE void weigh_4(
    const ck_k_weighting *filter, const float *const *planes, size_t start, size_t count,
    double *state) {
  COEFFICIENTS;
  const float *p0 = planes[0] + start, *p1 = planes[1] + start;
  const float *p2 = planes[2] + start, *p3 = planes[3] + start;
  DECLARE(double4, s, 4, 0);
  size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    GATHER4(x, p0, p1, p2, p3);
    STEP(double4, s, x0);
    STEP(double4, s, x1);
    STEP(double4, s, x2);
    STEP(double4, s, x3);
  }
  for (; index < count; index++) {
    double4 x = {p0[index], p1[index], p2[index], p3[index]};
    STEP(double4, s, x);
  }
  STORE(double4, s, 4, 0);
}

INLINE void weigh_6(
    const ck_k_weighting *filter, const float *const *planes, size_t start, size_t count,
    double *state) {
  COEFFICIENTS;
  const float *p0 = planes[0] + start, *p1 = planes[1] + start;
  const float *p2 = planes[2] + start, *p3 = planes[3] + start;
  const float *p4 = planes[4] + start, *p5 = planes[5] + start;
  DECLARE(double4, s, 6, 0);
  DECLARE(double2, t, 6, 4);
  size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    GATHER4(x, p0, p1, p2, p3);
    GATHER2(y, p4, p5);
    STEP(double4, s, x0);
    STEP(double2, t, y0);
    STEP(double4, s, x1);
    STEP(double2, t, y1);
    STEP(double4, s, x2);
    STEP(double2, t, y2);
    STEP(double4, s, x3);
    STEP(double2, t, y3);
  }
  for (; index < count; index++) {
    double4 x = {p0[index], p1[index], p2[index], p3[index]};
    double2 y = {p4[index], p5[index]};
    STEP(double4, s, x);
    STEP(double2, t, y);
  }
  STORE(double4, s, 6, 0);
  STORE(double2, t, 6, 4);
}

INLINE void weigh_8(
    const ck_k_weighting *filter, const float *const *planes, size_t start, size_t count,
    double *state) {
  COEFFICIENTS;
  const float *p0 = planes[0] + start, *p1 = planes[1] + start;
  const float *p2 = planes[2] + start, *p3 = planes[3] + start;
  const float *p4 = planes[4] + start, *p5 = planes[5] + start;
  const float *p6 = planes[6] + start, *p7 = planes[7] + start;
  DECLARE(double4, s, 8, 0);
  DECLARE(double4, t, 8, 4);
  size_t index = 0;
  for (; index + 4 <= count; index += 4) {
    GATHER4(x, p0, p1, p2, p3);
    GATHER4(y, p4, p5, p6, p7);
    STEP(double4, s, x0);
    STEP(double4, t, y0);
    STEP(double4, s, x1);
    STEP(double4, t, y1);
    STEP(double4, s, x2);
    STEP(double4, t, y2);
    STEP(double4, s, x3);
    STEP(double4, t, y3);
  }
  for (; index < count; index++) {
    double4 x = {p0[index], p1[index], p2[index], p3[index]};
    double4 y = {p4[index], p5[index], p6[index], p7[index]};
    STEP(double4, s, x);
    STEP(double4, t, y);
  }
  STORE(double4, s, 8, 0);
  STORE(double4, t, 8, 4);
}

INLINE void weigh(
    const ck_k_weighting *filter, size_t lanes, const float *const *planes, size_t start,
    size_t count, double *state) {
  switch (lanes) {
    case 2: weigh_2(filter, planes, start, count, state); break;
    case 4: weigh_4(filter, planes, start, count, state); break;
    case 6: weigh_6(filter, planes, start, count, state); break;
    case 8: weigh_8(filter, planes, start, count, state); break;
  }
}

KERNEL(void, ck_k_weigh, (
    const ck_k_weighting *filter, size_t lanes, const float *const *planes, size_t start,
    size_t count, double *state),
  weigh(filter, lanes, planes, start, count, state))

// Peaks.
//
// Without the sign bit, the bits of a float order like its magnitude, with infinity and NaN on top;
// one scan for the largest tells the peak and whether all samples are finite.

#define INFINITE 0x7F800000

INLINE float float_of(int32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// The taps of Annex 2 by delay; phases 3 and 2 are phases 0 and 1 reversed.
#define TAPS(PHASES) \
  PHASES(0, 0.001708984375f, -0.0291748046875f, -0.0189208984375f, -0.00830078125f) \
  PHASES(1, 0.010986328125f, 0.029296875f, 0.0330810546875f, 0.014892578125f) \
  PHASES(2, -0.0196533203125f, -0.0517578125f, -0.0582275390625f, -0.026611328125f) \
  PHASES(3, 0.033203125f, 0.089111328125f, 0.1015625f, 0.047607421875f) \
  PHASES(4, -0.0594482421875f, -0.16650390625f, -0.2003173828125f, -0.102294921875f) \
  PHASES(5, 0.1373291015625f, 0.465087890625f, 0.77978515625f, 0.97216796875f) \
  PHASES(6, 0.97216796875f, 0.77978515625f, 0.465087890625f, 0.1373291015625f) \
  PHASES(7, -0.102294921875f, -0.2003173828125f, -0.16650390625f, -0.0594482421875f) \
  PHASES(8, 0.047607421875f, 0.1015625f, 0.089111328125f, 0.033203125f) \
  PHASES(9, -0.026611328125f, -0.0582275390625f, -0.0517578125f, -0.0196533203125f) \
  PHASES(10, 0.014892578125f, 0.0330810546875f, 0.029296875f, 0.010986328125f) \
  PHASES(11, -0.00830078125f, -0.0189208984375f, -0.0291748046875f, 0.001708984375f)

#define HALF_PHASES(delay, tap0, tap1, tap2, tap3) \
  { \
    float8 x, y; \
    memcpy(&x, input - delay, sizeof(x)); \
    memcpy(&y, input + 8 - delay, sizeof(y)); \
    x0 += x * tap0; \
    y0 += y * tap0; \
    x2 += x * tap2; \
    y2 += y * tap2; \
  }

#define ALL_PHASES(delay, tap0, tap1, tap2, tap3) \
  { \
    float8 x, y; \
    memcpy(&x, input - delay, sizeof(x)); \
    memcpy(&y, input + 8 - delay, sizeof(y)); \
    x0 += x * tap0; \
    y0 += y * tap0; \
    x1 += x * tap1; \
    y1 += y * tap1; \
    x2 += x * tap2; \
    y2 += y * tap2; \
    x3 += x * tap3; \
    y3 += y * tap3; \
  }

#define BITS(vector) ((int8)(vector) & MAGNITUDE)

// Largest magnitudes, as bits, of outputs 0 to 15; reads input[-11] to input[15].
INLINE void interpolate_16(const float *input, int phases, int8 *first, int8 *second) {
  float8 x0 = {0}, y0 = {0}, x2 = {0}, y2 = {0};
  if (phases == 4) {
    float8 x1 = {0}, y1 = {0}, x3 = {0}, y3 = {0};
    TAPS(ALL_PHASES)
    *first = LARGER(LARGER(BITS(x0), BITS(x1)), LARGER(BITS(x2), BITS(x3)));
    *second = LARGER(LARGER(BITS(y0), BITS(y1)), LARGER(BITS(y2), BITS(y3)));
  } else {
    TAPS(HALF_PHASES)
    *first = LARGER(BITS(x0), BITS(x2));
    *second = LARGER(BITS(y0), BITS(y2));
  }
}

INLINE void interpolate(const float *input, size_t count, int phases, float *output) {
  for (size_t index = 0; index < count; index += 16) {
    int8 first, second;
    interpolate_16(input + index, phases, &first, &second);
    memcpy(output + index, &first, sizeof(first));
    memcpy(output + index + 8, &second, sizeof(second));
  }
}

CLONED void ck_interpolate(const float *input, size_t count, int phases, float *output) {
  if (phases == 4) {
    interpolate(input, count, 4, output);
  } else {
    interpolate(input, count, 2, output);
  }
}

enum { GROUP = 16, STRETCH = 128, HISTORY = CK_TRUE_PEAK_HISTORY };

// Interpolates the groups that may exceed `between`. `samples` has HISTORY samples before it, and
// the last group ends with the last sample: outputs worked out twice are the same twice.
INLINE float interpolate_stretch(
    const float *samples, size_t count, int phases, float between) {
  size_t start = 0;
  while (start < count) {
    const float *here = start + GROUP <= count ? samples + start : samples + count - GROUP;
    LOAD_BITS(before, here - 11);
    LOAD_BITS(middle, here - 3);
    LOAD_BITS(after, here + 5);
    LOAD_BITS(last, here + 8);
    int8 inputs = LARGER(
        LARGER(before & MAGNITUDE, middle & MAGNITUDE),
        LARGER(after & MAGNITUDE, last & MAGNITUDE));
    if (float_of(LARGEST_LANE(inputs)) * ck_annex_two_norm > between) {
      int8 first, second;
      interpolate_16(here, phases, &first, &second);
      first = LARGER(first, second);
      float found = float_of(LARGEST_LANE(first));
      between = found > between ? found : between;
    }
    start += GROUP;
  }
  return between;
}

INLINE int measure(
    const float *samples, size_t count, int phases, float *history, ck_peaks *peaks) {
  float window[HISTORY + STRETCH];
  // Largest magnitude in front of the stretch, of more samples than its outputs are made of.
  float before = float_of(peak_bits(history, HISTORY));
  float sample = peaks->sample, between = peaks->between;
  for (size_t start = 0; start < count; start += STRETCH) {
    size_t part = count - start < STRETCH ? count - start : STRETCH;
    int32_t bits = peak_bits(samples + start, part);
    if (bits >= INFINITE) return 0;
    float peak = float_of(bits);
    sample = peak > sample ? peak : sample;
    between = peak > between ? peak : between;
    if (phases && (peak > before ? peak : before) * ck_annex_two_norm > between) {
      const float *here = samples + start;
      if (start == 0) {
        memcpy(window, history, HISTORY * sizeof(float));
        memcpy(window + HISTORY, samples, part * sizeof(float));
        here = window + HISTORY;
      }
      between = interpolate_stretch(here, part, phases, between);
    }
    before = peak;
  }
  peaks->sample = sample;
  peaks->between = between;
  if (count >= HISTORY) {
    memcpy(history, samples + count - HISTORY, HISTORY * sizeof(float));
  } else {
    memmove(history, history + count, (HISTORY - count) * sizeof(float));
    memcpy(history + HISTORY - count, samples, count * sizeof(float));
  }
  return 1;
}

INLINE int true_peak(
    const float *samples, size_t count, int phases, float *history, ck_peaks *peaks) {
  switch (phases) {
    case 4: return measure(samples, count, 4, history, peaks);
    case 2: return measure(samples, count, 2, history, peaks);
    default: return measure(samples, count, 0, history, peaks);
  }
}

KERNEL(int, ck_true_peak, (
    const float *samples, size_t count, int phases, float *history, ck_peaks *peaks),
  true_peak(samples, count, phases, history, peaks))

// Peaks for a limiter.

enum { REACH = CK_GAIN_REACH, PEAKS = CK_GAIN_STRETCH };

// The sharp interpolators run only where the coarse one reads more than this part (-4.4 dB) of the
// ceiling or of the loudest in the group. The coarse one droops by less than that inside the band
// that the sharp one passes.
static const float doubt = 0.6f;

// Largest magnitude of the eight phases between a sample and the next; `taps` has eight floats for
// each of `count` inputs, the first of which is `first`.
INLINE float between(const float *taps, int count, const float *first) {
  float8 even = {0}, odd = {0};
  for (int index = 0; index < count; index += 2) {
    float8 x, y;
    memcpy(&x, taps + 8 * index, sizeof(x));
    memcpy(&y, taps + 8 * index + 8, sizeof(y));
    even += x * first[index];
    odd += y * first[index + 1];
  }
  float8 sum = even + odd;
  return float_of(LARGEST_LANE(BITS(sum)));
}

// Merges samples and coarse peaks of a group into `coarse` and `peaks`; returns the largest of
// `peaks` there, not below the ceiling.
INLINE float merge(const float *samples, float ceiling, float *coarse, float *peaks) {
  int8 loudest = {0};
  for (int index = 0; index < GROUP; index += 8) {
    LOAD_BITS(here, samples + index);
    LOAD_BITS(next, samples + index + 1);
    LOAD_BITS(x, coarse + index);
    LOAD_BITS(y, peaks + index);
    x = LARGER(LARGER(x, here & MAGNITUDE), next & MAGNITUDE);
    y = LARGER(x, y);
    loudest = LARGER(loudest, y);
    memcpy(coarse + index, &x, sizeof(x));
    memcpy(peaks + index, &y, sizeof(y));
  }
  float largest = float_of(LARGEST_LANE(loudest));
  return largest > ceiling ? largest : ceiling;
}

// No coarse peak of a group exceeds this: all are made of samples from the fifth before the group to the sixth after it.
INLINE float coarse_bound(const float *samples) {
  return float_of(peak_bits(samples - 8, 32)) * ck_annex_two_norm;
}

CLONED float ck_gain_peaks(
    const ck_gain_taps *taps, const float *samples, float ceiling, float *peaks) {
  float most = float_of(peak_bits(samples - REACH, PEAKS + 2 * REACH)) * taps->norm;
  if (most <= ceiling) return most;
  float skipped = 0;
  for (int start = 0; start < PEAKS; start += GROUP) {
    float bound = coarse_bound(samples + start);
    if (bound <= ceiling * doubt) {
      // Sharp peaks are at most so much larger than coarse ones, which leaves them below the ceiling.
      skipped = bound > skipped ? bound : skipped;
      continue;
    }
    float coarse[GROUP];
    // Output i of the coarse filter lies between inputs i - 6 and i - 5.
    interpolate(samples + start + 6, GROUP, 4, coarse);
    float loudest = merge(samples + start, ceiling, coarse, peaks + start);
    for (int index = start; index < start + GROUP; index++) {
      if (coarse[index - start] <= loudest * doubt) continue;
      const float *here = samples + index;
      float sharp = between(taps->sharp, CK_SHARP_TAPS, here - CK_SHARP_TAPS / 2 + 1);
      float brief = between(taps->brief, CK_BRIEF_TAPS, here - CK_BRIEF_TAPS / 2 + 1);
      float fine = sharp > brief ? sharp : brief;
      peaks[index] = fine > peaks[index] ? fine : peaks[index];
      loudest = fine > loudest ? fine : loudest;
    }
  }
  float found = float_of(peak_bits(peaks, PEAKS));
  skipped /= doubt;
  return found > skipped ? found : skipped;
}
