import Analysis
import AudioCore
import LibAV
import MediaIn
import Rendering
import Signal

/// Where the excerpts of an input are.
struct ExcerptSurvey {
  /// An excerpt before it is rendered.
  struct Place {
    /// The number of the input.
    let input: Int
    /// Where it begins: a time, so that a finished file of another rate begins there, too.
    let start: MediaTime
    /// Its length in seconds.
    let seconds: Double
    /// Why it was chosen.
    let reason: String
  }

  let request: AuditionRequest

  /// The excerpts of all inputs: those that were asked for, or what is found in the whole of each.
  /// - Throws: ``MediaError`` that names the input.
  func places(progress: (String) -> Void) throws -> [Place] {
    var places: [Place] = []
    for (index, path) in request.inputs.enumerated() {
      if request.starts.isEmpty {
        progress("looking for excerpts in \(WebAddress.withoutCredentials(path))")
      }
      do { places += try request.starts.isEmpty ? found(path, index) : asked(path, index) } catch {
        throw MediaError(any: error, input: WebAddress.withoutCredentials(path))
      }
    }
    return places
  }

  /// The excerpts at the times that were asked for, which may count samples of the input.
  private func asked(_ path: String, _ index: Int) throws -> [Place] {
    let source = try open(path, DiagnosticLog())
    let rate = source.programme.sampleRate
    return try request.starts.map { start in
      let first = start.samples(at: rate)
      if let count = source.expectedSamples, first + Int64(rate) > count {
        throw MediaError(
          .usage, about: WebAddress.withoutCredentials(path),
          "has \(Decibels.text(Double(count) / Double(rate))) s, so no second is left at "
            + "\(Decibels.text(Double(first) / Double(rate))) s; let the excerpt begin earlier")
      }
      return Place(
        input: index, start: MediaTime(ticks: first, rate: Int64(rate)), seconds: request.seconds,
        reason: "asked")
    }
  }

  private func open(_ path: String, _ log: DiagnosticLog) throws -> TrackSource {
    let input = try MediaInput(
      path: path, track: request.decoding.track, bounds: request.decoding.bounds, log: log,
      isCancelled: { Task.isCancelled })
    var decoding = request.decoding
    decoding.playback = .all
    return try TrackSource(input: input, decoding: decoding, log: log)
  }

  private func found(_ path: String, _ index: Int) throws -> [Place] {
    let log = DiagnosticLog()
    let source = try open(path, log)
    let channels = try ChannelSource(source, layout: nil, log: log)
    let finder = ExcerptFinder(channels.format, seconds: request.seconds)
    let block = AudioBuffer(channels: channels.format.channels, capacity: 8192)
    var more = true
    while more {
      guard !Task.isCancelled else {
        throw MediaError(
          .interrupted, about: WebAddress.withoutCredentials(path), "stopped before it was done")
      }
      block.removeAll()
      more = try channels.read(into: block)
      try finder.add(block)
    }
    let found = finder.finish()
    guard !found.isEmpty else {
      throw MediaError(
        .usage, about: WebAddress.withoutCredentials(path),
        "nothing in it can be heard, so it has no excerpts; give another file")
    }
    let rate = channels.format.sampleRate
    return found.map {
      Place(
        input: index, start: MediaTime(ticks: $0.start, rate: Int64(rate)),
        seconds: Double($0.length) / Double(rate), reason: $0.reason.rawValue)
    }
  }
}
