import AudioCore
import ISOBMFF
import LibAV
import Loudness
import MediaIn
import Platform
import Timeline
import Verify

/// Reads a written MP4, Ogg or FLAC file back. Pinna's own reader checks the boxes of MP4; the
/// samples are read as those of any input: demuxed by libavformat, trimmed, decoded. FLAC must have
/// its own MD5.
struct EncodedProof {
  private let context: DeliveryContext
  /// Start-up samples that the edit list must skip.
  private let priming: Int
  /// Samples by which the track begins late. An edit list can't skip start-up samples that lie
  /// after the presentation's beginning, so players play them: they are silence from the encoder's
  /// zeros.
  private let startOffset: Int64
  /// The pictures that were copied.
  private let video: CopiedVideo?

  init(
    _ context: DeliveryContext, priming: Int = 0, startOffset: Int64 = 0,
    video: CopiedVideo? = nil
  ) {
    self.context = context
    self.priming = priming
    self.startOffset = startOffset
    self.video = video
  }

  private var target: OutputTarget { context.target }
  private var format: AudioFormat { context.format }
  private var frames: Int64 { context.output.frames }
  private var coding: Container.Coding { context.output.branch.plan.container.coding }
  private var kind: ContainerKind { context.output.branch.plan.container.kind }

  /// Reads the whole file. What was written of a lossless encoding stands in `account`; a lossy one is
  /// measured.
  /// - Throws: ``MediaError`` of kind `verification-failed` when track, edit list, length or samples
  ///   aren't as meant.
  func read(_ account: WrittenSound.Account?) throws -> WrittenFile {
    // An interruption and a lack of memory are no fault of the file.
    do { return try decode(account) } catch let error as MediaError
      where ![.interrupted, .outOfResources].contains(error.kind)
    {
      guard error.kind != .verificationFailed else { throw error }
      throw failure("it can't be read back (\(error.message))")
    }
  }

  private func decode(_ account: WrittenSound.Account?) throws -> WrittenFile {
    let log = DiagnosticLog()
    let file = try target.openedFile()
    if kind.traits.isMovie { try checkBoxes(file) }
    let track = try WrittenTrack(file, log: log)
    let written = try track.reader.programme.bedFormat(for: "the proof of a written file")
    guard written.sampleRate == format.sampleRate, written.channels == format.channels
    else {
      throw failure("its track is \(written.layout) at \(written.sampleRate) Hz")
    }
    // In these files no edit list skips the start-up samples, so the proof states how many there
    // are.
    let option =
      startOffset > 0 || coding.isForMediaSource ? PrimingOption.samples(priming) : .automatic
    let source = try track.trimmed(priming: option)
    let bed = try BedSource(source, for: "the proof of a written file")
    // Loudness depends on the layout, so it is measured again where readers see another one.
    let branch = context.output.branch.plan
    let sound = try ReadSound(
      format: written, stored: branch.container.proofFormat,
      isMeasured: account == nil || written.layout != format.layout,
      isDualMono: branch.isDualMono)
    let block = AudioBuffer(channels: format.channels, capacity: 8192)
    var done: Int64 = 0
    var more = true
    while more {
      block.removeAll()
      more = try bed.read(into: block)
      try sound.add(block)
      done += Int64(block.frames)
      try context.output.show(.verify, done)
    }
    // Reading holds the samples against the MD5, the last 16 of STREAMINFO's 34 bytes (RFC 9639, 8.2), where it isn't zero.
    let header = track.stream.extradata
    if kind.traits.statesSampleMD5, header.count != 34 || header[18...].allSatisfy({ $0 == 0 }) {
      throw failure("its header states no MD5 of its samples")
    }
    let plan = source.summary.plan
    guard plan.priming == priming else {
      throw failure("\(plan.priming) start-up samples are skipped, not \(priming)")
    }
    guard done == frames else { throw failure("it plays \(done) samples, not \(frames)") }
    guard log.degradations.isEmpty else { throw failure(log.degradations[0].message) }
    guard let found = sound.close(account),
      account.map({ $0.checksum == found.checksum }) ?? true
    else { throw failure("its samples aren't those that were written") }
    return WrittenFile(
      format: kind.rawValue, priming: option, layout: written.layout, samples: done,
      digest: sound.hexadecimal,
      statistics: found.statistics, spectrum: found.spectrum)
  }

  /// Checks boxes, tables and edit lists of a movie.
  /// - Throws: ``MediaError`` of kind `verification-failed` for the first fault.
  func checkBoxes(_ file: LocalFile) throws {
    let check = FragmentedMovieCheck(
      ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
    if let finding = check.findings.first { throw failure("\(finding)") }
    try PictureProof(target: target, video: video).check(file)
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written file isn't as meant: \(what); nothing was kept")
  }
}
