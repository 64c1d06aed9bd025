import AudioCore
import LibAV
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
    var settings = FLACSettings(format: try stored())
    settings.bits = self.settings.encoding.integerBits ?? 24
    settings.dither = self.settings.dither
    settings.tags = context.commentTags(atMost: FLACDelivery.mostTags)
    settings.maker = context.maker
    settings.encoderOptions = self.settings.encoderOptions
    settings.pictures = pictures()
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

  /// Bytes for tags: a block without the vendor, our mark and 999 chapters with titles of 2 kB.
  private static let mostTags = FLACWriter.longestBlock - 2_500_000

  /// The pictures that fit.
  private func pictures() -> [AttachedPicture] {
    let all = context.companions.pictures
    let fitting = all.filter(FLACWriter.takes)
    context.notePictures(all.count - fitting.count, limit: "16 MiB of a block of FLAC")
    return fitting
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    try context.fieldProof?.read(written) ?? EncodedProof(context).read(written.account)
  }

  /// The format of the file. FLAC has no channels without loudspeakers, so a sound field gets those that its channel count stands
  /// for by itself (RFC 9639, 9.1.3), and no mask.
  private func stored() throws -> AudioFormat {
    guard let field = context.keptField else { return context.format }
    guard let layout = field.order == 0 ? .mono : ChannelLayout(name: "quad"), field.order < 2
    else {
      throw MediaError(.internal, "a sound field of order \(field.order) in FLAC")
    }
    return AudioFormat(sampleRate: context.format.sampleRate, layout: layout)
  }
}
