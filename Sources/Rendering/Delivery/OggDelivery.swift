import AudioCore
import MediaOut

/// Writes Opus in Ogg and reads it back: its pre-skip and its last page's granule position must give
/// the exact length.
final class OggDelivery: Delivery {
  private let context: DeliveryContext
  private let settings: Container.Ogg
  /// Start-up samples of the encoder.
  private var priming = 0

  init(_ context: DeliveryContext, _ settings: Container.Ogg) {
    self.context = context
    self.settings = settings
  }

  func write() throws -> WrittenSound {
    var settings = OggOpusSettings(format: context.format)
    settings.bitRate = self.settings.bitRate
    settings.encoderOptions = self.settings.encoderOptions
    settings.tags = context.commentTags()
    settings.maker = context.maker
    settings.integrated = context.output.track.output.integrated
    settings.pictures = context.companions.pictures
    settings.chapters = context.commentedChapters
    let writer = try OggOpusWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    priming = writer.initialPadding
    return try send(context.output, to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    try EncodedProof(context, priming: priming).read(written.account)
  }
}
