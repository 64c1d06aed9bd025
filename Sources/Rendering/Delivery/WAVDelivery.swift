// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaOut
import Verify

/// Writes WAV and reads it back with a reader that shares nothing with the writer.
final class WAVDelivery: Delivery {
  private let context: DeliveryContext
  /// Named samples that were written.
  private var markers: [CuePoint] = []

  init(_ context: DeliveryContext) { self.context = context }

  func write() throws -> WrittenSound {
    let format = stored
    if !WAVWriter.carries(format.layout), format.layout.unnamed == 0 {
      context.log.degrade(
        .layoutNotCarried,
        "WAV has no channel mask for \(format.layout); channels are written in its order without a "
          + "mask")
    }
    var texts = context.texts(context.tags)
    for name in InfoTags(texts.tags).cut {
      context.log.degrade(
        .tagCut,
        "the \(name) tag is longer than \(InfoTags.longest) bytes and was cut in INFO; "
          + "the ID3 tag of the file has all of it")
    }
    texts.pictures = context.framedPictures(texts.tags)
    texts.chapters = context.markers
    markers = points(texts.chapters)
    texts.broadcast = context.broadcast
    var settings = context.settings(texts)
    settings.format = format
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
  private func points(_ chapters: [ProgrammeMarker]) -> [CuePoint] {
    let points = CuePoint.points(of: chapters, rate: context.format.sampleRate)
    if points.count < chapters.count {
      context.log.degrade(
        .chaptersCut,
        (chapters.count - points.count).counted(
          "chapter begins after 2^32 samples, which WAV can't state, and is left out",
          "chapters begin after 2^32 samples, which WAV can't state, and are left out")
          + "; MP4 and FLAC have them all")
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
      encoding: context.coding.encoding, target: context.target, format: context.format,
      frames: context.output.frames, markers: markers, hasDigest: context.request.statesDigests
    ).read(account) { try context.output.show(.verify, $0) }
  }

  /// Proves header and bytes of a sound field, and measures it by `proof`.
  private func prove(_ written: WrittenSound, by proof: ProgrammeProof) throws -> WrittenFile {
    let header = WAVProof(
      encoding: context.coding.encoding, target: context.target, format: stored,
      frames: context.output.frames, markers: markers, hasDigest: context.request.statesDigests)
    let found = try header.readSamples(written.checksum ?? []) {
      try context.output.show(.verify, $0)
    }
    let levels = try proof.read(written)
    return WrittenFile(
      format: found.form, layout: levels.layout, samples: found.samples, digest: found.digest,
      statistics: levels.statistics, spectrum: levels.spectrum)
  }
}

/// Reads a written WAV file back with a reader that shares nothing with the writer, and compares its
/// samples with those that were written.
struct WAVProof {
  let encoding: SampleEncoding
  let target: OutputTarget
  let format: AudioFormat
  let frames: Int64
  /// Named samples that were written.
  var markers: [CuePoint] = []
  /// Whether a report states the SHA-256 of the samples.
  let hasDigest: Bool

  /// Reads the file that `account` was taken of.
  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant.
  func read(
    _ account: WrittenSound.Account, _ tell: (Int64) throws -> Void
  ) throws -> WrittenFile {
    let found = try readSamples(account.checksum, tell)
    return WrittenFile(
      format: found.form, layout: format.layout, samples: found.samples,
      digest: found.digest, statistics: account.statistics, spectrum: account.spectrum)
  }

  /// Reads the samples, whose bytes have `checksum`; the form is `wav` or `rf64`.
  /// - Throws: as ``read(_:_:)``.
  func readSamples(
    _ checksum: [UInt8], _ tell: (Int64) throws -> Void
  ) throws -> (form: String, samples: Int64, digest: String?) {
    // Channels that no mask names must have none; of layouts, some don't fit into masks.
    let mask =
      format.layout.unnamed > 0
      ? 0
      : WAVWriter.carries(format.layout) ? UInt32(truncatingIfNeeded: format.layout.mask) : nil
    var expectation = WAVExpectation(
      sampleRate: format.sampleRate, channels: format.channels, frames: frames,
      bits: encoding.integerBits ?? 32, isFloat: encoding == .float32, mask: mask)
    expectation.markers = markers.map { ($0.position, $0.title) }
    let found = try SampleProof(
      target: target, expectation: expectation, checksum: checksum, hasDigest: hasDigest
    ).read(tell)
    return (found.form == "RIFF" ? "wav" : "rf64", found.samples, found.digest)
  }
}

/// Reads the samples of a written WAV file back with a reader that shares nothing with the writer, and
/// compares them with those that were written.
struct SampleProof {
  let target: OutputTarget
  /// Facts that the header must state.
  let expectation: WAVExpectation
  /// Checksum of the bytes that were written.
  let checksum: [UInt8]
  /// Whether a report states the SHA-256 of the samples.
  let hasDigest: Bool

  /// The findings in the file.
  struct Found {
    /// Type of the file, e.g. `RIFF`.
    let form: String
    /// Samples per channel.
    let samples: Int64
    /// SHA-256 of the samples as they lie in the file; `nil` where no report states it.
    let digest: String?
  }

  /// - Throws: ``MediaError`` of kind `verification-failed` when header, length or samples aren't as
  ///   meant; what `tell` throws, which is called with the samples that have been read.
  func read(_ tell: (Int64) throws -> Void) throws -> Found {
    let reader = try WAVFileReader(
      descriptor: target.descriptor, name: target.name, channels: expectation.channels)
    try expectation.check(reader.header, name: target.name)
    var sum = try SampleSum(hasDigest: hasDigest)
    var done: Int64 = 0
    while let bytes = try reader.readBytes() {
      sum.update(bytes)
      done += Int64(bytes.count / reader.header.frameBytes)
      try tell(done)
    }
    guard sum.finish() == checksum else {
      throw MediaError(
        .verificationFailed, about: target.name,
        "its samples aren't those that were written; nothing was kept. Try again, or write to another "
          + "disk")
    }
    return Found(form: reader.header.form, samples: done, digest: sum.hexadecimal)
  }
}
