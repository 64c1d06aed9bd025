import AudioCore
import LibAV
import MediaOut
import Samples
import Verify

/// Writes BW64 with metadata (ITU-R BS.2076-2, BS.2088-1), and reads samples and metadata back.
final class BW64Delivery: Delivery {
  private let context: DeliveryContext
  private let settings: Container.WAV
  /// Checksum of the samples that were written.
  private var checksum: [UInt8] = []

  init(_ context: DeliveryContext, _ settings: Container.WAV) {
    self.context = context
    self.settings = settings
  }

  func write() throws -> WrittenSound {
    let output = context.output
    let metadata = try ObjectMetadata(
      name: context.title ?? context.fileTitle, programme: programme,
      updates: output.branch.kept?.updates ?? [],
      length: output.frames, bitDepth: settings.encoding.integerBits,
      times: settings.admTimes)
    let writer = try BW64Writer(
      descriptor: context.target.descriptor, name: context.target.name,
      settings: BW64Settings(
        sampleRate: context.format.sampleRate, tracks: output.branch.tracks,
        encoding: settings.encoding, dither: settings.dither),
      leading: [context.broadcast(settings.encoding).chunk, metadata.tracks])
    let tags = context.tags
    writer.trailing =
      [metadata.document] + WAVChunk.id3(tags, pictures: context.framedPictures(tags))
    let written = try send(output, to: writer)
    checksum = written.checksum ?? []
    return written
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    let output = context.output
    let found = try SampleProof(
      target: context.target,
      expectation: WAVExpectation(
        sampleRate: context.format.sampleRate, channels: output.branch.tracks,
        frames: output.frames, bits: settings.encoding.integerBits ?? 32,
        isFloat: settings.encoding == .float32),
      checksum: checksum
    ).read { try output.show(.verify, $0) }
    let proof = ObjectProof(target: context.target, programme: programme)
    guard let kept = output.branch.kept else {
      guard let account = written.account else {
        throw MediaError(
          .internal, about: context.target.name, "nothing was noted of what was written")
      }
      return WrittenFile(
        format: ContainerKind.bw64.rawValue, layout: try proof.layout(context.format.layout),
        samples: found.samples, digest: found.digest, statistics: account.statistics,
        spectrum: account.spectrum)
    }
    let levels = try proof.levels(kept, isDualMono: output.branch.plan.isDualMono)
    return WrittenFile(
      format: ContainerKind.bw64.rawValue, layout: context.format.layout, samples: found.samples,
      digest: found.digest, statistics: levels.statistics, spectrum: levels.spectrum)
  }

  /// What the file holds.
  private var programme: Programme {
    context.output.branch.kept?.programme ?? Programme(context.format)
  }
}
