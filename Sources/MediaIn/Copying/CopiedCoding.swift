import ISOBMFF

/// A coding that can be copied without decoding it.
package enum CopiedCoding: Equatable, Sendable {
  /// AC-3, E-AC-3 or AC-4.
  case dolby(DolbySampleEntry.Coding)
  /// MPEG-H 3D Audio, whose frames are samples of MP4 already.
  case mpegH(MPEGHSampleEntry.Form)
  /// IAMF, whose frames are temporal units.
  case iamf

  /// What MP4 calls it.
  package var name: String {
    switch self {
    case .dolby(let coding): return coding.rawValue
    case .mpegH(let form): return form.rawValue
    case .iamf: return "iamf"
    }
  }
}
