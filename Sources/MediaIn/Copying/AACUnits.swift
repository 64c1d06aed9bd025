// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform

/// The frames of an AAC track of any container but MP4, whose own tables have exact times.
///
/// Times are counted by frames, because other containers round them; a jump of the container's times to a later one is kept.
final class AACUnits: AccessUnitSource {
  /// A difference from the counted time that no container's rounding and no muxer's jitter explains: half a frame of 2,048 samples at 48
  /// kHz.
  private static let jump = MediaTime(ticks: 1, rate: 46)

  /// Seconds that no container's clock reaches, 68 years.
  private static let farthest: Int64 = 1 << 31
  /// A time that is so much earlier than counted begins anew, as where files were joined.
  private static let restart = MediaTime(ticks: 1, rate: 1)

  let timescale: Int64
  private(set) var origin: (ticks: Int64, rate: Int64) = (0, 1)

  private let frames: PacketFrames
  private let path: String
  private let log: DiagnosticLog
  /// Samples that each frame is decoded to.
  private let length: Int64
  private var begin: MediaTime?
  private var due: Int64 = 0
  private var isSlow = false

  /// The frames of `stream`, from the first one on.
  /// - Throws: ``MediaError`` of kind `unsupported-codec` for frames of unknown length, and as opening does.
  init(
    _ stream: StreamInfo, of media: MediaFile, options: InputOptions, log: DiagnosticLog
  ) throws {
    path = media.file.path
    self.log = log
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
    try follow(frame.time)
    defer { due += length }
    return AccessUnit(
      data: frame.data, time: due, duration: length, isSync: frame.isKey,
      isDamaged: frame.isDamaged)
  }

  /// Moves the count to a frame's `time` where that is another one than counted.
  private func follow(_ time: MediaTime) throws {
    guard time.ticks.magnitude / time.rate.magnitude < AACUnits.farthest.magnitude else {
      throw MediaError(.damaged, about: path, "the times of its audio are damaged")
    }
    if begin == nil { (begin, origin) = (time, (time.ticks, time.rate)) }
    let stated = time + -(begin ?? time)
    let counted = MediaTime(ticks: due, rate: timescale)
    if stated > counted + AACUnits.jump {
      due = MediaTime.rescale(stated.ticks, by: timescale, over: stated.rate)
    } else if stated + AACUnits.restart < counted {
      throw MediaError(
        .damaged, about: path,
        "its times go back from \(counted) to \(stated), as where two files were joined; \(WholeUnits.remedy)"
      )
    } else if stated + AACUnits.jump < counted, !isSlow {
      isSlow = true
      log.degrade(
        .timestampGap,
        "its timestamps run slower than its frames from \(counted) on; the copy counts frames"
      )
    }
  }
}
