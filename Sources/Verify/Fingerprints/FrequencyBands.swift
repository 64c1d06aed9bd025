import Platform

/// Ranges of bins for bands along a perceptual or logarithmic scale.
struct FrequencyBands {
  /// One band.
  struct Band {
    /// Bins that belong to it.
    let bins: Range<Int>
    /// Lower edge in Hz.
    let low: Double
    /// Upper edge in Hz.
    let high: Double
    /// Centre in Hz.
    var center: Double { (low * high).squareRoot() }
  }

  let bands: [Band]

  /// Bands between neighbouring edges in Hz; those that hold no bin are left out.
  init(edges: [Double], spacing: Double, bins: Int) {
    bands = zip(edges, edges.dropFirst()).compactMap { low, high in
      let first = max(1, Int((low / spacing).rounded(.up)))
      let end = min(bins, Int((high / spacing).rounded(.up)))
      return first < end ? Band(bins: first..<end, low: low, high: high) : nil
    }
  }

  /// Forty bands of equal width on the mel scale (O'Shaughnessy's formula) from 50 Hz to 16 kHz
  /// or half the rate.
  static func mel(spacing: Double, bins: Int) -> FrequencyBands {
    let mel = { (hertz: Double) in 2595 * log10(1 + hertz / 700) }
    let top = mel(min(16_000, spacing * Double(bins - 1)))
    let edges = (0...40).map { step in
      let value = mel(50) + (top - mel(50)) * Double(step) / 40
      return 700 * (pow(10, value / 2595) - 1)
    }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }

  /// Bands of one ERB (Glasberg and Moore, 1990) from 100 Hz to 16 kHz.
  static func erb(spacing: Double, bins: Int) -> FrequencyBands {
    let number = { (hertz: Double) in 21.4 * log10(1 + 0.00437 * hertz) }
    let top = number(min(16_000, spacing * Double(bins - 1)))
    let edges = stride(from: number(100), through: top, by: 1).map {
      (pow(10, $0 / 21.4) - 1) / 0.00437
    }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }

  /// Bands of a twelfth of an octave from 100 Hz to half the rate; low bands that hold no bin are
  /// left out.
  static func twelfths(spacing: Double, bins: Int) -> FrequencyBands {
    let top = spacing * Double(bins - 1)
    let count = max(1, Int(12 * log2(top / 100)))
    let edges = (0...count).map { 100 * pow(2, Double($0) / 12) }
    return FrequencyBands(edges: edges, spacing: spacing, bins: bins)
  }
}
