import AudioCore
import LibAV

/// Everything a ``FLACWriter`` must know before the first sample.
public struct FLACSettings: Sendable {
  /// Rate, 1…655350 Hz, and layout, 1…8 channels.
  public var format: AudioFormat
  /// Bits of a sample, 16 or 24.
  public var bits = 24
  /// Dither.
  public var dither = Dither.none
  /// Options for the encoder by libavcodec's names.
  public var encoderOptions: [String: String] = [:]
  /// Descriptive tags.
  public var tags = OutputTags()
  /// Who made the file, for ENCODED_BY.
  public var maker = ""
  /// Cover picture.
  public var cover: AttachedPicture?

  /// Settings without tags.
  public init(format: AudioFormat) { self.format = format }
}
