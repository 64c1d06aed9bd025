// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Loudness
import MediaIn
import MediaOut
import Platform
import Signal
import Verify

/// Writes an output into one kind of container and reads it back.
protocol Delivery: AnyObject {
  /// Writes the sound with gain and limiter applied; may be called again when the gain has changed.
  /// - Returns: what went into the file.
  /// - Throws: ``MediaError`` when it can't be stored.
  func write() throws -> WrittenSound

  /// Reads the written file back, never with the code that wrote it.
  /// - Throws: ``MediaError`` of kind `verification-failed` when it isn't as meant, or its samples
  ///   aren't those of `written`.
  func prove(_ written: WrittenSound) throws -> WrittenFile

  /// Accounts of the tracks that were copied, for the report, in the order of the file.
  var copies: [TrackAccount] { get }

  /// Remedy for peaks that a lossy encoding lifts.
  var peakRemedy: PeakRemedy { get }

  /// Reports where the encoding was repeated because of its peaks.
  func notePeaks()
}

extension Container {
  /// The form of the samples whose bytes are compared and digested when the file is read back: as they lie
  /// in a WAV file, as 24-bit integers from a lossless encoding, as floats from a lossy one and from layers, which
  /// readers calculate.
  var proofFormat: SampleFormat {
    if kind.traits.output?.holdsPlainSamples == true { return coding.encoding.format }
    let isCalculated = (coding.iamf?.layers.count ?? 0) > 1
    return isLossy || isCalculated ? .float32 : .integer24
  }
}

extension Delivery {
  var copies: [TrackAccount] { [] }
  var peakRemedy: PeakRemedy { .gain(nil) }
  func notePeaks() {}

  /// Writes all of `output` to `sink`, completes it and takes account of what is stored.
  func send(_ output: RenderedOutput, to sink: any AudioSink) throws -> WrittenSound {
    guard output.branch.kept == nil else { return try sendPlanes(output, to: sink) }
    let account = try makeAccount(of: output)
    try send(output, to: sink) { block in
      try output.stages.time(.account) { try account?.add(block) }
    }
    let found = try account?.close()
    return WrittenSound(
      clipped: sink.clippedSamples, checksum: found?.checksum, account: found)
  }

  /// Sends the planes of a programme that is kept; their levels are measured when they are read back.
  private func sendPlanes(_ output: RenderedOutput, to sink: any AudioSink) throws -> WrittenSound {
    let container = output.branch.plan.container
    let sum = try ByteChecksum()
    var packed = PackedBlock(container.proofFormat)
    try send(output, to: sink) { block in packed.withBytes(block) { sum.update($0) } }
    return WrittenSound(
      clipped: sink.clippedSamples, checksum: container.isLossy ? nil : sum.finish(), account: nil)
  }

  /// Sends all of `output`, and to `consume` what is stored of it.
  private func send(
    _ output: RenderedOutput, to sink: any AudioSink, consume: (AudioBuffer) throws -> Void
  ) throws {
    var done: Int64 = 0
    try output.replay { block in
      try sink.write(block)
      if let stored = sink.stored { try consume(stored) }
      done += Int64(block.frames)
      try output.show(.finish, done)
    }
    try sink.close()
  }

  /// Nothing is accounted of a lossy encoding, whose readers get other samples.
  private func makeAccount(of output: RenderedOutput) throws -> (any SoundAccount)? {
    let branch = output.branch
    guard !branch.plan.container.isLossy else { return nil }
    let account = try DirectAccount(
      format: branch.format, isDualMono: branch.plan.isDualMono,
      stored: branch.plan.container.proofFormat)
    guard output.threads > 1 else { return account }
    return ThreadedAccount(account, channels: branch.format.channels, output.stages)
  }
}

/// The facts that every delivery needs.
struct DeliveryContext {
  /// The output as it was asked for.
  let request: OutputRequest
  /// The rendered sound.
  let output: RenderedOutput
  /// The files.
  let target: OutputTarget
  /// Parts of the output besides the sound.
  let companions: Companions
  /// Facts about the input.
  let source: DeliverySource
  /// Takes the packets, where the sound is one of several tracks of a file that is written later; `nil` for others.
  let recording: TrackRecording?
  /// Tracks that were rendered before for the same file, in its order.
  let former: [TrackRecording]
  let log: DiagnosticLog

  /// Format of the sound.
  var format: AudioFormat { output.branch.format }

  /// The container that the plan has.
  var container: Container { output.branch.plan.container }

  /// How the sound is coded.
  var coding: OutputCoding { container.coding }

  /// Settings of a writer of the sound; `texts` are those that the container holds.
  func settings(_ texts: TrackTexts) -> SoundSettings {
    var settings = SoundSettings(format: format, coding: coding, frames: output.frames)
    settings.texts = texts
    // The level of the dialogue is that of the words where they are known.
    let isOfWords = output.target?.anchor == .dialogue
    settings.coding = stating(
      isOfWords ? output.target?.integrated : texts.loudness?.integrated, coding)
    settings.language =
      source.stream.flatMap { companions.originals?.language(of: $0) } ?? source.language
    settings.title = trackTitle
    settings.roles = source.roles
    settings.isDefault = request.part.map { $0.place == 0 } ?? true
    settings.isBinaural = virtualization == .binaural
    return settings
  }

