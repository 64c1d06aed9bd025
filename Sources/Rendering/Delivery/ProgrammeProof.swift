// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import Signal
import Verify

/// Reads a file of beds and sound fields back as any input is read, and compares elements, length and samples with what
/// was meant.
struct ProgrammeProof {
  let context: DeliveryContext
  /// Samples that readers must find.
  let expected: Programme
  /// Facts about the file that readers have to know.
  let decoding: InputOptions

  /// A proof of IAMF with `contents`.
  init(_ context: DeliveryContext, _ contents: IAMFContents) {
    self.context = context
    expected = Programme(
      sampleRate: contents.programme.sampleRate, elements: contents.expected)
    decoding = InputOptions()
  }

  /// A proof of channels that are the sound field `field`, of which nothing in the file says so.
  init(_ context: DeliveryContext, field: FieldInput) {
    self.context = context
    expected = Programme(
      sampleRate: context.format.sampleRate, elements: [.scene(order: field.order)])
    var decoding = InputOptions()
    decoding.field = field
    self.decoding = decoding
  }

  /// Reads the whole file. A lossless encoding has a checksum; a lossy one has none.
  /// - Throws: ``MediaError`` of kind `verification-failed` when anything isn't as meant.
  func read(_ written: WrittenSound) throws -> WrittenFile {
    // An interruption and a lack of memory are no fault of the file.
    do { return try decode(written.checksum) } catch let error as MediaError
      where ![.interrupted, .outOfResources].contains(error.kind)
    {
      guard error.kind != .verificationFailed else { throw error }
      throw context.target.unlike("it can't be read back (\(error.message))")
    }
  }

  private func decode(_ written: [UInt8]?) throws -> WrittenFile {
    let log = DiagnosticLog()
    let branch = context.output.branch.plan
    let file = try context.target.openedFile()
    let track = try TrackSource(
      input: MediaInput(file: file), decoding: decoding, log: log)
    try compare(track.programme)
    let source = try DigestedSource(
      track, stored: branch.container.proofFormat, hasDigest: context.request.statesDigests
    ) { try context.output.show(.verify, $0) }
    let channels = try ChannelSource(source, levelsIn: branch.renderer.levelLayout)
    let levels = try SourceLevels(channels, isDualMono: branch.isDualMono)
    guard source.frames == context.output.frames else {
      throw context.target.unlike(
        "it plays \(source.frames) samples, not \(context.output.frames)")
    }
    if let first = log.degradations.first { throw context.target.unlike(first.message) }
    if let written, written != source.checksum() {
      throw context.target.unlike("its samples aren't those that were written")
    }
    return WrittenFile(
      format: branch.container.kind.rawValue, layout: channels.format.layout,
      samples: source.frames, digest: source.hexadecimal, statistics: levels.statistics,
      spectrum: levels.spectrum)
  }

  /// Compares what the elements are.
  private func compare(_ found: Programme) throws {
    guard found.sampleRate == expected.sampleRate, found.elements == expected.elements else {
      throw context.target.unlike(
        "it holds \(found.contents) at \(found.sampleRate) Hz, not \(expected.contents) at "
          + "\(expected.sampleRate) Hz")
    }
  }
}

/// A programme that sums up its planes while it is read.
final class DigestedSource: ProgrammeSource {
  let programme: Programme
  /// Samples per plane so far.
  private(set) var frames: Int64 = 0

  private let source: any ProgrammeSource
  private var sum: SampleSum
  private var packed: PackedBlock
  private let tell: (Int64) throws -> Void

  /// Reads `source`; its planes are summed up as `stored`.
  /// - Parameter tell: called with the samples so far; may throw.
  init(
    _ source: any ProgrammeSource, stored: SampleFormat, hasDigest: Bool,
    tell: @escaping (Int64) throws -> Void
  ) throws {
    self.source = source
    self.tell = tell
    programme = source.programme
    sum = try SampleSum(hasDigest: hasDigest)
    packed = PackedBlock(stored)
  }

  /// SHA-256 of the bytes of all planes; `nil` where no report states it.
  var hexadecimal: String? { sum.hexadecimal }

  /// Checksum of the same bytes. Call once.
  func checksum() -> [UInt8] { sum.finish() }

  /// Appends the next samples to `block`, which holds none yet; `false` at the end.
  func read(into block: ProgrammeBlock) throws -> Bool {
    let hasMore = try source.read(into: block)
    packed.withBytes(block.audio) { sum.update($0) }
    frames += Int64(block.audio.frames)
    try tell(frames)
    return hasMore
  }
}
