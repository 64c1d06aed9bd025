#include "passes.h"

INLINE void first_radix_4(const sg_pass *pass, size_t places) {
  PARTS;
  size_t place = 0;
  for (; place + 4 <= places; place += 4) {
    const float *r = xr + place, *i = xi + place, *c = wr + place, *s = wi + place;
    float4 ar = GET(float4, r), ai = GET(float4, i);
    float4 br = GET(float4, r + places), bi = GET(float4, i + places);
    float4 cr = GET(float4, r + 2 * places), ci = GET(float4, i + 2 * places);
    float4 dr = GET(float4, r + 3 * places), di = GET(float4, i + 3 * places);
    RADIX_4(float4);
    float4 c1 = GET(float4, c), s1 = GET(float4, s);
    float4 c2 = GET(float4, c + places), s2 = GET(float4, s + places);
    float4 c3 = GET(float4, c + 2 * places), s3 = GET(float4, s + 2 * places);
    float4 r0 = sr + ur, r1 = pr * c1 - pi * s1, r2 = qr * c2 - qi * s2, r3 = or * c3 - oi * s3;
    float4 i0 = si + ui, i1 = pr * s1 + pi * c1, i2 = qr * s2 + qi * c2, i3 = or * s3 + oi * c3;
    TRANSPOSE(r0, r1, r2, r3);
    TRANSPOSE(i0, i1, i2, i3);
    float *tor = yr + 4 * place, *toi = yi + 4 * place;
    PUT(float4, tor, r0);
    PUT(float4, tor + 4, r1);
    PUT(float4, tor + 8, r2);
    PUT(float4, tor + 12, r3);
    PUT(float4, toi, i0);
    PUT(float4, toi + 4, i1);
    PUT(float4, toi + 8, i2);
    PUT(float4, toi + 12, i3);
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

CLONED void sg_first_radix_4(const sg_pass *pass, size_t places) { first_radix_4(pass, places); }

void sg_first_radix_4_baseline(const sg_pass *pass, size_t places) { first_radix_4(pass, places); }

CLONED void sg_radix(const sg_pass *pass, size_t radix, size_t places, size_t stride) {
  run(pass, radix, places, stride);
}

void sg_radix_baseline(const sg_pass *pass, size_t radix, size_t places, size_t stride) {
  run(pass, radix, places, stride);
}

// Inverse MDCT.

INLINE void fold(
    const float *lines, size_t length, const float *cosines, const float *sines,
    float *restrict real, float *restrict imaginary) {
  for (size_t place = 0; place < length / 2; place += 4) {
    const float *front = lines + 2 * place, *back = lines + length - 8 - 2 * place;
    float4 even =
        __builtin_shufflevector(GET(float4, front), GET(float4, front + 4), 0, 2, 4, 6);
    float4 odd = __builtin_shufflevector(GET(float4, back + 4), GET(float4, back), 3, 1, 7, 5);
    float4 c = GET(float4, cosines + place), s = GET(float4, sines + place);
    PUT(float4, real + place, even * c - odd * s);
    PUT(float4, imaginary + place, even * s + odd * c);
  }
}

INLINE void unfold(
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *restrict work, float *restrict samples) {
  const size_t half = length / 2;
  // The DCT-IV of the lines: the real parts at even places, the imaginary ones at odd places from the end.
  for (size_t place = 0; place < half; place += 4) {
    const size_t back = half - 4 - place;
    float4 even = GET(float4, real + place) * GET(float4, cosines + place)
        - GET(float4, imaginary + place) * GET(float4, sines + place);
    float4 odd = -(GET(float4, real + back) * GET(float4, sines + back)
                   + GET(float4, imaginary + back) * GET(float4, cosines + back));
    PUT(float4, work + 2 * place, __builtin_shufflevector(even, odd, 0, 7, 1, 6));
    PUT(float4, work + 2 * place + 4, __builtin_shufflevector(even, odd, 2, 5, 3, 4));
  }
  // The samples are its mirror images.
  for (size_t place = 0; place < half; place += 4) {
    float4 upper = GET(float4, work + half + place);
    float4 lower = -GET(float4, work + half - 4 - place);
    PUT(float4, samples + place, upper);
    PUT(float4, samples + length - 4 - place, __builtin_shufflevector(-upper, upper, 3, 2, 1, 0));
    PUT(float4, samples + length + place, __builtin_shufflevector(lower, lower, 3, 2, 1, 0));
    PUT(float4, samples + 2 * length - 4 - place, lower);
  }
}

CLONED void sg_mdct_fold(
    const float *lines, size_t length, const float *cosines, const float *sines, float *real,
    float *imaginary) {
  fold(lines, length, cosines, sines, real, imaginary);
}

void sg_mdct_fold_baseline(
    const float *lines, size_t length, const float *cosines, const float *sines, float *real,
    float *imaginary) {
  fold(lines, length, cosines, sines, real, imaginary);
}

CLONED void sg_mdct_unfold(
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *work, float *samples) {
  unfold(real, imaginary, length, cosines, sines, work, samples);
}

void sg_mdct_unfold_baseline(
    const float *real, const float *imaginary, size_t length, const float *cosines,
    const float *sines, float *work, float *samples) {
  unfold(real, imaginary, length, cosines, sines, work, samples);
}

CLONED void sg_fall(float *restrict samples, const float *restrict slope, size_t count) {
  for (size_t place = 0; place < count; place++) samples[place] *= slope[count - 1 - place];
}

CLONED void sg_rise(
    float *restrict sums, const float *restrict samples, const float *restrict slope,
    size_t count) {
  for (size_t place = 0; place < count; place++) sums[place] += samples[place] * slope[place];
}
