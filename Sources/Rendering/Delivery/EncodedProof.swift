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

  /// Reads the whole file.
  /// - Throws: ``MediaError`` of kind `verification-failed` when track, edit list or length aren't
  ///   as meant.
  func read() throws -> WrittenFile {
    // An interruption is no fault of the file.
    do { return try decode() } catch let error as MediaError where error.kind != .interrupted {
      guard error.kind != .verificationFailed else { throw error }
      throw failure("it can't be read back (\(error.message))")
    }
  }

  private func decode() throws -> WrittenFile {
    let log = DiagnosticLog()
    let file = try LocalFile(descriptor: dup(target.descriptor), name: target.name)
    if kind.traits.isMovie { try checkBoxes(file) }
    let media = try MediaFile(file: file)
    let opener = TrackOpener(media)
    let stream = try opener.select(TrackChoice("default"), log: log)
    let reader = try opener.open(stream, options: InputOptions(), log: log)
    let written = try reader.programme.bedFormat(for: "the proof of a written file")
    guard written.sampleRate == format.sampleRate, written.channels == format.channels
    else {
      throw failure("its track is \(written.layout) at \(written.sampleRate) Hz")
    }
    // In these files no edit list skips the start-up samples, so the proof states how many there
    // are.
    let source = try TrimmedSource(
      source: reader, facts: media.gaplessFacts(of: stream),
      priming: startOffset > 0 || coding.isForMediaSource ? .samples(priming) : .automatic, log: log
    )
    let bed = try BedSource(source, for: "the proof of a written file")
    let meter = try LoudnessMeter(
      format: written, dualMono: context.output.branch.plan.isDualMono)
    let spectrum = try LongTermSpectrum(format: written)
    let block = AudioBuffer(channels: format.channels, capacity: 8192)
    var digest = PCMDigest()
    var sum =
      kind.traits.statesSampleMD5
      ? SampleMD5(bits: coding.encoding.integerBits ?? 24) : nil
    var done: Int64 = 0
    var more = true
    while more {
      block.removeAll()
      more = try bed.read(into: block)
      try meter.add(block)
      sum?.update(block)
      spectrum.add(block)
      EncodedProof.add(block, to: &digest, isLossy: !coding.codec.isLossless)
      done += Int64(block.frames)
      try context.output.show(.verify, done)
    }
    // The MD5 is the last 16 of STREAMINFO's 34 bytes (RFC 9639, 8.2).
    if let sum, stream.extradata.count != 34 || sum.finalized != Array(stream.extradata[18..<34]) {
      throw failure("its samples don't have the MD5 that its header states")
    }
    let plan = source.summary.plan
    guard plan.priming == priming else {
      throw failure("\(plan.priming) start-up samples are skipped, not \(priming)")
    }
    guard done == frames else { throw failure("it plays \(done) samples, not \(frames)") }
    guard log.degradations.isEmpty else { throw failure(log.degradations[0].message) }
    return WrittenFile(
      format: kind.rawValue,
      layout: written.layout,
      samples: done,
      digest: digest.hexadecimal, statistics: meter.statistics(),
      spectrum: spectrum.levels)
  }

  private func checkBoxes(_ file: LocalFile) throws {
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

  private static func add(_ block: AudioBuffer, to digest: inout PCMDigest, isLossy: Bool) {
    let width = isLossy ? 4 : 3
    let channels = block.channels
    var bytes = [UInt8](repeating: 0, count: block.frames * channels * width)
    bytes.withUnsafeMutableBytes { target in
      for channel in 0..<channels {
        let plane = UnsafeBufferPointer(block.channel(channel))
        for index in 0..<plane.count {
          let bits =
            isLossy
            ? plane[index].bitPattern
            : UInt32(bitPattern: Int32(clamping: Int64((plane[index] * 0x1p23).rounded())))
          let place = (index * channels + channel) * width
          for byte in 0..<width {
            target[place + byte] = UInt8(truncatingIfNeeded: bits >> UInt32(8 * byte))
          }
        }
      }
    }
    bytes.withUnsafeBytes { digest.update($0) }
  }
}
