import AudioCore
import MediaOut

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
    settings.broadcast = context.broadcast(self.settings.encoding)
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
}
