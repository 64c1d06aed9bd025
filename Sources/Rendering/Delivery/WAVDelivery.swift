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
    let format = stored
    var settings = WAVSettings(
      format: format, encoding: settings.encoding, dither: settings.dither,
      frames: context.output.frames)
    if !WAVWriter.carries(format.layout), format.layout.unnamed == 0 {
      context.log.degrade(
        .layoutNotCarried,
        "WAV has no channel mask for \(format.layout); channels are written in its order without a "
          + "mask")
    }
    settings.tags = context.tags
    for name in InfoTags(settings.tags).cut {
      context.log.degrade(
        .tagCut,
        "the \(name) tag is longer than \(InfoTags.longest) bytes and was cut in INFO; "
          + "the ID3 tag of the file has all of it")
    }
    settings.pictures = context.framedPictures(settings.tags)
    markers = points()
    settings.markers = markers
    settings.broadcast = context.broadcast(self.settings.encoding)
    let writer = try WAVWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    return try send(context.output, to: writer)
  }

  /// The format of the file: a sound field has channels that no mask names.
  private var stored: AudioFormat {
    guard let field = context.keptField else { return context.format }
    return AudioFormat(
      sampleRate: context.format.sampleRate, layout: ChannelLayout(unnamed: field.channels))
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
    if let proof = context.fieldProof { return try prove(written, by: proof) }
    guard let account = written.account else {
      throw MediaError(
        .internal, about: context.target.name, "nothing was noted of what was written")
    }
    return try WAVProof(
      encoding: settings.encoding, target: context.target, format: context.format,
      frames: context.output.frames, markers: markers
    ).read(account) { try context.output.show(.verify, $0) }
  }

  /// Proves header and bytes of a sound field, and measures it by `proof`.
  private func prove(_ written: WrittenSound, by proof: ProgrammeProof) throws -> WrittenFile {
    let header = WAVProof(
      encoding: settings.encoding, target: context.target, format: stored,
      frames: context.output.frames, markers: markers)
    let found = try header.readSamples(written.checksum ?? []) {
      try context.output.show(.verify, $0)
    }
    let levels = try proof.read(written)
    return WrittenFile(
      format: found.form, layout: levels.layout, samples: found.samples, digest: found.digest,
      statistics: levels.statistics, spectrum: levels.spectrum)
  }
}
