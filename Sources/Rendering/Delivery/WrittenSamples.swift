import AudioCore
import LibAV
import MediaIn
import Platform
import Timeline

/// The samples of an output that was proved, as readers of the file get them.
struct WrittenSamples {
  let target: OutputTarget
  let file: WrittenFile

  /// Hands all samples to `consume`, block by block.
  /// - Throws: ``MediaError`` of kind `verificationFailed` when there are more or fewer than the proof found, or
  ///   what `consume` throws.
  func read(_ consume: (AudioBuffer) throws -> Void) throws {
    let track = try WrittenTrack(target.openedFile(), log: DiagnosticLog())
    let bed = try BedSource(
      try track.trimmed(priming: file.priming), for: "a tap of written samples")
    let block = AudioBuffer(channels: bed.format.channels, capacity: 8192)
    var done: Int64 = 0
    var more = true
    while more {
      block.removeAll()
      more = try bed.read(into: block)
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

/// The only sound track of a written file, as readers of the file open it.
struct WrittenTrack {
  /// The track.
  let stream: StreamInfo
  /// Reads it with its start-up samples.
  let reader: any TrackReader
  private let media: MediaFile
  private let log: DiagnosticLog

  /// Opens the track of `file`.
  /// - Throws: ``MediaError`` where it holds no track that can be read.
  init(_ file: LocalFile, log: DiagnosticLog) throws {
    media = try MediaFile(file: file)
    self.log = log
    let opener = TrackOpener(media)
    stream = try opener.select(TrackChoice("default"), log: log)
    reader = try opener.open(stream, options: InputOptions(), log: log)
  }

  /// The same without start-up samples and padding. Call once.
  /// - Throws: ``MediaError`` when it can't be read.
  func trimmed(priming: PrimingOption) throws -> TrimmedSource {
    try TrimmedSource(
      source: reader, facts: media.gaplessFacts(of: stream), priming: priming, log: log)
  }
}
