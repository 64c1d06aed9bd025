// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaOut

/// Holds the peaks of a lossy output in single packets, where a limiter is asked for and the codec allows it.
final class PeakHold {
  private let output: RenderedOutput
  /// The packets as they will be written; `nil` where the sound is encoded while it is written.
  private(set) var held: HeldEncoding?
  /// All encodings so far, because the output may go back to the plan of a former one.
  private var encodings: [HeldEncoding] = []

  init(_ output: RenderedOutput) { self.output = output }

  /// How packets of the output are replaced; `nil` where a limiter doesn't hold its peaks, or an option of the user's makes
  /// packets depend on each other.
  private var replacement: PacketReplacement? {
    let plan = output.branch.plan
    let coding = plan.container.coding
    guard let replacement = coding.codec.traits.replacement, coding.iamf == nil,
      plan.level?.peakPolicy == .limit, output.rendered.integrated != nil, output.frames > 0,
      replacement.options.allSatisfy({ name, value in
        coding.encoderOptions[name].map { $0 == value } ?? true
      })
    else { return nil }
    return replacement
  }

  /// Whether peaks are held in packets.
  var isWanted: Bool { replacement != nil }

  /// `settings`, with the options by which packets can be replaced.
  func settings(_ settings: SoundSettings) -> SoundSettings {
    var settings = settings
    settings.coding.encoderOptions.merge(replacement?.options ?? [:]) { own, _ in own }
    return settings
  }

  /// Encodes the sound ahead as `settings` state, where its peaks can be held, and lowers those that the last proof found too
  /// high; `send` writes all of it to the sink that it gets. To be called each time before the output is written.
  /// - Throws: ``MediaError`` or ``LibAVError`` when it can't be encoded or stored.
  func hold(
    _ settings: SoundSettings, send: (any AudioSink) throws -> Void
  ) throws {
    guard let replacement, let level = output.target else { return }
    if let known = encodings.first(where: { $0.plan == output.plan }) {
      // The curve of the gain is that of the last replay, which another plan's was.
      if known !== held { try output.replay { _ in } }
      held = known
      try known.lower()
    } else {
      // Packets go to the new encoding, not to the writer, while it is made.
      held = nil
      let fresh = try HeldEncoding(
        output, settings, replacement, ceiling: level.truePeak, send: send)
      encodings.append(fresh)
      held = fresh
    }
    output.dips = held?.dips
  }

  /// Finds the peaks that are to be lowered in what is read of the output; `nil` where none are.
  var locator: PeakLocator? {
    guard held != nil, let level = output.target else { return nil }
    return PeakLocator(format: output.branch.format, limit: HeldEncoding.limit(level.truePeak))
  }

  /// Takes what the proof of the written output found.
  func take(_ file: WrittenFile) -> WrittenFile {
    held?.judge(file.peaks)
    return file
  }

  /// The remedy for peaks that are left.
  var remedy: PeakRemedy { held?.remedy ?? .gain(nil) }

  /// Reports where packets were replaced, and what their encoding was asked for to that end.
  func note(_ log: DiagnosticLog) {
    guard let held, let replacement else { return }
    held.note(log)
    guard !replacement.options.isEmpty else { return }
    let options = replacement.options.map { "\($0)=\($1)" }.sorted().joined(separator: " ")
    log.decide(
      .codec, "\(output.branch.plan.container.coding.codec.rawValue) with \(options)",
      why:
        "every decoder makes the same of such packets, and single ones can be encoded again where the encoding lifts a "
        + "peak; \(setting: .peakPolicy) lower leaves the encoder its own way")
  }
}

/// A delivery of encodings, whose packets may be encoded ahead.
protocol HeldDelivery: Delivery {
  var context: DeliveryContext { get }
  var peaks: PeakHold { get }
}

extension HeldDelivery {
  var peakRemedy: PeakRemedy { peaks.remedy }

  func notePeaks() { peaks.note(context.log) }

  /// Encodes the sound ahead as `settings` state, where its peaks are held.
  func holdPeaks(_ settings: SoundSettings) throws {
    try peaks.hold(settings) { _ = try send(context.output, to: $0) }
  }

  /// Writes the packets to `writer` where they were encoded ahead, else all of the sound.
  func send(to writer: any PacketSink) throws -> WrittenSound {
    guard let held = peaks.held else { return try send(context.output, to: writer) }
    try writer.write(held.store)
    return WrittenSound(clipped: 0, checksum: nil, account: nil)
  }
}
