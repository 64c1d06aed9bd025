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
