import AudioCore
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
    let log = DiagnosticLog()
    let media = try MediaFile(
      file: try LocalFile(descriptor: dup(target.descriptor), name: target.name))
    let opener = TrackOpener(media)
    let stream = try opener.select(TrackChoice("default"), log: log)
    let source = try TrimmedSource(
      source: try opener.open(stream, options: InputOptions(), log: log),
      facts: media.gaplessFacts(of: stream), priming: file.priming, log: log)
    let bed = try BedSource(source, for: "a tap of written samples")
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
