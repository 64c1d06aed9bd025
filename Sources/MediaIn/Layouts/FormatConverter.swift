// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Signal

/// Converts frames to the format of the track: after a change of format in mid-stream, and those of codecs that are
/// decoded at a higher rate than Pinna works at.
final class FormatConverter {
  /// The format that everything is converted to.
  let target: TrackFormat
  /// Exchanges and gains for the channels of a sound field; `nil` for loudspeaker channels.
  private let field: FieldPlanes?
  /// Exchanges for loudspeaker channels that lie in another order than the mask's.
  private let order: PlaneSwaps?
  /// Rate at which the codec is decoded, Hz, where that is higher than the target's on purpose.
  private let decodedRate: Int?
  private let log: DiagnosticLog
  private var current: TrackFormat?
  private var resampler: Resampler?
  private var inputs: [Int: AudioBuffer] = [:]

  init(
    target: TrackFormat, field: FieldPlanes? = nil, order: PlaneSwaps? = nil,
    decodedRate: Int? = nil, log: DiagnosticLog
  ) {
    self.target = target
    self.field = field
    self.order = order
    self.decodedRate = decodedRate
    self.log = log
  }

  /// Whether frames are being converted now.
  var isActive: Bool { resampler != nil }

  /// Appends `frame`, which has `format`, converted where it differs from the target.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` where that takes a conversion of a sound field, or one of channels
  ///   in another order than the mask's to another layout.
  func append(_ frame: Frame, format: TrackFormat, to output: AudioBuffer) throws {
    if format == target {
      try finish(into: output)
      try frame.append(to: output)
      return
    }
    if format != current {
      try finish(into: output)
      guard let from = format.bed, let to = target.bed else {
        throw MediaError(
          .unsupportedFeature,
          "a track of \(format.channels) channels at \(format.sampleRate) Hz can't become a sound field of "
            + "\(target.channels) channels at \(target.sampleRate) Hz; convert it before")
      }
      guard from.layout == to.layout || order?.isEmpty != false else {
        throw MediaError(
          .unsupportedFeature,
          "a track of channels in an order of their own changes in mid-stream from \(to.layout) to \(from.layout); cut "
            + "it there, or bring its channels to the usual order before")
      }
      let fresh = Resampler(to: to)
      _ = try fresh.prepare(from)
      resampler = fresh
      current = format
      note(from, to)
    }
    let scratch = inputs[format.channels] ?? AudioBuffer(channels: format.channels)
    inputs[format.channels] = scratch
    scratch.removeAll()
    try frame.append(to: scratch)
    try resampler?.process(scratch, into: output)
  }

  /// Brings the channels of the frames from `start` on to the programme's planes.
  func arrange(_ buffer: AudioBuffer, from start: Int) {
    order?.apply(to: buffer, from: start)
    field?.arrange(buffer, from: start)
  }

  private func note(_ format: AudioFormat, _ target: AudioFormat) {
    guard format.sampleRate != decodedRate || format.layout != target.layout else {
      log.decide(
        .rate, "\(target.sampleRate) Hz",
        why:
          "the codec is decoded at \(format.sampleRate) Hz with noise above the audible band; a filter "
          + "passes \(ConversionFilter.passBand * 100) % of the new band and stops by "
          + "\(ConversionFilter.stopLevel) dB beyond it")
      return
    }
    log.degrade(
      .formatChange,
      "the track changes in mid-stream to \(format.layout) at \(format.sampleRate) Hz; "
        + "converted to \(target.layout) at \(target.sampleRate) Hz")
  }

  /// Drains a running conversion at the end of a stretch, and brings what comes of it to the programme's planes.
  func drain(into output: AudioBuffer) throws {
    let start = output.frames
    try finish(into: output)
    arrange(output, from: start)
  }

  /// Drains a running conversion.
  private func finish(into output: AudioBuffer) throws {
    guard let running = resampler else { return }
    resampler = nil
    current = nil
    // The resampler's finish may trim what it appended, so it gets a buffer of its own.
    let rest = AudioBuffer(channels: target.channels)
    try running.finish(into: rest)
    output.append(rest)
  }
}

/// The format of decoded frames.
struct TrackFormat: Equatable {
  /// Hz.
  var sampleRate: Int
  /// Content of the channels: a bed or a sound field.
  var content: Programme.Element
  /// Whether two channels follow that don't turn with the head.
  var hasHeadLockedStereo = false

  /// Number of channels.
  var channels: Int { content.planes + (hasHeadLockedStereo ? 2 : 0) }

  /// Contents of the programme, plane by plane.
  var elements: [Programme.Element] {
    [content] + (hasHeadLockedStereo ? TrackFormat.headLockedStereo : [])
  }

  /// Left and right of a pair of loudspeakers in front, which headphones get as they are, at their ears.
  private static let headLockedStereo = [("left", 30.0), ("right", -30.0)].map { name, azimuth in
    Programme.Element.object(
      name: "head-locked \(name)",
      start: ObjectState(
        position: .polar(Direction(azimuth: azimuth), distance: 1),
        rules: ObjectRules(headphones: .off, isHeadLocked: true)))
  }

  /// The format of loudspeaker channels; `nil` for a sound field.
  var bed: AudioFormat? {
    guard case .bed(let layout) = content else { return nil }
    return AudioFormat(sampleRate: sampleRate, layout: layout)
  }

  /// A format of what `content` holds, at `sampleRate` Hz.
  init(sampleRate: Int, content: Programme.Element) {
    self.sampleRate = sampleRate
    self.content = content
  }

  /// The format of loudspeaker channels.
  init(sampleRate: Int, layout: ChannelLayout) {
    self.init(sampleRate: sampleRate, content: .bed(layout))
  }
}