  /// Texts with `tags`, who made the file, and the levels of what is delivered.
  func texts(_ tags: MediaTags) -> TrackTexts {
    var texts = TrackTexts()
    texts.tags = tags
    texts.maker = maker
    texts.loudness = stored(output.track.output)
    texts.albumLoudness = output.album.map(stored)
    return texts
  }

  /// The levels that files have of what is planned, for this output or for its album. A lossy encoding gives back what its gain
  /// allows for, and lifts peaks up to their ceiling again.
  private func stored(_ levels: LoudnessMeasurement) -> TrackLoudness {
    var moved = 0.0
    var lifted = 0.0
    if container.isLossy, let planned = output.track.output.integrated, let goal = output.goal {
      moved = goal - planned
    }
    if container.isLossy, let target = output.target, let peak = levels.truePeak,
      let held = output.plan.limiterCeilingDB, held < target.truePeak
    {
      lifted = min(max(0, target.truePeak - peak), target.truePeak - held)
    }
    return TrackLoudness(
      integrated: levels.integrated.map { $0 + moved },
      truePeak: levels.truePeak.map { $0 + lifted },
      samplePeak: levels.samplePeak.map { $0 + lifted }, range: levels.range,
      momentaryMax: levels.momentaryMax.map { $0 + moved },
      shortTermMax: levels.shortTermMax.map { $0 + moved })
  }

  /// The sound field that is stored as it is, in a container without metadata for it; `nil` for anything else.
  var keptField: FieldInput? {
    container.keeps == nil ? output.branch.kept?.programme.onlyField : nil
  }

  /// The proof of a file that holds ``keptField``; `nil` for anything else.
  var fieldProof: ProgrammeProof? {
    keptField.map { ProgrammeProof(self, field: $0) }
  }

  /// The tags of the input that the output gets.
  var tags: MediaTags {
    if request.carriage.keepsMetadata { SourceTags.noteChunks(source.foreignChunks, log) }
    return SourceTags.carried(source.tags, source.fate, request.carriage, log)
  }

  /// Virtualisation of the sound; `nil` for none.
  var virtualization: Virtualization? { output.branch.plan.renderer.virtualization }

  /// Program that made the file, and the sound's virtualisation; a later run learns from it that the sound is virtualised.
  var maker: String {
    "Pinna \(PinnaVersion.text)" + (virtualization.map { "; \($0.mark)" } ?? "")
  }

  /// The title of the source's track, unless no metadata are wanted.
  var trackTitle: String? { request.carriage.keepsMetadata ? source.title : nil }

  /// The endpoint as people see it in a list of tracks; `nil` for channels as they are.
  var endpointName: String? {
    switch output.branch.plan.endpoint {
    case .headphones: "headphones"
    case .speakers: "stereo loudspeakers"
    case .none: nil
    }
  }

  /// The delivery into the container of the plan: the one place that lists them.
  func makeDelivery() -> any Delivery {
    switch container.kind {
    case .wav: return WAVDelivery(self)
    case .bw64: return BW64Delivery(self)
    case .flac: return FLACDelivery(self)
    case .ogg: return OggDelivery(self)
    case .mp3: return MP3Delivery(self)
    case .mp4, .fmp4, .hls, .matroska, .webm: return MovieDelivery(self)
    case .iamf: return IAMFDelivery(self)
    case .ac3, .eac3: return BareFrameDelivery(self)
    }
  }
}

/// The facts about the input that deliveries write.
struct DeliverySource {
  /// Tags of the input.
  let tags: MediaTags
  /// Changes to the sound that they speak of.
  let fate: SourceTags.Fate
  /// The stream of its sound; `nil` for a queue.
  var stream: Int?
  /// Language of its track; empty when unknown.
  let language: String
  /// Name of its track in a container of several; `nil` without one.
  let title: String?
  /// Purposes of its track, apart from the default.
  var roles: OutputTrackFacts.Roles = []
  /// Chunks of WAV that no output has, in words.
  var foreignChunks: [String] = []
  /// Name of its codec.
  let codec: String
  /// Samples since midnight of the first sample, at the source's rate (EBU Tech 3285).
  let timeReference: Int64
  /// Hz.
  let rate: Int
}

/// The findings in an output when it was read back.
struct WrittenFile {
  /// `wav`, `rf64`, or the name of another kind of container.
  let format: String
  /// Start-up samples that its readers have to be told of; `automatic` where the file states them.
  var priming = PrimingOption.automatic
  /// Layout that its readers see.
  let layout: ChannelLayout
  /// Samples per channel.
  let samples: Int64
  /// SHA-256 of the samples: as they lie in a WAV file, as 24-bit integers from a lossless
  /// encoding, as 32-bit floats from a lossy one; `nil` where no report states it.
  let digest: String?
  /// Loudness of the samples.
  let statistics: LoudnessStatistics
  /// Levels of ``LongTermSpectrum/frequencies``, dB.
  var spectrum: [Double?] = []
  /// Peaks that are to be lowered in their packets, in order.
  var peaks: [PeakLocator.Peak] = []
  /// Number of its track among those of sound in the file, from 0; `nil` for the one that players take.
  var track: Int?
}

