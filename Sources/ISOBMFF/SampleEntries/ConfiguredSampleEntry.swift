/// The sample entry of an AC-3, E-AC-3 or AC-4 track around its given configuration.
package struct DolbySampleEntry: WritableBox, Equatable {
  /// The coding.
  package enum Coding: String, Sendable, CaseIterable {
    /// AC-3: `dac3` of 3 bytes (ETSI TS 102 366, F.3 and F.4).
    case ac3 = "ac-3"
    /// E-AC-3: `dec3` of 5 bytes or more (ETSI TS 102 366, F.5 and F.6); with joint object coding
    /// it ends in flag and complexity index (ETSI TS 103 420, 8.3).
    case eac3 = "ec-3"
    /// AC-4: `dac4` with ac4_dsi_v1 (ETSI TS 103 190-2, E.4 to E.6).
    case ac4 = "ac-4"

    fileprivate var box: String {
      switch self {
      case .ac3: return "dac3"
      case .eac3: return "dec3"
      case .ac4: return "dac4"
      }
    }
  }

  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - coding: the coding.
  ///   - configuration: payload of the configuration box.
  ///   - channels: channels, 1…65535; readers take the true number from the configuration.
  ///   - sampleRate: Hz.
  ///   - boxes: whole boxes to follow.
  /// - Throws: ``BoxError`` for a configuration of an impossible length.
  package init(
    _ coding: Coding, configuration: [UInt8], channels: Int, sampleRate: Int, boxes: [UInt8] = []
  ) throws {
    let lengths = coding == .ac3 ? 3...3 : (coding == .eac3 ? 5...1024 : 3...65_536)
    guard lengths.contains(configuration.count) else {
      throw BoxError(coding.box, "configuration of \(configuration.count) bytes")
    }
    var builder = BoxBuilder()
    builder.box(coding.box) { $0.append(configuration) }
    entry = AudioSampleEntry(
      format: coding.rawValue, channels: channels, sampleRate: sampleRate,
      boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
