// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import PlayQueue
import Rendering
import Report
import TestSupport
import Testing

/// The first and the last sample of each item lie where they have to, in many codecs, containers and rates.
@Suite(.tags(.system)) struct QueueImpulseTests {
  /// A way to store sound.
  struct Row: CustomTestStringConvertible, Sendable {
    let codec: String
    let container: String
    var isLossless = false
    /// Rates that the codec has, or for which the container states a length.
    var rates = [32_000, 44_100, 48_000]
    var arguments: [String] = []

    var testDescription: String { "\(codec) in \(container)" }
  }

  /// Eight codecs, each in the containers that state where its sound begins and ends.
  private static let rows: [Row] =
    ["wav", "caf", "mkv"].map { Row(codec: "pcm_s16le", container: $0, isLossless: true) }
    + ["flac", "mkv", "mp4"].map {
      Row(codec: "flac", container: $0, isLossless: true, arguments: ["-strict", "-2"])
    }
    + ["m4a", "caf", "mkv"].map { Row(codec: "alac", container: $0, isLossless: true) }
    + ["wv", "mkv"].map { Row(codec: "wavpack", container: $0, isLossless: true) }
    + ["m4a", "mov", "mp4"].map { Row(codec: "aac", container: $0, arguments: ["-b:a", "192k"]) }
    + ["mp3", "mkv"].map { Row(codec: "libmp3lame", container: $0, arguments: ["-b:a", "192k"]) }
    + ["ogg", "webm", "mp4"].map {
      Row(codec: "libopus", container: $0, rates: [48_000], arguments: ["-b:a", "256k"])
    }
    + ["ogg"].map {
      Row(codec: "libvorbis", container: $0, arguments: ["-q:a", "9"])
    }

  /// Noise with an impulse at both ends. No codec's frame divides its length.
  private static func signal(_ frames: Int, seed: UInt64) -> [Float] {
    var noise = SeededNoise(seed: seed)
    var samples = noise.samples(frames, peak: 0.2)
    (samples[0], samples[frames - 1]) = (0.9, -0.9)
    return samples
  }

  @Test(
    "the first and the last sample of each item lie at their places", .fullRunOnly, arguments: rows)
  func bothEndsLieWhereTheyHaveTo(row: Row) async throws {
    for rate in row.rates {
      let test = try QueueCase()
      let frames = 20_123
      let original = QueueImpulseTests.signal(frames, seed: UInt64(rate))
      let source = try test.write("source.wav", [original, original], rate: rate)
      let coded = test.folder.file("coded." + row.container)
      // Sixteen bits, so that the lossless codecs have the same samples.
      try FixtureStore.ffmpeg(
        ["-i", source, "-sample_fmt", "s16", "-c:a", "pcm_s16le", test.folder.file("short.wav")])
      try FixtureStore.ffmpeg(
        ["-i", test.folder.file("short.wav"), "-c:a", row.codec] + row.arguments + [coded])
      let queue = PlayQueue((0..<3).map { _ in QueueCase.item(coded) })
      let (joined, report) = try await test.render(.queue(queue))
      let starts = try #require(report.queue).items.map(\.start)
      let wanted = (0..<3).map { Int64($0 * frames) }
      #expect(starts == wanted, "\(rate) Hz")
      #expect(joined[0].count == 3 * frames, "\(rate) Hz")
      guard joined[0].count == 3 * frames else { continue }
      for item in 0..<3 {
        let sound = Array(joined[0][(item * frames)..<((item + 1) * frames)])
        if row.isLossless {
          let error = Signals.greatestDifference(sound, original)
          #expect(error <= 0x1p-15, "\(rate) Hz, item \(item + 1)")
        } else {
          let head = Alignment.lag(ofAll: sound.prefix(4000), original.prefix(4000))
          let tail = Alignment.lag(ofAll: sound.suffix(4000), original.suffix(4000))
          #expect(head == 0 && tail == 0, "\(rate) Hz, item \(item + 1): \(head) and \(tail)")
        }
      }
    }
  }

  /// The place of the largest magnitude around `place`, between samples by a parabola through the three highest.
  private static func peak(_ samples: [Float], near place: Double) -> Double {
    let middle = Int(place.rounded())
    let range = max(1, middle - 8)..<min(samples.count - 1, middle + 9)
    let top = range.max { abs(samples[$0]) < abs(samples[$1]) } ?? middle
    let values = (-1...1).map { Double(abs(samples[top + $0])) }
    let curve = values[0] - 2 * values[1] + values[2]
    return Double(top) + (curve == 0 ? 0 : 0.5 * (values[0] - values[2]) / curve)
  }

  /// Items of three rates in turn, of which each has one impulse: none moves by more than half a sample.
  @Test func impulsesOfOtherRatesLieWithinHalfASample() async throws {
    let test = try QueueCase()
    let rates = [44_100, 48_000, 32_000]
    let frames = 2999
    var (items, places): ([QueueItem], [Double]) = ([], [])
    var start = 0.0
    for number in 0..<30 {
      let rate = rates[number % 3]
      // The impulse comes ever later, so that it lies at all phases.
      let place = 500 + 37 * number
      var samples = [Float](repeating: 0, count: frames)
      samples[place] = 0.8
      items.append(QueueCase.item(try test.write("\(number).wav", [samples], rate: rate)))
      places.append(start + Double(place) * 48_000 / Double(rate))
      start += Double(frames) * 48_000 / Double(rate)
    }
    var queue = PlayQueue(items)
    queue.rate = 48_000
    let (out, _) = try await test.render(.queue(queue))
    #expect(out[0].count == Int(start.rounded()))
    for (number, place) in places.enumerated() {
      let error = QueueImpulseTests.peak(out[0], near: place) - place
      // A parabola through samples of a band-limited impulse is a tenth of a sample off at most.
      #expect(abs(error) <= 0.6, "item \(number + 1) is \(error) samples off")
    }
  }

  @Test func oneSampleOf8kHzIsAnItemAt192kHz() async throws {
    let test = try QueueCase()
    let samples = QueueCase.noise(1, 50)
    let path = try test.write("a.wav", samples, rate: 8000)
    var queue = PlayQueue((0..<50).map { QueueCase.item(path, $0..<($0 + 1)) })
    queue.rate = 192_000
    let (joined, report) = try await test.render(.queue(queue))
    var whole = PlayQueue([QueueCase.item(path)])
    whole.rate = 192_000
    let (alone, _) = try await test.render(.queue(whole), to: "alone.wav")
    #expect(report.queue?.items.map(\.start) == (0..<50).map { Int64(24 * $0) })
    #expect(joined[0].count == 1200)
    let error = QueueCase.null(joined[0][...], alone[0][...])
    #expect(error <= -130, "\(error) dB")
  }

  @Test("500 items of several codecs don't drift") func fiveHundredItemsDontDrift() async throws {
    let test = try QueueCase()
    let samples = QueueCase.noise(1, 4800)
    let path = try test.write("a.wav", samples)
    let queue = PlayQueue((0..<500).map { _ in QueueCase.item(path) })
    let (out, report) = try await test.render(.queue(queue))
    let starts = (0..<500).map { Int64(4800 * $0) }
    #expect(report.queue?.items.map(\.start) == starts)
    let isRepeated = (0..<500).allSatisfy { (index: Int) -> Bool in
      out[0].dropFirst(4800 * index).prefix(4800).elementsEqual(samples[0])
    }
    #expect(isRepeated && out[0].count == 500 * 4800)
  }

  @Test("a queue has the loudness of its samples joined by hand")
  func loudnessIsThatOfTheSamplesJoinedByHand() async throws {
    let test = try QueueCase()
    let parts = (1...4).map { QueueCase.noise(2, 60_000, seed: UInt64($0)) }
    let levels: [Float] = [0.1, 1, 0.3, 0.02]
    let quiet = zip(parts, levels).map { part, level in part.map { $0.map { $0 * level } } }
    let items = try quiet.enumerated().map { number, planes in
      QueueCase.item(try test.write("\(number).wav", planes))
    }
    let joined = (0..<2).map { channel in quiet.flatMap { $0[channel] } }
    let whole = try test.write("whole.wav", joined)
    let queue = try await test.render(.queue(PlayQueue(items))).report.outputs[0].integrated
    let hand = try await test.render(.file(whole), to: "hand.wav").report.outputs[0].integrated
    let difference = try #require(queue) - #require(hand)
    #expect(abs(difference) <= 0.001)
  }
}
