import AudioCore
import LibAV
import MediaIn
import Platform
import Timeline

/// Reads a written IAMF file or track back as any input is read, and compares elements, length and samples with what
/// was meant.
struct IAMFProof {
  let context: DeliveryContext
  /// What was written.
  let contents: IAMFContents

  /// Reads the whole file. What was written of a lossless encoding has a checksum; a lossy one has none.
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
      input: MediaInput(file: file), decoding: InputOptions(), log: log)
    try compare(track.programme)
    let source = try DigestedSource(track, stored: branch.container.proofFormat) {
      try context.output.show(.verify, $0)
    }
    let channels = try ChannelSource(source, layout: nil, log: DiagnosticLog())
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
    let rate = contents.programme.sampleRate
    guard found.sampleRate == rate, found.elements == contents.expected else {
      let wanted = Programme(sampleRate: rate, elements: contents.expected)
      throw context.target.unlike(
        "it holds \(found.contents) at \(found.sampleRate) Hz, not \(wanted.contents) at \(rate) Hz"
      )
    }
  }
}
