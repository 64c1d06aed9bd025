// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// `pinna compare` finds a change to a file and names it.
@Suite(.tags(.system), .fullRunOnly) struct CompareCommandTests {
  private static let rate = 48_000
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct Outcome {
    let status: Int32
    let report: [String: Any]

    var verdict: String { report["verdict"] as? String ?? "" }
    var failed: String? { report["failed"] as? String }
    var explainedBy: String? { report["explainedBy"] as? String }

    func status(of layer: String) -> String? {
      let layers = report["layers"] as? [[String: Any]]
      return layers?.first { $0["layer"] as? String == layer }?["status"] as? String
    }
  }

  private func compare(_ old: String, _ new: String, _ extra: [String] = []) throws -> Outcome {
    let result = try Product.run(
      ["compare", folder.file(old), folder.file(new), "--json"] + extra)
    let report = try? JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    if report == nil { Issue.record("\(result.status) \(result.errors)") }
    return Outcome(status: result.status, report: report ?? [:])
  }

  private func write(_ planes: [[Float]], _ name: String) throws {
    let mask: UInt32? = planes.count == 6 ? 0x3F : nil
    try WAVBytes.float32(planes, rate: CompareCommandTests.rate, mask: mask).write(
      to: folder.url(name))
  }

  /// A way to spoil a programme, and the words that the verdict must contain.
  struct Defect: CustomTestStringConvertible, Sendable {
    let name: String
    var channels = 2
    let layer: String
    let words: [String]
    /// REF, made from the programme.
    var prepare: @Sendable ([[Float]]) -> [[Float]] = { $0 }
    let spoil: @Sendable ([[Float]]) -> [[Float]]

    var testDescription: String { name }
  }

  private static func delayed(_ planes: [[Float]], _ count: Int) -> [[Float]] {
    planes.map { [Float](repeating: 0, count: count) + $0.dropLast(count) }
  }

  private static func scaled(_ planes: [[Float]], _ gain: Float) -> [[Float]] {
    planes.map { $0.map { $0 * gain } }
  }

  private static func noise(seed: UInt64) -> [[Float]] {
    var noise = SeededNoise(seed: seed)
    return (0..<2).map { _ in
      (0..<240_000).map { _ in Float.random(in: -0.25...0.25, using: &noise) }
    }
  }

  private static func noisy(_: [[Float]]) -> [[Float]] { noise(seed: 41) }

  static let defects: [Defect] = [
    Defect(
      name: "shift by 1 sample", layer: "null", words: ["1 sample (", "late"],
      spoil: { delayed($0, 1) }),
    Defect(
      name: "shift by 1024 samples", layer: "null", words: ["1024 samples (21.333 ms) late"],
      spoil: { delayed($0, 1024) }),
    Defect(
      name: "+0.1 dB", layer: "null", words: ["0.10 dB louder"],
      spoil: { scaled($0, 1.0115795) }),
    Defect(
      name: "-18 dB", layer: "null", words: ["18.0 dB quieter"],
      spoil: { scaled($0, 0.12589254) }),
    Defect(
      name: "L and R swapped", layer: "null", words: ["FL and FR are swapped"],
      spoil: { [$0[1], $0[0]] }),
    Defect(
      name: "polarity", layer: "null", words: ["polarity is inverted"],
      spoil: { scaled($0, -1) }),
    Defect(
      name: "low-pass at 15 kHz", layer: "spectrum", words: ["above about 1", "kHz is missing"],
      spoil: { $0.map { LowPass.applied(to: $0, hertz: 15_000, rate: rate) } }),
    Defect(
      name: "LFE removed", channels: 6, layer: "null", words: ["LFE missing"],
      spoil: { planes in
        planes.enumerated().map { $0 == 3 ? $1.map { _ in 0 } : $1 }
      }),
    Defect(
      name: "one click", layer: "null", words: ["click in FR at 2.500 s", "sample 120000"],
      spoil: { planes in
        var planes = planes
        planes[1][120_000] += 0.5
        return planes
      }),
    Defect(
      name: "10 ms cut off the end", layer: "structure",
      words: ["lacks 480 samples (10.000 ms) at the end"],
      spoil: { $0.map { Array($0.dropLast(480)) } }),
    Defect(
      name: "10 ms cut off the beginning", layer: "structure",
      words: ["lacks 480 samples (10.000 ms) at the beginning"],
      spoil: { $0.map { Array($0.dropFirst(480)) } }),
    Defect(
      name: "a low-pass that leaves a tenth of a noise", layer: "spectrum",
      words: ["different: content above about 1.9 kHz is missing in TEST (low-pass)"],
      prepare: noisy, spoil: { $0.map { LowPass.applied(to: $0, hertz: 2_000, rate: rate) } }),
    Defect(
      name: "a DC offset", layer: "null",
      words: ["different: the DC offset of TEST is 0.0499 of full scale instead of -0.0001."],
      spoil: { $0.map { $0.map { $0 + 0.05 } } }),
    Defect(
      name: "silence from 3 s on", layer: "null", words: ["different: TEST is silent from 3.0"],
      prepare: noisy,
      spoil: { $0.map { $0.prefix(144_000) + [Float](repeating: 0, count: 96_000) } }),
    Defect(
      name: "a sound that has nothing to do with it", layer: "null",
      words: ["different: TEST is another sound, or REF changed throughout"], prepare: noisy,
      spoil: { _ in noise(seed: 77) }),
    Defect(
      name: "longer, later and louder at once", layer: "structure",
      words: [
        "different: TEST has 480 samples (10.000 ms) more at the beginning; TEST is 2.0 dB louder."
      ],
      spoil: { scaled($0, 1.2589254).map { [Float](repeating: 0, count: 480) + $0 } }),
    Defect(
      name: "6 dB more from 1.4 to 2.8 kHz", layer: "levels",
      words: ["LU louder in TEST; TEST is 6.", " dB louder around "], prepare: noisy,
      spoil: {
        $0.map { plane in
          let above = LowPass.applied(to: plane, hertz: 2_800, rate: rate)
          let below = LowPass.applied(to: plane, hertz: 1_400, rate: rate)
          return plane.indices.map { plane[$0] + above[$0] - below[$0] }
        }
      }),
    Defect(
      name: "9 dB more above 4 kHz", layer: "null",
      words: ["different: TEST is 8.0 dB louder; TEST is brighter"],
      prepare: noisy,
      spoil: {
        $0.map { plane in
          let below = LowPass.applied(to: plane, hertz: 4_000, rate: rate)
          return plane.indices.map { plane[$0] + 1.8 * (plane[$0] - below[$0]) }
        }
      }),
    Defect(
      name: "a long fade 6 dB quieter", layer: "null",
      words: ["different: TEST is 6.0 dB quieter."],
      prepare: { noisy($0).map { $0.enumerated().map { $1 * exp(-Float($0) / 20_000) } } },
      spoil: { scaled($0, 0.5) }),
    Defect(
      name: "20 ms late and silent from 3 s on", layer: "null",
      words: ["TEST is 960 samples (20.000 ms) late, TEST is silent from 3.0"], prepare: noisy,
      spoil: { delayed($0, 960).map { $0.prefix(144_000) + [Float](repeating: 0, count: 96_000) } }),
    Defect(
      name: "another sound that begins later", layer: "null",
      words: ["TEST is another sound", "TEST is silent before 0.5"], prepare: noisy,
      spoil: { _ in
        noise(seed: 78).map { [Float](repeating: 0, count: 24_000) + $0.dropFirst(24_000) }
      }),
    Defect(
      name: "DC offsets of two kinds", layer: "null",
      words: ["the DC offset of FL is 0.0", "the DC offset of FR is -0.1"],
      spoil: { zip($0, [0.05, -0.1] as [Float]).map { plane, off in plane.map { $0 + off } } }),
    Defect(
      name: "6 dB quieter and without what is above 6 kHz", layer: "null",
      words: ["TEST is 6.", " dB quieter; content above about 6.0", "kHz is missing in TEST"],
      spoil: { scaled($0, 0.5).map { LowPass.applied(to: $0, hertz: 6_000, rate: rate) } }),
    Defect(
      name: "a programme instead of silence", layer: "levels",
      words: ["the programme is silent in REF and isn't in TEST"],
      prepare: { $0.map { $0.map { _ in 0 } } }, spoil: { _ in noise(seed: 5) }),
    Defect(
      name: "NaN", layer: "samples", words: ["NaN", "sample 100000"],
      spoil: { planes in
        var planes = planes
        planes[0][100_000] = .nan
        return planes
      }),
  ]

  @Test(
    "compare names the defect of a spoilt programme and ends with 7", arguments: defects)
  func defectsAreNamed(defect: Defect) throws {
    let planes = defect.prepare(TestProgramme.planes(channels: defect.channels, seconds: 5))
    try write(planes, "ref.wav")
    try write(defect.spoil(planes), "test.wav")
    let outcome = try compare("ref.wav", "test.wav")
    #expect(outcome.status == 7)
    #expect(outcome.explainedBy == defect.layer, "\(outcome.verdict)")
    for words in defect.words { #expect(outcome.verdict.contains(words), "\(outcome.verdict)") }
    // The comparison also fails with both files exchanged.
    #expect(try compare("test.wav", "ref.wav").status == 7)
  }

  @Test("compare finds the frequency of a low-pass within a twelfth of an octave")
  func lowPassIsPlacedAtItsFrequency() throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 5)
    try write(planes, "ref.wav")
    for hertz in [8_000.0, 15_000] {
      try write(
        planes.map { LowPass.applied(to: $0, hertz: hertz, rate: CompareCommandTests.rate) },
        "test.wav")
      let outcome = try compare("ref.wav", "test.wav", ["--tolerance", "lossy"])
      #expect(outcome.failed == "spectrum", "\(outcome.verdict)")
      let layers = outcome.report["layers"] as? [[String: Any]] ?? []
      let figures = layers.first { $0["layer"] as? String == "spectrum" }?["figures"]
      let rows = figures as? [[String: Any]] ?? []
      let found = rows.first { $0["name"] as? String == "cutoff" }?["value"] as? Double ?? 0
      // A twelfth of an octave is the resolution.
      #expect(abs(log2(found / hertz)) < 1.0 / 12, "\(found)")
    }
  }

  @Test("a programme that is delayed, swapped, inverted and quieter is named with all four faults")
  func severalFaultsAreNamedTogether() throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 5)
    try write(planes, "ref.wav")
    let spoilt = CompareCommandTests.delayed(
      CompareCommandTests.scaled([planes[1], planes[0]], -0.5), 777)
    try write(spoilt, "test.wav")
    let verdict = try compare("ref.wav", "test.wav").verdict
    for words in ["777 samples", "swapped", "inverted", "6.0 dB quieter"] {
      #expect(verdict.contains(words), "\(verdict)")
    }
  }

  @Test("a file compared with itself passes at each tolerance")
  func unchangedFilesPass() throws {
    for (channels, name) in [(1, "mono"), (2, "stereo"), (6, "surround")] {
      try write(TestProgramme.planes(channels: channels, seconds: 2), "\(name).wav")
      for tolerance in ["exact", "transparent", "lossy"] {
        let outcome = try compare("\(name).wav", "\(name).wav", ["--tolerance", tolerance])
        #expect(outcome.status == 0, "\(outcome.verdict)")
        #expect(outcome.failed == nil)
      }
    }
    try write([[Float](repeating: 0, count: 48_000)], "silent.wav")
    #expect(try compare("silent.wav", "silent.wav").status == 0)
    #expect(try compare("mono.wav", "silent.wav").status == 7)
  }

  @Test("a quieter copy passes with --match-loudness, and a duller one doesn't")
  func loudnessCanBeMatched() throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 5)
    try write(planes, "ref.wav")
    try write(CompareCommandTests.scaled(planes, 0.3), "quiet.wav")
    let flags = ["--tolerance", "transparent", "--match-loudness"]
    #expect(try compare("ref.wav", "quiet.wav", Array(flags.prefix(2))).status == 7)
    let matched = try compare("ref.wav", "quiet.wav", flags)
    #expect(matched.status == 0, "\(matched.verdict)")
    let gain = try #require(matched.report["matchedGainDB"] as? Double)
    #expect(abs(gain - 10.4576) < 0.01 && matched.verdict.contains("10.46 dB"))
    // The levels of both files are those that a meter shows.
    let levels = ["reference", "test"].compactMap { role in
      ((matched.report[role] as? [String: Any])?["levels"] as? [String: Any])?["integrated"]
        as? Double
    }
    #expect(levels.count == 2 && abs(levels[0] - levels[1] - 10.4576) < 0.01)
    let dull = planes.map {
      LowPass.applied(to: $0, hertz: 9_000, rate: CompareCommandTests.rate).map { $0 * 0.3 }
    }
    try write(dull, "dull.wav")
    let other = try compare("ref.wav", "dull.wav", flags)
    #expect(other.status == 7 && other.verdict.contains("kHz is missing"), "\(other.verdict)")
    try write(
      [[Float](repeating: 0, count: 240_000), [Float](repeating: 0, count: 240_000)], "0.wav")
    let silent = try compare("ref.wav", "0.wav", flags)
    #expect(silent.status == 7 && silent.verdict.contains("wasn't matched"), "\(silent.verdict)")
  }

  @Test("tags are named behind the sound, and not at all with --ignore tags")
  func tagsComeBehindTheSound() throws {
    try write(TestProgramme.planes(channels: 2, seconds: 3), "in.wav")
    for (name, title, gain) in [("a", "One", "0"), ("b", "Two", "0"), ("c", "Two", "-6")] {
      try FixtureStore.ffmpeg([
        "-i", folder.file("in.wav"), "-af", "volume=\(gain)dB", "-metadata", "title=\(title)",
        "-c:a", "flac", folder.file(name + ".flac"),
      ])
    }
    let tags = try compare("a.flac", "b.flac")
    #expect(
      tags.status == 7 && tags.verdict.hasPrefix("different: the tag title"), "\(tags.verdict)")
    let both = try compare("a.flac", "c.flac")
    #expect(both.verdict.hasPrefix("different: TEST is 6.0 dB quieter"), "\(both.verdict)")
    #expect(both.verdict.contains("Beside the sound, the tag title"), "\(both.verdict)")
    let ignored = try compare("a.flac", "b.flac", ["--ignore", "tags"])
    #expect(ignored.status == 0 && ignored.report["ignored"] as? [String] == ["tags"])
    let wrong = try Product.run(
      ["compare", folder.file("a.flac"), folder.file("b.flac"), "--ignore", "time"])
    #expect(wrong.status == 2 && wrong.errors.contains("--ignore time: unknown word; give tags"))
  }

  @Test("the page of a comparison has both loudnesses, and no file is replaced without -y")
  func comparisonsHaveAPage() throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 5)
    try write(planes, "ref.wav")
    try write(CompareCommandTests.scaled(planes, 0.5), "test.wav")
    let page = folder.file("page.html")
    let words = ["compare", folder.file("ref.wav"), folder.file("test.wav"), "--html", page]
    let first = try Product.run(words)
    #expect(first.status == 7, "\(first.errors)")
    let text = String(decoding: first.output, as: UTF8.self)
    #expect(text.hasPrefix("REF ") && text.contains(" LUFS, true peak "), "\(text)")
    let html = try String(contentsOfFile: page, encoding: .utf8)
    for part in ["Loudness of both files over time", "Difference of both files over time"] {
      #expect(html.contains(part))
    }
    #expect(html.contains("href=\"ref.wav\""))
    let again = try Product.run(words)
    #expect(again.status == 6 && again.errors.contains("page.html"), "\(again.errors)")
    #expect(try Product.run(words + ["-y"]).status == 7)
    let input = try Product.run(words.dropLast() + [folder.file("test.wav"), "-y"])
    #expect(input.status == 6 && input.errors.contains("one of the files"), "\(input.errors)")
    let both = try Product.run(words.dropLast() + ["-", "--json"])
    #expect(both.status == 2 && both.errors.contains("standard output"), "\(both.errors)")
    let printed = try Product.run(words.dropLast() + ["-"])
    #expect(String(decoding: printed.output, as: UTF8.self).hasPrefix("<!DOCTYPE html>"))
  }

  @Test("AAC passes as lossy only")
  func lossyCodecsPassAsLossyOnly() throws {
    try write(TestProgramme.planes(channels: 2, seconds: 6), "ref.wav")
    try FixtureStore.ffmpeg([
      "-i", folder.file("ref.wav"), "-c:a", "aac", "-b:a", "256k", folder.file("t.m4a"),
    ])
    #expect(try compare("ref.wav", "t.m4a").status == 7)
    #expect(try compare("ref.wav", "t.m4a", ["--tolerance", "transparent"]).status == 7)
    let outcome = try compare("ref.wav", "t.m4a", ["--tolerance", "lossy"])
    #expect(outcome.status == 0, "\(outcome.verdict)")
  }

  @Test("FLAC passes as transparent and not as exact")
  func losslessCopiesPassAsTransparent() throws {
    try write(TestProgramme.planes(channels: 2, seconds: 3), "float.wav")
    try FixtureStore.ffmpeg([
      "-i", folder.file("float.wav"), "-c:a", "pcm_s24le", folder.file("ref.wav"),
    ])
    try FixtureStore.ffmpeg(["-i", folder.file("ref.wav"), "-c:a", "flac", folder.file("t.flac")])
    let exact = try compare("ref.wav", "t.flac")
    #expect(exact.failed == "structure" && exact.verdict.contains("flac"), "\(exact.verdict)")
    #expect(exact.status(of: "samples") == "passed")
    #expect(try compare("ref.wav", "t.flac", ["--tolerance", "transparent"]).status == 0)
  }

  @Test("a fragment that is one coded frame late is named")
  func decodeTimesOffByAFrameAreNamed() throws {
    try write(TestProgramme.planes(channels: 2, seconds: 5), "in.wav")
    let made = try Product.run(
      [
        "render", folder.file("in.wav"), "-o", folder.file("ref.mp4"), "-q", "-e", "none",
        "-f", "fmp4",
      ])
    #expect(made.status == 0, "\(made.errors)")
    var movie = try Data(contentsOf: folder.url("ref.mp4"))
    let time = try #require(movie.ranges(of: Data("tfdt".utf8)).last)
    // Version 1: flags, then 64 bits; 1024 ticks are one frame of AAC.
    let place = time.upperBound + 10
    let value = Int(movie[place]) << 8 + Int(movie[place + 1]) + 1024
    movie[place] = UInt8(value >> 8 & 255)
    movie[place + 1] = UInt8(value & 255)
    try movie.write(to: folder.url("test.mp4"))
    #expect(try compare("ref.mp4", "ref.mp4").status == 0)
    for tolerance in ["exact", "lossy"] {
      let outcome = try compare("ref.mp4", "test.mp4", ["--tolerance", tolerance])
      #expect(outcome.status == 7)
      #expect(outcome.explainedBy == "structure")
      for words in ["decode-time", "1024 ticks (1 coded frame) late"] {
        #expect(outcome.verdict.contains(words), "\(outcome.verdict)")
      }
    }
  }

  @Test("a movie and HLS of the same programme are equal as transparent")
  func streamsAndMoviesCompare() throws {
    try write(TestProgramme.planes(channels: 2, seconds: 4), "in.wav")
    for name in ["a.mp4", "b.m3u8"] {
      let made = try Product.run(
        ["render", folder.file("in.wav"), "-o", folder.file(name), "-q", "-e", "none"]
          + ["-f", name.hasSuffix("8") ? "hls" : "fmp4"])
      #expect(made.status == 0, "\(made.errors)")
    }
    let outcome = try compare("a.mp4", "b.m3u8", ["--tolerance", "transparent"])
    #expect(outcome.status == 0, "\(outcome.verdict)")
  }

  @Test("another layout or rate is named and ends the comparison")
  func otherRatesAndLayoutsEndTheComparison() throws {
    let planes = TestProgramme.planes(channels: 6, seconds: 2)
    try write(planes, "ref.wav")
    let five = planes.indices.filter { $0 != 3 }.map { planes[$0] }
    try WAVBytes.float32(five, rate: 48_000, mask: 0x37).write(to: folder.url("five.wav"))
    let outcome = try compare("ref.wav", "five.wav", ["--tolerance", "lossy"])
    #expect(outcome.status == 7)
    #expect(outcome.verdict.contains("LFE missing"), "\(outcome.verdict)")
    #expect(outcome.status(of: "null") == "skipped")
    try WAVBytes.float32(planes, rate: 44_100, mask: 0x3F).write(to: folder.url("slow.wav"))
    #expect(try compare("ref.wav", "slow.wav").verdict.contains("44100 Hz"))
  }

  @Test("an unknown tolerance and a missing file are refused")
  func wrongUsageIsRefused() async throws {
    try write(TestProgramme.planes(channels: 1, seconds: 1), "a.wav")
    let bad = try await InProcess.run(
      ["compare", folder.file("a.wav"), folder.file("a.wav"), "--tolerance", "loose"])
    #expect(bad.status == 2)
    #expect(bad.errors.contains("exact, transparent, lossy"))
    #expect(
      try await InProcess.run(["compare", folder.file("a.wav"), folder.file("no.wav")]).status == 3)
  }
}
