/// The passes of ``BatchFFT``, which write to other memory than they read from, four values at a time.
///
/// `x` is input and `y` output, `w` the twiddles; `r` and `i` are real and imaginary parts.
enum Butterflies {
  private typealias Vector = SIMD4<Float>
  private typealias Input = UnsafePointer<Float>
  private typealias Output = UnsafeMutablePointer<Float>

  @inline(__always)
  private static func load(_ from: Input) -> Vector {
    UnsafeRawPointer(from).loadUnaligned(as: Vector.self)
  }

  @inline(__always)
  private static func store(_ value: Vector, _ to: Output) {
    UnsafeMutableRawPointer(to).storeBytes(of: value, as: Vector.self)
  }

  /// Radix 4 over single values: the neighbours of a value belong to the same transform.
  static func firstRadix4(
    _ length: Int, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>,
    _ wr: UnsafePointer<Float>, _ wi: UnsafePointer<Float>
  ) {
    let quarter = length / 4
    for place in 0..<quarter {
      let ar = xr[place], ai = xi[place]
      let br = xr[place + quarter], bi = xi[place + quarter]
      let cr = xr[place + 2 * quarter], ci = xi[place + 2 * quarter]
      let dr = xr[place + 3 * quarter], di = xi[place + 3 * quarter]
      let sr = ar + cr, si = ai + ci
      let tr = ar - cr, ti = ai - ci
      let ur = br + dr, ui = bi + di
      let vr = bi - di, vi = dr - br
      let w = 3 * place
      let pr = tr + vr, pi = ti + vi
      let qr = sr - ur, qi = si - ui
      let or = tr - vr, oi = ti - vi
      yr[4 * place] = sr + ur
      yi[4 * place] = si + ui
      yr[4 * place + 1] = pr * wr[w] - pi * wi[w]
      yi[4 * place + 1] = pr * wi[w] + pi * wr[w]
      yr[4 * place + 2] = qr * wr[w + 1] - qi * wi[w + 1]
      yi[4 * place + 2] = qr * wi[w + 1] + qi * wr[w + 1]
      yr[4 * place + 3] = or * wr[w + 2] - oi * wi[w + 2]
      yi[4 * place + 3] = or * wi[w + 2] + oi * wr[w + 2]
    }
  }

  /// Radix 4 over rows of `stride` values.
  static func radix4(
    _ places: Int, _ stride: Int, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>,
    _ wr: UnsafePointer<Float>, _ wi: UnsafePointer<Float>
  ) {
    let step = places * stride
    for place in 0..<places {
      let w = 3 * place
      let w1r = wr[w], w1i = wi[w], w2r = wr[w + 1], w2i = wi[w + 1]
      let w3r = wr[w + 2], w3i = wi[w + 2]
      let read = place * stride
      let write = 4 * read
      var offset = 0
      while offset < stride {
        let r = xr + read + offset, i = xi + read + offset
        let sr = load(r) + load(r + 2 * step), si = load(i) + load(i + 2 * step)
        let tr = load(r) - load(r + 2 * step), ti = load(i) - load(i + 2 * step)
        let ur = load(r + step) + load(r + 3 * step), ui = load(i + step) + load(i + 3 * step)
        let vr = load(i + step) - load(i + 3 * step), vi = load(r + 3 * step) - load(r + step)
        let pr = tr + vr, pi = ti + vi
        let qr = sr - ur, qi = si - ui
        let or = tr - vr, oi = ti - vi
        let tor = yr + write + offset, toi = yi + write + offset
        store(sr + ur, tor)
        store(si + ui, toi)
        store(pr * w1r - pi * w1i, tor + stride)
        store(pr * w1i + pi * w1r, toi + stride)
        store(qr * w2r - qi * w2i, tor + 2 * stride)
        store(qr * w2i + qi * w2r, toi + 2 * stride)
        store(or * w3r - oi * w3i, tor + 3 * stride)
        store(or * w3i + oi * w3r, toi + 3 * stride)
        offset += 4
      }
    }
  }

  /// Radix 2 over rows of `stride` values.
  static func radix2(
    _ places: Int, _ stride: Int, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>,
    _ wr: UnsafePointer<Float>, _ wi: UnsafePointer<Float>
  ) {
    let step = places * stride
    for place in 0..<places {
      let cosine = wr[place], sine = wi[place]
      let read = place * stride
      var offset = 0
      while offset < stride {
        let r = xr + read + offset, i = xi + read + offset
        let dr = load(r) - load(r + step), di = load(i) - load(i + step)
        let tor = yr + 2 * read + offset, toi = yi + 2 * read + offset
        store(load(r) + load(r + step), tor)
        store(load(i) + load(i + step), toi)
        store(dr * cosine - di * sine, tor + stride)
        store(dr * sine + di * cosine, toi + stride)
        offset += 4
      }
    }
  }

