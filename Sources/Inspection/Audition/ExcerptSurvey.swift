// SPDX-License-Identifier: Apache-2.0
import Analysis
import AudioCore
import LibAV
import MediaIn
import MediaOut
import Platform
import Rendering
import Report
import Signal

/// The places of an input's excerpts.
struct ExcerptSurvey {
  /// An excerpt before it is rendered.
  struct Place {
    /// The number of the input.
    let input: Int
    /// Its start: a time, so that a finished file of another rate begins there, too.
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
    try channels.forEachBlock { block in
      guard !Task.isCancelled else {
        throw MediaError(
          .interrupted, about: WebAddress.withoutCredentials(path), "stopped before it was done")
      }
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

/// Test sounds from places around the head: three bursts of noise each, one place after another.
struct PlaceSounds {
  /// Rate in Hz.
  static let rate = 48_000

  /// The layout whose loudspeakers stand at the places.
  let layout: ChannelLayout
  private let places: [(name: String, axis: String, speakers: [Speaker])]

  private static let burst = 0.2
  private static let pause = 0.1
  private static let bursts = 3
  /// Time from one place to the next, in seconds; room for the tails of sets.
  private static let step = 1.4

  /// Sounds in front, behind, above and below; in front and behind alone where a set has only the seven directions of 7.1.
  init(hasSevenPlaces: Bool) {
    if hasSevenPlaces {
      layout = ChannelLayout(name: "7.1") ?? .stereo
      // On one side, where the delay between the ears doesn't tell front from back.
      places = [("front", "depth", [.frontLeft]), ("back", "depth", [.backLeft])]
    } else {
      layout = ChannelLayout(name: "22.2") ?? .stereo
      places = [
        ("front", "depth", [.frontCenter]), ("back", "depth", [.backCenter]),
        ("up", "height", [.topFrontCenter]), ("down", "height", [.bottomFrontCenter]),
      ]
    }
  }

  /// The places within the sound.
  var report: [AuditionReport.Place] {
    places.enumerated().map { index, place in
      AuditionReport.Place(
        name: place.name, axis: place.axis, startSeconds: Double(index) * PlaceSounds.step,
        seconds: PlaceSounds.step)
    }
  }

  /// Writes the sounds to a WAV file at `path`.
  /// - Throws: ``MediaError`` when it can't be written.
  func write(to path: String) throws {
    let frames = places.count * Int(PlaceSounds.step * Double(PlaceSounds.rate))
    let buffer = AudioBuffer(channels: layout.speakers.count, capacity: frames)
    buffer.appendSilence(frames)
    for (index, place) in places.enumerated() {
      let start = Int(Double(index) * PlaceSounds.step * Double(PlaceSounds.rate))
      for speaker in place.speakers {
        guard let channel = layout.speakers.firstIndex(of: speaker) else {
          throw MediaError(.internal, "\(layout.name) lacks \(speaker.name)")
        }
        PlaceSounds.addBursts(to: buffer.channel(channel), from: start)
      }
    }
    let file = try AtomicFile(target: path, overwrite: true)
    let writer = try WAVWriter(
      descriptor: file.descriptor, name: path,
      settings: SoundSettings(
        format: AudioFormat(sampleRate: PlaceSounds.rate, layout: layout),
        coding: OutputCoding(.pcm, encoding: .float32), frames: Int64(frames)))
    try writer.write(buffer)
    try writer.close()
    try file.commit(overwrite: true)
  }

  /// Pink noise, the same in every place.
  private static func addBursts(to plane: UnsafeMutableBufferPointer<Float>, from start: Int) {
    var noise = ProbeNoise(seed: 1)
    var slow = (0.0, 0.0, 0.0)
    let (length, edge) = (Int(burst * Double(rate)), rate / 100)
    for number in 0..<bursts {
      let first = start + Int(Double(number) * (burst + pause) * Double(rate))
      for index in 0..<length {
        let white = Double(noise.next())
        // Paul Kellet's three poles, which make white noise pink within some tenths of a dB.
        slow.0 = 0.99765 * slow.0 + white * 0.0990460
        slow.1 = 0.96300 * slow.1 + white * 0.2965164
        slow.2 = 0.57000 * slow.2 + white * 1.0526913
        let pink = slow.0 + slow.1 + slow.2 + white * 0.1848
        let fade = min(1, Double(min(index, length - 1 - index)) / Double(edge))
        plane[first + index] = Float(0.05 * pink * fade)
      }
    }
  }
}
