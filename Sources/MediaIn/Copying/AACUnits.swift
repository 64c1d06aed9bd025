import AudioCore
import LibAV
import Platform

/// The frames of an AAC track of any container but MP4, whose own tables have exact times.
///
/// Times are counted by frames, because other containers round them; a jump of the container's times is kept.
final class AACUnits: AccessUnitSource {
  /// A difference from the counted time that no container's rounding and no muxer's jitter explains: half a frame of 2,048 samples at 48
  /// kHz.
  private static let jump = MediaTime(ticks: 1, rate: 46)

  let timescale: Int64
  private(set) var origin: (ticks: Int64, rate: Int64) = (0, 1)

  private let frames: PacketFrames
  private let path: String
  /// Samples that each frame is decoded to.
  private let length: Int64
  private var begin: MediaTime?
  private var due: Int64 = 0

  /// The frames of `stream`, from the first one on.
  /// - Throws: ``MediaError`` of kind `unsupported-codec` for frames of unknown length, and as opening does.
  init(_ stream: StreamInfo, of media: MediaFile, options: InputOptions) throws {
    path = media.file.path
    let form: PacketForm = stream.extradata.isEmpty ? .adts : .asStored
    let wanted = FrameStream(stream, form, preRoll: MediaTime(ticks: 0, rate: 1))
    guard let frame = wanted.frame else {
      throw MediaError(
        .unsupportedCodec, about: path,
        "its frames of AAC state no length; choose another \(setting: .codec)")
    }
    (timescale, length) = (frame.rate, frame.ticks)
    frames = try PacketFrames(
      file: media.file, [wanted], range: FrameRange(begin: nil, end: nil), options: options)
  }

  /// AudioSpecificConfig of the first header of ADTS; `nil` before it was read, and where frames have none.
  var configuration: [UInt8]? { frames.configuration(of: 0) }

  func next() throws -> AccessUnit? {
    guard let frame = try frames.next() else {
      if let fault = frames.fault(of: 0) {
        throw MediaError(
          .unsupportedCodec, about: path,
          "its AAC can't be copied: \(fault); choose another \(setting: .codec)")
      }
      if let damage = frames.damage {
        throw MediaError(.damaged, about: path, "is damaged (\(damage)); \(WholeUnits.remedy)")
      }
      return nil
    }
    let begin = begin ?? frame.time
    if self.begin == nil { origin = (frame.time.ticks, frame.time.rate) }
    self.begin = begin
    let stated = frame.time + -begin
    let counted = MediaTime(ticks: due, rate: timescale)
    if max(stated, counted) + -min(stated, counted) > AACUnits.jump {
      due = MediaTime.rescale(stated.ticks, by: timescale, over: stated.rate)
    }
    defer { due += length }
    return AccessUnit(
      data: frame.data, time: due, duration: length, isSync: frame.isKey,
      isDamaged: frame.isDamaged)
  }
}
