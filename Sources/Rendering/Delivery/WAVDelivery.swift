import AudioCore
import Loudness
import MediaOut
import Signal

/// Writes WAV and reads it back with a reader that shares nothing with the writer.
final class WAVDelivery: Delivery {
  private let context: DeliveryContext
  private let settings: Container.WAV

  init(_ context: DeliveryContext, _ settings: Container.WAV) {
    self.context = context
    self.settings = settings
  }

  func write() throws -> WrittenSound {
    let format = context.format
    var settings = WAVSettings(
      format: format, encoding: settings.encoding, dither: settings.dither,
      frames: context.output.frames)
    if !WAVWriter.carries(format.layout) {
      context.log.degrade(
        .layoutNotCarried,
        "WAV has no channel mask for \(format.layout); channels are written in its order without a "
          + "mask")
    }
    let metadata = context.source.metadata
    settings.tags = SourceTags.carried(metadata, context.request.carriage, context.log)
    settings.broadcast = broadcast(metadata)
    let writer = try WAVWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    return try send(context.output, to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    guard let account = written.account else {
      throw MediaError(
        .internal, about: context.target.name, "nothing was noted of what was written")
    }
    return try WAVProof(
      encoding: settings.encoding, target: context.target, format: context.format,
      frames: context.output.frames, account: account
    ).read { try context.output.show(.verify, $0) }
  }

  /// The broadcast extension (EBU Tech 3285) with the delivered levels and the coding history.
  private func broadcast(_ metadata: [String: String]) -> BroadcastInfo {
    let (plan, levels) = (context.output.plan, context.output.track.output)
    let carriage = context.request.carriage
    var info = BroadcastInfo(
      description: carriage.keepsMetadata
        ? metadata["description"] ?? metadata["title"] ?? "" : "",
      timeReference: timeReference,
      codingHistory: SourceTags.history(
        metadata, format: context.format, encoding: settings.encoding,
        step: codingStep(gainDB: plan.gainDB)))
    info.loudness = levels.integrated
    info.range = levels.range
    info.truePeak = levels.truePeak
    info.momentaryMax = levels.momentaryMax
    info.shortTermMax = levels.shortTermMax
    return info
  }

  /// What this run did to the sound, as a line of the coding history.
  private func codingStep(gainDB: Double) -> String {
    let branch = context.output.branch.plan
    var fields = ["endpoint=\(branch.endpoint.rawValue)", "codec=\(context.source.codec)"]
    fields.append("hrtf=\(branch.hrtfID ?? "none")")
    if let made = context.virtualization { fields.append(made.mark) }
    fields.append("gain=\(Decibels.signedText(gainDB))dB")
    return fields.joined(separator: "; ")
  }

  private var timeReference: UInt64 {
    UInt64(
      MediaTime.rescale(
        context.source.timeReference, by: Int64(context.format.sampleRate),
        over: Int64(context.source.rate)))
  }
}
