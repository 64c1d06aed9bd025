// SPDX-License-Identifier: Apache-2.0

/// The sample entry of an AC-3, E-AC-3 or AC-4 track around its given configuration.
package struct DolbySampleEntry: WritableBox, Equatable {
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

/// The sample entry of an MPEG-H 3D Audio track around its given configuration (ISO/IEC 23008-3, 20.5).
package struct MPEGHSampleEntry: WritableBox, Equatable {
  /// The forms of its samples.
  package enum Form: String, Sendable, CaseIterable {
    /// One stream of plain frames; `mhaC` is mandatory.
    case frames = "mha1"
    /// Frames of one of several streams; `mhaC` is mandatory.
    case framesOfSeveral = "mha2"
    /// Packets of one stream (MHAS), which may hold the configuration themselves.
    case packets = "mhm1"
    /// Packets of one of several streams.
    case packetsOfSeveral = "mhm2"

    /// Whether the samples can't be decoded without `mhaC`.
    package var needsConfiguration: Bool { self == .frames || self == .framesOfSeveral }
  }

  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - form: the form of its samples.
  ///   - configuration: payload of `mhaC`; empty where the source has none.
  ///   - channels: channels, 0…65535; 0 where the configuration alone states them.
  ///   - sampleRate: Hz.
  /// - Throws: ``BoxError`` for a configuration that is too short, or missing where it is needed.
  package init(
    _ form: Form, configuration: [UInt8], channels: Int, sampleRate: Int
  ) throws {
    // configurationVersion, mpegh3daProfileLevelIndication, referenceChannelLayout, mpegh3daConfigLength.
    let isLong = configuration.count >= 5
    guard isLong || configuration.isEmpty && !form.needsConfiguration else {
      throw BoxError("mhaC", "configuration of \(configuration.count) bytes")
    }
    var builder = BoxBuilder()
    if isLong { builder.box("mhaC") { $0.append(configuration) } }
    entry = AudioSampleEntry(
      format: form.rawValue, channels: channels, sampleRate: sampleRate, boxes: builder.bytes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
