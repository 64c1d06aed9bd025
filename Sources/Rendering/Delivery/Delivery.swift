import AudioCore
import LibAV
import MediaIn
import Samples
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

  /// Tracks besides the sound that were written, for the report; `nil` for none.
  var copiedVideo: CopiedVideo? { get }

  /// What lowers peaks that a lossy encoding lifts.
  var peakRemedy: PeakRemedy { get }

  /// Reports where the encoding was repeated because of its peaks.
  func notePeaks()
}

extension Delivery {
  var copiedVideo: CopiedVideo? { nil }
  var peakRemedy: PeakRemedy { .gain }
  func notePeaks() {}

  /// Writes all of `output` to `sink`, completes it and takes account of what is stored.
  func send(_ output: RenderedOutput, to sink: any AudioSink) throws -> WrittenSound {
    guard output.branch.kept == nil else { return try sendPlanes(output, to: sink) }
    let account = try makeAccount(of: output)
    try send(output, to: sink) { try account?.add($0) }
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
    return ThreadedAccount(account, channels: branch.format.channels)
  }
}

/// What every delivery needs.
struct DeliveryContext {
  /// The output as it was asked for.
  let request: OutputRequest
  /// The rendered sound.
  let output: RenderedOutput
  /// The files.
  let target: OutputTarget
  /// What the output carries besides the sound.
  let companions: Companions
  /// Facts about the input.
  let source: DeliverySource
  let log: DiagnosticLog

  /// Format of the sound.
  var format: AudioFormat { output.branch.format }

  /// The sound field that is stored as it is, in a container without metadata for it; `nil` for anything else.
  var keptField: FieldInput? {
    output.branch.plan.container.keeps == nil ? output.branch.kept?.programme.onlyField : nil
  }

  /// The proof of a file that holds ``keptField``; `nil` for anything else.
  var fieldProof: ProgrammeProof? {
    keptField.map { ProgrammeProof(self, field: $0) }
  }

  /// The tags of the input that the output gets.
  var tags: MediaTags {
    SourceTags.carried(source.tags, source.fate, request.carriage, log)
  }

  /// What the sound is virtualised for.
  var virtualization: Virtualization? { output.branch.plan.renderer.virtualization }

  /// Who made the file and for what; a later run learns from it that the sound is virtualised.
  var maker: String {
    "Pinna \(PinnaVersion.text)" + (virtualization.map { "; \($0.mark)" } ?? "")
  }

  /// The title of the source's track, unless no metadata are wanted.
  var trackTitle: String? { request.carriage.keepsMetadata ? source.title : nil }

  /// The delivery into the container of the plan: the one place that lists them.
  func makeDelivery() -> any Delivery {
    switch output.branch.plan.container {
    case .wav(let settings): return WAVDelivery(self, settings)
    case .bw64(let settings): return BW64Delivery(self, settings)
    case .flac(let settings): return FLACDelivery(self, settings)
    case .ogg(let settings): return OggDelivery(self, settings)
    case .mp4(let settings):
      return MovieDelivery(self, settings.coding, fragmentDuration: settings.fragmentDuration)
    case .hls(let settings):
      return MovieDelivery(self, settings.coding, fragmentDuration: settings.segmentDuration)
    case .iamf(let coding): return IAMFDelivery(self, coding)
    }
  }
}

/// What deliveries write about the input.
struct DeliverySource {
  /// Tags of the input.
  let tags: MediaTags
  /// Changes to the sound that they speak of.
  let fate: SourceTags.Fate
  /// Language of its track; empty when unknown.
  let language: String
  /// Name of its track in a container of several; `nil` without one.
  let title: String?
  /// Name of its codec.
  let codec: String
  /// Samples since midnight of the first sample, at the source's rate (EBU Tech 3285).
  let timeReference: Int64
  /// Hz.
  let rate: Int
}
