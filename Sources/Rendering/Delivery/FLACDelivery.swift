import AudioCore
import MediaOut

/// Writes a FLAC file and reads it back by libavcodec, against the MD5 in its header.
final class FLACDelivery: Delivery {
  private let context: DeliveryContext
  private let settings: Container.FLAC

  init(_ context: DeliveryContext, _ settings: Container.FLAC) {
    self.context = context
    self.settings = settings
  }

  func write() throws -> WrittenSound {
    var settings = FLACSettings(format: context.format)
    settings.bits = self.settings.encoding.integerBits ?? 24
    settings.dither = self.settings.dither
    settings.tags = SourceTags.carried(
      context.source.metadata, context.request.carriage, context.log)
    settings.maker = context.maker
    settings.encoderOptions = self.settings.encoderOptions
    settings.cover = context.companions.cover
    settings.chapters = context.commentedChapters
    settings.frames = context.output.frames
    if settings.chapters.count > FLACCueSheet.limit {
      context.log.decide(
        .chapters, "as comments only",
        why:
          "a cue sheet of FLAC holds \(FLACCueSheet.limit) tracks; comments have whole milliseconds"
      )
    }
    let writer = try FLACWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    return try send(context.output, to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    try EncodedProof(context).read(written.account)
  }
}
