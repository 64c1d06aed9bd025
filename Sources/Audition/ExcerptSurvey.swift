import Analysis
import AudioCore
import LibAV
import MediaIn
import Rendering

/// Where the excerpts of an input are.
struct ExcerptSurvey {
  /// An excerpt before it is rendered.
  struct Place {
    /// The number of the input.
    let input: Int
    /// Where it begins.
    let start: TimeSpec
    /// Where it begins, in seconds.
    let startSeconds: Double
    /// Why it was chosen.
    let reason: String
  }

  let request: AuditionRequest

  /// The excerpts of all inputs: those that were asked for, or what is found in the whole of each.
  /// - Throws: ``MediaError`` that names the input.
  func places(progress: (String) -> Void) throws -> [Place] {
    var places: [Place] = []
    for (index, path) in request.inputs.enumerated() {
      guard request.starts.isEmpty else {
        places += request.starts.map { start in
          Place(
            input: index, start: start,
            startSeconds: Double(start.samples(at: 1_000_000)) / 1_000_000, reason: "asked")
        }
        continue
      }
      progress("looking for excerpts in \(WebAddress.withoutCredentials(path))")
      do { places += try found(path, index) } catch {
        throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
      }
    }
    return places
  }

  private func found(_ path: String, _ index: Int) throws -> [Place] {
    let log = DiagnosticLog()
    let input = try MediaInput(
      path: path, track: request.decoding.track, bounds: request.decoding.bounds, log: log,
      isCancelled: { Task.isCancelled })
    var decoding = request.decoding
    decoding.playback = .all
    let source = try TrackSource(input: input, decoding: decoding, log: log)
    let channels = try ChannelSource(source, layout: nil, log: log)
    let finder = ExcerptFinder(channels.format, seconds: request.seconds)
    let block = AudioBuffer(channels: channels.format.channels, capacity: 8192)
    var more = true
    while more {
      guard !Task.isCancelled else {
        throw MediaError(.interrupted, about: input.name, "stopped before it was done")
      }
      block.removeAll()
      more = try channels.read(into: block)
      try finder.add(block)
    }
    let found = finder.finish()
    guard !found.isEmpty else {
      throw MediaError(
        .usage, about: input.name,
        "nothing in it can be heard, so it has no excerpts; give another file")
    }
    let rate = channels.format.sampleRate
    return found.map {
      // A finished file that is compared may have another rate.
      Place(
        input: index, start: .clock(MediaTime(ticks: $0.start, rate: Int64(rate))),
        startSeconds: Double($0.start) / Double(rate), reason: $0.reason.rawValue)
    }
  }
}