  /// Radix 3 over rows of `stride` values.
  static func radix3(
    _ places: Int, _ stride: Int, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>,
    _ wr: UnsafePointer<Float>, _ wi: UnsafePointer<Float>
  ) {
    // Cosine and sine of 60°.
    let half = Float(0.5)
    let root = Float(0.866_025_403_784_438_6)
    let step = places * stride
    for place in 0..<places {
      let w = 2 * place
      let read = place * stride
      var offset = 0
      while offset < stride {
        let r = xr + read + offset, i = xi + read + offset
        let sr = load(r + step) + load(r + 2 * step), si = load(i + step) + load(i + 2 * step)
        let er = (load(i + step) - load(i + 2 * step)) * root
        let ei = (load(r + 2 * step) - load(r + step)) * root
        let mr = load(r) - sr * half, mi = load(i) - si * half
        let tor = yr + 3 * read + offset, toi = yi + 3 * read + offset
        store(load(r) + sr, tor)
        store(load(i) + si, toi)
        let pr = mr + er, pi = mi + ei, qr = mr - er, qi = mi - ei
        store(pr * wr[w] - pi * wi[w], tor + stride)
        store(pr * wi[w] + pi * wr[w], toi + stride)
        store(qr * wr[w + 1] - qi * wi[w + 1], tor + 2 * stride)
        store(qr * wi[w + 1] + qi * wr[w + 1], toi + 2 * stride)
        offset += 4
      }
    }
  }

  /// Radix 5 over rows of `stride` values.
  static func radix5(
    _ places: Int, _ stride: Int, _ xr: UnsafePointer<Float>, _ xi: UnsafePointer<Float>,
    _ yr: UnsafeMutablePointer<Float>, _ yi: UnsafeMutablePointer<Float>,
    _ wr: UnsafePointer<Float>, _ wi: UnsafePointer<Float>
  ) {
    // Cosines and sines of 72° and 144°.
    let c1 = Float(0.309_016_994_374_947_45), c2 = Float(-0.809_016_994_374_947_5)
    let s1 = Float(0.951_056_516_295_153_5), s2 = Float(0.587_785_252_292_473_1)
    let step = places * stride
    for place in 0..<places {
      let read = place * stride
      var offset = 0
      while offset < stride {
        let r = xr + read + offset, i = xi + read + offset
        let ar = load(r + step) + load(r + 4 * step), ai = load(i + step) + load(i + 4 * step)
        let br = load(r + 2 * step) + load(r + 3 * step)
        let bi = load(i + 2 * step) + load(i + 3 * step)
        let cr = load(r + step) - load(r + 4 * step), ci = load(i + step) - load(i + 4 * step)
        let dr = load(r + 2 * step) - load(r + 3 * step)
        let di = load(i + 2 * step) - load(i + 3 * step)
        let mr = load(r) + ar * c1 + br * c2, mi = load(i) + ai * c1 + bi * c2
        let nr = load(r) + ar * c2 + br * c1, ni = load(i) + ai * c2 + bi * c1
        let er = ci * s1 + di * s2, ei = -(cr * s1 + dr * s2)
        let fr = ci * s2 - di * s1, fi = -(cr * s2 - dr * s1)
        let tor = yr + 5 * read + offset, toi = yi + 5 * read + offset
        store(load(r) + ar + br, tor)
        store(load(i) + ai + bi, toi)
        let rows = (
          (mr + er, mi + ei), (nr + fr, ni + fi), (nr - fr, ni - fi), (mr - er, mi - ei)
        )
        let w = 4 * place
        twiddled(rows.0, wr[w], wi[w], tor + stride, toi + stride)
        twiddled(rows.1, wr[w + 1], wi[w + 1], tor + 2 * stride, toi + 2 * stride)
        twiddled(rows.2, wr[w + 2], wi[w + 2], tor + 3 * stride, toi + 3 * stride)
        twiddled(rows.3, wr[w + 3], wi[w + 3], tor + 4 * stride, toi + 4 * stride)
        offset += 4
      }
    }
  }

  /// Stores a value times its twiddle.
  @inline(__always)
  private static func twiddled(
    _ value: (Vector, Vector), _ cosine: Float, _ sine: Float, _ real: Output,
    _ imaginary: Output
  ) {
    store(value.0 * cosine - value.1 * sine, real)
    store(value.0 * sine + value.1 * cosine, imaginary)
  }
}