/// The remedy for peaks that a lossy encoding lifts above their ceiling.
enum PeakRemedy {
  /// The whole sound is limited further, by so many dB or by as much as its highest peak needs, and encoded again.
  case gain(Double?)
  /// The delivery replaces single packets when it writes again.
  case packets
  /// Nothing that the delivery can do.
  case none
}

extension DeliveryContext {
  /// The source's title, where tags are carried over and there is one.
  var title: String? {
    guard request.carriage.keepsMetadata, let title = source.tags["title"], !title.isEmpty
    else { return nil }
    return title
  }

  /// The name of the output's file without its extension.
  var fileTitle: String {
    let file = PathParts.of(target.name).last ?? "Programme"
    let parts = file.split(separator: ".")
    return parts.count > 1 ? parts.dropLast().joined(separator: ".") : file
  }

  /// Reports the tags that a file without places for any but the title leaves out.
  func noteTagsBesidesTitle() {
    let missing = tags.entries.filter { $0.key != "title" }
    SourceTags.noteLeftOut(
      MediaTags(missing.map { ($0.name, $0.value) }).names,
      of: container.kind.traits.name, log)
  }
}

extension DeliveryContext {
  /// The tags that Vorbis comments hold, of `limit` bytes at most; others are reported.
  func commentTags(atMost limit: Int = .max) -> MediaTags {
    var tags = self.tags
    var missing = tags.remove { !CommentBlock.takes($0) }
    var left = limit
    missing += tags.remove { entry in
      let size = CommentBlock.size(entry)
      guard size <= left else { return true }
      left -= size
      return false
    }
    SourceTags.noteLeftOut(missing, of: container.kind.traits.name, log)
    return tags
  }

  /// The pictures that an ID3 tag holds besides `tags`; others are reported.
  func framedPictures(_ tags: MediaTags) -> [AttachedPicture] {
    var left = ID3Block.longest - ID3Block.own - ID3Block(tags, pictures: []).bytes.count
    let fitting = companions.pictures.filter { picture in
      let size = picture.bytes.count + picture.text.utf8.count + 64
      guard size <= left else { return false }
      left -= size
      return true
    }
    notePictures(companions.pictures.count - fitting.count, limit: "256 MiB of an ID3 tag")
    return fitting
  }

  /// Reports pictures that are too large.
  func notePictures(_ missing: Int, limit: String) {
    guard missing > 0 else { return }
    log.degrade(
      .coverArtLeftOut,
      missing.counted(
        "picture is larger than the \(limit), and is left out",
        "pictures are larger than the \(limit), and are left out"))
  }
}

extension DeliveryContext {
  /// The broadcast extension (EBU Tech 3285) with the coding history.
  var broadcast: BroadcastInfo {
    let tags = source.tags
    return BroadcastInfo(
      description: request.carriage.keepsMetadata
        ? tags["description"] ?? tags["title"] ?? "" : "",
      timeReference: timeReference,
      codingHistory: SourceTags.history(
        tags, format: format, encoding: coding.encoding,
        step: codingStep(gainDB: output.plan.gainDB)))
  }

  /// Treatment of the sound by this run, as a line of the coding history.
  private func codingStep(gainDB: Double) -> String {
    let branch = output.branch.plan
    var fields = ["endpoint=\(branch.endpoint.rawValue)", "codec=\(source.codec)"]
    fields.append("hrtf=\(branch.hrtfID ?? "none")")
    if let made = virtualization { fields.append(made.mark) }
    fields.append("gain=\(Decibels.signedText(gainDB))dB")
    return fields.joined(separator: "; ")
  }

  private var timeReference: UInt64 {
    let source = MediaTime.rescale(
      source.timeReference, by: Int64(format.sampleRate), over: Int64(source.rate))
    // The field counts from midnight and can't be negative. 0 says that no time is known.
    if source > 0, source < output.branch.head {
      log.decide(
        .filterHead, "time reference 0",
        why:
          "the output begins \(output.branch.head - source) samples before midnight, which a broadcast "
          + "WAV file can't state")
    }
    return UInt64(max(0, source - output.branch.head))
  }
}

extension DeliveryContext {
  /// The chapters that a file of the sound alone holds: those that begin before its end. Times count from its
  /// first sample.
  var markers: [ProgrammeMarker] {
    companions.chapters(
      before: MediaTime(ticks: output.frames, rate: Int64(format.sampleRate)),
      rate: format.sampleRate)
  }

  /// The chapters that Vorbis comments hold.
  var commentedChapters: [ProgrammeMarker] {
    let all = markers
    if all.count > ChapterComments.limit {
      log.degrade(
        .chaptersCut,
        "the comments of \(container.kind.traits.name) hold "
          + "\(ChapterComments.limit) of the \(all.count) chapters; MP4 and WAV hold them all")
    }
    return Array(all.prefix(ChapterComments.limit))
  }
}
