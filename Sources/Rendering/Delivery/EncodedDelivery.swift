// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Loudness
import MediaIn
import MediaOut
import Platform
import Signal
import Verify

/// Writes a FLAC file and reads it back by libavcodec, against the MD5 in its header.
final class FLACDelivery: Delivery {
  private let context: DeliveryContext

  init(_ context: DeliveryContext) { self.context = context }

  func write() throws -> WrittenSound {
    let format = try stored()
    var texts = context.texts(context.commentTags(atMost: FLACDelivery.mostTags))
    texts.pictures = pictures()
    texts.chapters = context.commentedChapters
    if texts.chapters.count > FLACCueSheet.limit {
      context.log.decide(
        .chapters, "as comments only",
        why:
          "a cue sheet of FLAC holds \(FLACCueSheet.limit) tracks; comments have whole milliseconds"
      )
    }
    var settings = context.settings(texts)
    settings.format = format
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

/// Writes Opus in Ogg and reads it back: its pre-skip and its last page's granule position must give
/// the exact length.
final class OggDelivery: HeldDelivery {
  let context: DeliveryContext
  let peaks: PeakHold
  /// Start-up samples of the encoder.
  private var priming = 0

  init(_ context: DeliveryContext) {
    self.context = context
    peaks = PeakHold(context.output)
  }

  func write() throws -> WrittenSound {
    var texts = context.texts(context.commentTags())
    texts.pictures = context.companions.pictures
    texts.chapters = context.commentedChapters
    let settings = peaks.settings(context.settings(texts))
    try holdPeaks(settings)
    let writer = try OggOpusWriter(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings)
    priming = writer.initialPadding
    return try send(to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    let proof = EncodedProof(context, priming: priming, locator: peaks.locator)
    return peaks.take(try proof.read(written.account))
  }
}

/// Reads a written MP4, Ogg or FLAC file back. Pinna's own reader checks the boxes of MP4 and the tracks beside the sound; the
/// samples are read as those of any input: demuxed by libavformat, trimmed, decoded. FLAC must have
/// its own MD5.
struct EncodedProof {
  /// Samples after the end by which the interpolator of the true peak has run out.
  private static let flush = 12

  private let context: DeliveryContext
  /// Start-up samples that the edit list must skip.
  private let priming: Int
  /// Samples by which the track begins late. An edit list can't skip start-up samples that lie
  /// after the presentation's beginning, so players play them: they are silence from the encoder's
  /// zeros.
  private let startOffset: Int64
  /// Samples of silence after the end that readers get, because the file can't state it.
  private let padding: Int64
  /// The proof of structure and carried tracks; `nil` for a file of the sound alone.
  private let tracks: TracksProof?
  /// Finds the peaks that are to be lowered; `nil` where none are.
  private let locator: PeakLocator?

  init(
    _ context: DeliveryContext, priming: Int = 0, startOffset: Int64 = 0, padding: Int64 = 0,
    tracks: TracksProof? = nil, locator: PeakLocator? = nil
  ) {
    self.context = context
    self.priming = priming
    self.startOffset = startOffset
    self.padding = padding
    self.tracks = tracks
    self.locator = locator
  }

  private var target: OutputTarget { context.target }
  private var format: AudioFormat { context.format }
  private var frames: Int64 { context.output.frames }
  private var kind: ContainerKind { context.container.kind }
  /// The track's number among those of sound; `nil` where it is the only rendered one of its file.
  private var number: Int? {
    let isAlone = context.former.isEmpty && !context.companions.hasOtherSound
    return isAlone || kind.traits.output?.isSeveralFiles == true ? nil : context.former.count
  }

  /// Reads the whole file. The samples of a lossless encoding have to be those of `account`; a lossy one is
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
    try tracks?.check()
    let track = try WrittenTrack(file, number: number, log: log)
    let written = try track.reader.programme.bedFormat(for: "the proof of a written file")
    guard written.sampleRate == format.sampleRate, written.channels == format.channels
    else {
      throw failure("its track is \(written.layout) at \(written.sampleRate) Hz")
    }
    // In these files no edit list skips the start-up samples, so the proof states how many there
    // are.
    let option =
      startOffset > 0 || context.coding.isForMediaSource
      ? PrimingOption.samples(priming) : .automatic
    let source = try track.trimmed(priming: option)
    let bed = try BedSource(source, for: "the proof of a written file")
    let sound = try sound(written, account)
    var done: Int64 = 0
    var peaks: [PeakLocator.Peak] = []
    try bed.forEachBlock { block in
      try sound.add(block)
      if let locator, peaks.count <= HeldEncoding.mostPeaks {
        peaks += locator.find(in: block, at: done)
      }
      done += Int64(block.frames)
      try context.output.show(.verify, done)
    }
    if let locator {
      // A peak in the last samples shows only in what follows them.
      let silence = AudioBuffer(channels: format.channels)
      silence.appendSilence(EncodedProof.flush)
      peaks += locator.find(in: silence, at: done).filter { $0.position < done }
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
    guard done == frames + padding else {
      throw failure("it plays \(done) samples, not \(frames + padding)")
    }
    if let fault = fault(log) { throw failure(fault) }
    guard let found = sound.close(account), account == nil || account?.checksum == found.checksum
    else { throw failure("its samples aren't those that were written") }
    return WrittenFile(
      format: kind.rawValue, priming: option, layout: written.layout, samples: done,
      digest: sound.hexadecimal,
      statistics: found.statistics, spectrum: found.spectrum, peaks: peaks, track: number)
  }

  /// An account of the samples that readers get as `written`, with what nobody knows of them yet.
  private func sound(
    _ written: AudioFormat, _ account: WrittenSound.Account?
  ) throws -> ReadSound {
    // Loudness depends on the layout, so it is measured again where readers see another one.
    let branch = context.output.branch.plan
    let sound = try ReadSound(
      format: written, isMeasured: account == nil || written.layout != format.layout,
      isDualMono: branch.isDualMono)
    // Samples of a lossy encoding, which has no account, are compared with nothing.
    let hasDigest = context.request.statesDigests
    if account != nil || hasDigest {
      try sound.sum(as: branch.container.proofFormat, hasDigest: hasDigest)
    }
    return sound
  }

  /// The first fault that reading reported. A guess is none where the container can't name the channels; it is all that readers have,
  /// and reported of the output. So is a length that the container can't state.
  private func fault(_ log: DiagnosticLog) -> String? {
    var known: Set<DegradationCode> = []
    if !context.coding.codec.traits.namesChannels { known.insert(.layoutGuessed) }
    if kind.traits.output?.statesLength == false { known.insert(.lengthUnknown) }
    return log.degradations.first { !known.contains($0.code) }?.message
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written file isn't as meant: \(what); nothing was kept")
  }
}

/// The samples of an encoded file as its readers get them: the sum of their bytes where somebody asks for it, and their
/// levels where nobody has measured them yet.
final class ReadSound {
  private let meter: LoudnessMeter?
  private let spectrum: LongTermSpectrum?
  private var packed: PackedBlock?
  private var sum: SampleSum?

  /// Sound of `format`; it is measured where `isMeasured` says so.
  /// - Throws: ``MediaError`` when no spectrum of it can be made.
  init(format: AudioFormat, isMeasured: Bool, isDualMono: Bool) throws {
    meter =
      isMeasured
      ? try LoudnessMeter(format: format, dualMono: isDualMono, needsLoudness: false) : nil
    spectrum = isMeasured ? LongTermSpectrum(format: format) : nil
  }

  /// Sums up the bytes of all samples to come, packed as `stored`.
  /// - Throws: ``MediaError`` of kind `outOfResources` when memory is out.
  func sum(as stored: SampleFormat, hasDigest: Bool) throws {
    packed = PackedBlock(stored)
    sum = try SampleSum(hasDigest: hasDigest)
  }

  /// Adds the next samples.
  func add(_ block: AudioBuffer) throws {
    try meter?.add(block)
    spectrum?.add(block)
    packed?.withBytes(block) { sum?.update($0) }
  }

  /// SHA-256 of the samples' bytes; `nil` where no report states it.
  var hexadecimal: String? { sum?.hexadecimal }

  /// The account of everything that was read; the levels are those of `written` where they weren't
  /// measured. Call once.
  func close(_ written: WrittenSound.Account?) -> WrittenSound.Account? {
    guard let statistics = meter?.statistics() ?? written?.statistics else { return nil }
    return WrittenSound.Account(
      checksum: sum?.finish() ?? [], statistics: statistics,
      spectrum: spectrum?.levels ?? written?.spectrum ?? [])
  }
}

/// The samples of an output that was proved, as readers of the file get them.
struct WrittenSamples {
  let target: OutputTarget
  let file: WrittenFile

  /// Hands all samples to `consume`, block by block.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when there are more or fewer than the proof found, or
  ///   what `consume` throws.
  func read(_ consume: (AudioBuffer) throws -> Void) throws {
    let track = try WrittenTrack(target.openedFile(), number: file.track, log: DiagnosticLog())
    let bed = try BedSource(
      try track.trimmed(priming: file.priming), for: "a tap of written samples")
    var done: Int64 = 0
    try bed.forEachBlock { block in
      try consume(block)
      done += Int64(block.frames)
    }
    guard done == file.samples else {
      throw MediaError(
        .verificationFailed, about: target.name,
        "taps saw \(done) samples of the written file, which has \(file.samples); nothing was kept")
    }
  }
}

/// A rendered track of a written file, as readers of the file open it.
struct WrittenTrack {
  /// The track.
  let stream: StreamInfo
  /// Reads it with its start-up samples.
  let reader: any TrackReader
  private let media: MediaFile
  private let log: DiagnosticLog

  /// Opens a track of `file`: the one that players take, or the one with this `number` among those of sound, from 0.
  /// - Throws: ``MediaError`` where it holds no track that can be read.
  init(_ file: LocalFile, number: Int? = nil, log: DiagnosticLog) throws {
    media = try MediaFile(file: file)
    self.log = log
    let opener = TrackOpener(media)
    stream = try opener.select(number.map(TrackChoice.index) ?? .automatic, log: log)
    reader = try opener.open(stream, options: InputOptions(), log: log)
  }

  /// As ``reader``, without start-up samples and padding. Call once.
  /// - Throws: ``MediaError`` when it can't be read.
  func trimmed(priming: PrimingOption) throws -> TrimmedSource {
    try TrimmedSource(
      source: reader, facts: media.gaplessFacts(of: stream), priming: priming, log: log)
  }
}
