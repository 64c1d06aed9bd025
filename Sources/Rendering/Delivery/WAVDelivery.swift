import AudioCore
import MediaOut

/// Writes WAV and reads it back with a reader that shares nothing with the writer.
final class WAVDelivery: Delivery {
  private let context: DeliveryContext
  private let settings: Container.WAV
  /// Named samples that were written.
  private var markers: [CuePoint] = []

  init(_ context: DeliveryContext, _ settings: Container.WAV) {
    self.context = context
    self.settings = settings
  }

  func write() throws -> WrittenSound {
    let format = context.format
    var settings = WAVSettings(
      format: format, encoding: settings.encoding, dither: settings.dither,
      frames: context.output.frames)
    if !WAVWriter.carries(format.layout), format.layout.unnamed == 0 {
      context.log.degrade(
        .layoutNotCarried,
        "WAV has no channel mask for \(format.layout); channels are written in its order without a "
          + "mask")
    }
    let metadata = context.source.metadata
    settings.tags = SourceTags.carried(metadata, context.request.carriage, context.log)
    markers = points()
    settings.markers = markers
    settings.broadcast = context.broadcast(self.settings.encoding)
    let writer = try WAVWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    return try send(context.output, to: writer)
  }

  /// The chapters as named samples.
  private func points() -> [CuePoint] {
    let chapters = context.markers
    let points = CuePoint.points(of: chapters, rate: context.format.sampleRate)
    if points.count < chapters.count {
      context.log.degrade(
        .chaptersCut,
        "\(chapters.count - points.count) chapter(s) begin after 2^32 samples, which WAV can't state, "
          + "and are left out; MP4 and FLAC have them all")
    }
    return points
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    guard let account = written.account else {
      throw MediaError(
        .internal, about: context.target.name, "nothing was noted of what was written")
    }
    return try WAVProof(
      encoding: settings.encoding, target: context.target, format: context.format,
      frames: context.output.frames, markers: markers, account: account
    ).read { try context.output.show(.verify, $0) }
  }
}
