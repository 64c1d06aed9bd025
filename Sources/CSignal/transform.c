#include "vectors.h"

// Passes. x is input and y output, w the twiddles; r and i are real and imaginary parts.

#define PARTS \
  const float *xr = pass->real, *xi = pass->imaginary; \
  float *restrict yr = pass->out_real, *restrict yi = pass->out_imaginary; \
  const float *wr = pass->cosines, *wi = pass->sines

// The four sums of a butterfly of radix 4: the values a to d of each part become s + u, p, q, o.
#define RADIX_4(V) \
  V sr = ar + cr, si = ai + ci, tr = ar - cr, ti = ai - ci; \
  V ur = br + dr, ui = bi + di, vr = bi - di, vi = dr - br; \
  V pr = tr + vr, pi = ti + vi, qr = sr - ur, qi = si - ui, or = tr - vr, oi = ti - vi

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

// Stores the parts of a value times its twiddle as the output of this power.
#define TWIDDLED(V, vr, vi, power) \
  PUT(V, tor + power * stride, vr * c[power - 1] - vi * s[power - 1]); \
  PUT(V, toi + power * stride, vr * s[power - 1] + vi * c[power - 1])

#define ROWS_4(V) \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V cr = GET(V, r + 2 * step), ci = GET(V, i + 2 * step); \
  V dr = GET(V, r + 3 * step), di = GET(V, i + 3 * step); \
  RADIX_4(V); \
  PUT(V, tor, sr + ur); \
  PUT(V, toi, si + ui); \
  TWIDDLED(V, pr, pi, 1); \
  TWIDDLED(V, qr, qi, 2); \
  TWIDDLED(V, or, oi, 3)

#define ROWS_2(V) \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V dr = ar - br, di = ai - bi; \
  PUT(V, tor, ar + br); \
  PUT(V, toi, ai + bi); \
  TWIDDLED(V, dr, di, 1)

// Cosine and sine of 60°.
#define ROWS_3(V) \
  const float half = 0.5f, root = 0.8660254037844386f; \
  V ar = GET(V, r), ai = GET(V, i), br = GET(V, r + step), bi = GET(V, i + step); \
  V cr = GET(V, r + 2 * step), ci = GET(V, i + 2 * step); \
  V sr = br + cr, si = bi + ci, er = (bi - ci) * root, ei = (cr - br) * root; \
  V mr = ar - sr * half, mi = ai - si * half; \
  V pr = mr + er, pi = mi + ei, qr = mr - er, qi = mi - ei; \
  PUT(V, tor, ar + sr); \
  PUT(V, toi, ai + si); \
  TWIDDLED(V, pr, pi, 1); \
  TWIDDLED(V, qr, qi, 2)

// Cosines and sines of 72° and 144°.
#define ROWS_5(V) \
  const float c1 = 0.30901699437494745f, c2 = -0.8090169943749475f; \
  const float s1 = 0.9510565162951535f, s2 = 0.5877852522924731f; \
  V xr1 = GET(V, r + step), xr2 = GET(V, r + 2 * step), xr3 = GET(V, r + 3 * step); \
  V xr4 = GET(V, r + 4 * step), xi1 = GET(V, i + step), xi2 = GET(V, i + 2 * step); \
  V xi3 = GET(V, i + 3 * step), xi4 = GET(V, i + 4 * step), xr0 = GET(V, r), xi0 = GET(V, i); \
  V ar = xr1 + xr4, ai = xi1 + xi4, br = xr2 + xr3, bi = xi2 + xi3; \
  V cr = xr1 - xr4, ci = xi1 - xi4, dr = xr2 - xr3, di = xi2 - xi3; \
  V mr = xr0 + ar * c1 + br * c2, mi = xi0 + ai * c1 + bi * c2; \
  V nr = xr0 + ar * c2 + br * c1, ni = xi0 + ai * c2 + bi * c1; \
  V er = ci * s1 + di * s2, ei = -(cr * s1 + dr * s2); \
  V fr = ci * s2 - di * s1, fi = -(cr * s2 - dr * s1); \
  V r1 = mr + er, i1 = mi + ei, r2 = nr + fr, i2 = ni + fi; \
  V r3 = nr - fr, i3 = ni - fi, r4 = mr - er, i4 = mi - ei; \
  PUT(V, tor, xr0 + ar + br); \
  PUT(V, toi, xi0 + ai + bi); \
  TWIDDLED(V, r1, i1, 1); \
  TWIDDLED(V, r2, i2, 2); \
  TWIDDLED(V, r3, i3, 3); \
  TWIDDLED(V, r4, i4, 4)

#define POINTERS \
  const float *r = xr + place * stride + offset, *i = xi + place * stride + offset; \
  float *tor = yr + radix * place * stride + offset, *toi = yi + radix * place * stride + offset

// A pass over rows: eight values at a time, and four at the end of a row.
#define PASS(ROWS) \
  for (size_t place = 0; place < places; place++) { \
    const float *c = wr + (radix - 1) * place, *s = wi + (radix - 1) * place; \
    size_t offset = 0; \
    for (; offset + 8 <= stride; offset += 8) { \
      POINTERS; \
      ROWS(float8); \
    } \
    for (; offset < stride; offset += 4) { \
      POINTERS; \
      ROWS(float4); \
    } \
  }

INLINE void run(const sg_pass *pass, size_t radix, size_t places, size_t stride) {
  PARTS;
  const size_t step = places * stride;
  switch (radix) {
    case 4: PASS(ROWS_4); break;
    case 2: PASS(ROWS_2); break;
    case 3: PASS(ROWS_3); break;
    default: PASS(ROWS_5);
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
