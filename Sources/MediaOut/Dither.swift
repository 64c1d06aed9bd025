/// Noise added before rounding to integers (`--dither`).
public enum Dither: String, Sendable, CaseIterable, Codable {
  /// Plain rounding to nearest, ties to even.
  case none
  /// Triangular noise of ±1 LSB from a fixed seed, so that outputs repeat.
  case tpdf
}
