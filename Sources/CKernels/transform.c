// SPDX-License-Identifier: Apache-2.0
#include "passes.h"

INLINE void first_radix_4(const sg_pass *pass, size_t places) {
  PARTS;
  size_t place = 0;
  for (; place + 4 <= places; place += 4) {
    const float *r = xr + place, *i = xi + place, *c = wr + place, *s = wi + place;
    loose4 ar = GET(loose4, r), ai = GET(loose4, i);
    loose4 br = GET(loose4, r + places), bi = GET(loose4, i + places);
    loose4 cr = GET(loose4, r + 2 * places), ci = GET(loose4, i + 2 * places);
    loose4 dr = GET(loose4, r + 3 * places), di = GET(loose4, i + 3 * places);
    RADIX_4(loose4);
    loose4 c1 = GET(loose4, c), s1 = GET(loose4, s);
    loose4 c2 = GET(loose4, c + places), s2 = GET(loose4, s + places);
    loose4 c3 = GET(loose4, c + 2 * places), s3 = GET(loose4, s + 2 * places);
    loose4 r0 = sr + ur, r1 = pr * c1 - pi * s1, r2 = qr * c2 - qi * s2, r3 = or * c3 - oi * s3;
    loose4 i0 = si + ui, i1 = pr * s1 + pi * c1, i2 = qr * s2 + qi * c2, i3 = or * s3 + oi * c3;
    TRANSPOSE(r0, r1, r2, r3);
    TRANSPOSE(i0, i1, i2, i3);
    float *tor = yr + 4 * place, *toi = yi + 4 * place;
    PUT(loose4, tor, r0);
    PUT(loose4, tor + 4, r1);
    PUT(loose4, tor + 8, r2);
    PUT(loose4, tor + 12, r3);
    PUT(loose4, toi, i0);
    PUT(loose4, toi + 4, i1);
    PUT(loose4, toi + 8, i2);
    PUT(loose4, toi + 12, i3);
  }
  for (; place < places; place++) {
    const float *r = xr + place, *i = xi + place, *c = wr + place, *s = wi + place;
    float ar = r[0], br = r[places], cr = r[2 * places], dr = r[3 * places];
    float ai = i[0], bi = i[places], ci = i[2 * places], di = i[3 * places];
    RADIX_4(float);
    float c1 = c[0], c2 = c[places], c3 = c[2 * places];
    float s1 = s[0], s2 = s[places], s3 = s[2 * places];
    float *tor = yr + 4 * place, *toi = yi + 4 * place;
    tor[0] = sr + ur;
    toi[0] = si + ui;
    tor[1] = pr * c1 - pi * s1;
    toi[1] = pr * s1 + pi * c1;
    tor[2] = qr * c2 - qi * s2;
    toi[2] = qr * s2 + qi * c2;
    tor[3] = or * c3 - oi * s3;
    toi[3] = or * s3 + oi * c3;
  }
}

KERNEL(void, sg_first_radix_4, (
    const sg_pass *pass, size_t places),
  first_radix_4(pass, places))

KERNEL(void, sg_radix, (
    const sg_pass *pass, size_t radix, size_t places, size_t stride),
  run(pass, radix, places, stride))

// Inverse MDCT.

INLINE void fold(
    const float *lines, size_t length, const float *cosines, const float *sines,
    float *restrict real, float *restrict imaginary) {
  for (size_t place = 0; place < length / 2; place += 4) {
    const float *front = lines + 2 * place, *back = lines + length - 8 - 2 * place;
    loose4 even =
        __builtin_shufflevector(GET(loose4, front), GET(loose4, front + 4), 0, 2, 4, 6);
    loose4 odd = __builtin_shufflevector(GET(loose4, back + 4), GET(loose4, back), 3, 1, 7, 5);
    loose4 c = GET(loose4, cosines + place), s = GET(loose4, sines + place);
    PUT(loose4, real + place, even * c - odd * s);
    PUT(loose4, imaginary + place, even * s + odd * c);
  }
}

INLINE void unfold(
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *restrict work, float *restrict samples) {
  const size_t half = length / 2;
  // The DCT-IV of the lines: the real parts at even places, the imaginary ones at odd places from the end.
  for (size_t place = 0; place < half; place += 4) {
    const size_t back = half - 4 - place;
    loose4 even = GET(loose4, real + place) * GET(loose4, cosines + place)
        - GET(loose4, imaginary + place) * GET(loose4, sines + place);
    loose4 odd = -(GET(loose4, real + back) * GET(loose4, sines + back)
                   + GET(loose4, imaginary + back) * GET(loose4, cosines + back));
    PUT(loose4, work + 2 * place, __builtin_shufflevector(even, odd, 0, 7, 1, 6));
    PUT(loose4, work + 2 * place + 4, __builtin_shufflevector(even, odd, 2, 5, 3, 4));
  }
  // The samples are its mirror images.
  for (size_t place = 0; place < half; place += 4) {
    loose4 upper = GET(loose4, work + half + place);
    loose4 lower = -GET(loose4, work + half - 4 - place);
    PUT(loose4, samples + place, upper);
    PUT(loose4, samples + length - 4 - place, __builtin_shufflevector(-upper, upper, 3, 2, 1, 0));
    PUT(loose4, samples + length + place, __builtin_shufflevector(lower, lower, 3, 2, 1, 0));
    PUT(loose4, samples + 2 * length - 4 - place, lower);
  }
}

KERNEL(void, sg_mdct_fold, (
    const float *lines, size_t length, const float *cosines, const float *sines, float *real,
    float *imaginary),
  fold(lines, length, cosines, sines, real, imaginary))

KERNEL(void, sg_mdct_unfold, (
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *work, float *samples),
  unfold(real, imaginary, length, cosines, sines, work, samples))

CLONED void sg_fall(float *restrict samples, const float *restrict slope, size_t count) {
  for (size_t place = 0; place < count; place++) samples[place] *= slope[count - 1 - place];
}

CLONED void sg_rise(
    float *restrict sums, const float *restrict samples, const float *restrict slope,
    size_t count) {
  for (size_t place = 0; place < count; place++) sums[place] += samples[place] * slope[place];
}
