/// Filters of second order one behind the other, for two channels side by side.
final class BiquadChain {
  /// A filter with what it remembers; the two lanes are the two channels.
  private struct Section {
    var b0, b1, b2, a1, a2: SIMD2<Double>
    var x1 = SIMD2<Double>.zero
    var x2 = SIMD2<Double>.zero
    var y1 = SIMD2<Double>.zero
    var y2 = SIMD2<Double>.zero

    init(_ left: Biquad, _ right: Biquad) {
      b0 = SIMD2(left.b0, right.b0)
      b1 = SIMD2(left.b1, right.b1)
      b2 = SIMD2(left.b2, right.b2)
      a1 = SIMD2(left.a1, right.a1)
      a2 = SIMD2(left.a2, right.a2)
    }
  }

  /// Samples between channels and filters: they stay in the nearest cache.
  private static let piece = 512
  private var sections: [Section]
  private let work: UnsafeMutableBufferPointer<SIMD2<Double>>

  /// The filters of a left and a right channel; the shorter list is filled up with filters that do nothing.
  init(_ left: [Biquad], _ right: [Biquad]) {
    sections = (0..<max(left.count, right.count)).map { index in
      Section(
        index < left.count ? left[index] : .identity,
        index < right.count ? right[index] : .identity)
    }
    work = .allocate(capacity: Self.piece)
    work.initialize(repeating: .zero)
  }

  deinit { work.deallocate() }

  /// Filters as many samples as `left` and `right` have into two other planes; both lanes may be the same plane, if they
  /// have the same filters.
  func process(
    _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>,
    gains: SIMD2<Double>,
    into outLeft: Slice<UnsafeMutableBufferPointer<Float>>,
    _ outRight: Slice<UnsafeMutableBufferPointer<Float>>
  ) {
    var position = 0
    while position < left.count {
      let count = min(Self.piece, left.count - position)
      for index in 0..<count {
        work[index] = gains * SIMD2(Double(left[position + index]), Double(right[position + index]))
      }
      for index in sections.indices { Self.run(&sections[index], work, count) }
      let (first, second) = (outLeft.startIndex + position, outRight.startIndex + position)
      for index in 0..<count {
        outLeft.base[first + index] = Float(work[index].x)
        outRight.base[second + index] = Float(work[index].y)
      }
      position += count
    }
  }

  /// Direct form 1: only the newest output waits for the one before it.
  private static func run(
    _ section: inout Section, _ samples: UnsafeMutableBufferPointer<SIMD2<Double>>, _ count: Int
  ) {
    let own = section
    var (x1, x2, y1, y2) = (own.x1, own.x2, own.y1, own.y2)
    for index in 0..<count {
      let x = samples[index]
      let y = own.b0 * x + own.b1 * x1 + own.b2 * x2 - own.a2 * y2 - own.a1 * y1
      (x2, x1) = (x1, x)
      (y2, y1) = (y1, y)
      samples[index] = y
    }
    // Numbers this small would slow the processor down, and can't be heard.
    section.x1 = x1
    section.x2 = x2
    section.y1 = quiet(y1)
    section.y2 = quiet(y2)
  }

  private static func quiet(_ value: SIMD2<Double>) -> SIMD2<Double> {
    value.replacing(with: 0, where: value .< 1e-200 .& value .> -1e-200)
  }
}
