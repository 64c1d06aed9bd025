/// Which dynamic range control gains of AC-3 and E-AC-3 a decoder applies (ETSI TS 102 366, 6.7).
public enum DynamicRange: String, Sendable, CaseIterable, Codable {
  /// None.
  case off
  /// Line mode: the `dynrng` gains.
  case line
  /// RF mode: the `compr` gains.
  case rf

  /// Options of libavcodec's ac3 and eac3 decoders.
  var decoderOptions: [String: String] {
    switch self {
    case .off: return ["drc_scale": "0"]
    case .line: return ["drc_scale": "1"]
    case .rf: return ["drc_scale": "1", "heavy_compr": "1"]
    }
  }
}
