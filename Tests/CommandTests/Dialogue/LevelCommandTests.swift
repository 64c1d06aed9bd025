// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Loud and quiet parts evened out, on the command line.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: SpokenCases.areHere, "the cases of ../shared/dialogue aren't here"))
struct LevelCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func report(_ input: String, _ options: [String]) throws -> [String: Any] {
    let result = try Product.run(
      ["render", input, "-o", folder.file("out.wav"), "-y", "-q", "--json"] + options)
    #expect(result.status == 0, "\(result.errors)")
    return try JSONSerialization.jsonObject(with: result.output) as? [String: Any] ?? [:]
  }

  private func planes() throws -> [[Float]] {
    try #require(WAVPlanes(try Data(contentsOf: folder.url("out.wav")))).planes
  }

  private static let curves = [
    ("08-whisper-normal-explosion", "gentle"), ("08-whisper-normal-explosion", "night"),
    ("08-whisper-normal-explosion", "train"), ("15-mono-action", "night"),
    ("17-two-levels", "night"), ("06-film-5.1", "night"),
  ]

  @Test("the curve from sound is that of the vectors", arguments: curves.indices)
  func curvesAreThoseOfTheVectors(row: Int) throws {
    let (name, mode) = Self.curves[row]
    let report = try report(SpokenCases.path(name), ["--level", mode, "-e", "none"])
    let level = try #require(report["level"] as? [String: Any])
    let gains = try #require(level["gain"] as? [Double])
    let wanted = try #require(SpokenCases.vector("\(name)-\(mode)")["gain"] as? [Double])
    #expect(gains.count == wanted.count)
    let gaps = zip(gains, wanted).map { abs($0 - $1) }
    #expect(gaps.allSatisfy { $0 < 0.5 })
    #expect(Double(gaps.count { $0 > 0.05 }) <= 0.01 * Double(gaps.count))
  }

  @Test("a levelled file has the loudness and the peaks that are asked for")
  func targetsAreHeld() throws {
    for endpoint in ["headphones", "speakers", "none"] {
      let report = try report(
        SpokenCases.path("08-whisper-normal-explosion"), ["--level", "night", "-e", endpoint])
      let measured = try Product.run(["measure", folder.file("out.wav"), "--json"])
      let levels =
        (try JSONSerialization.jsonObject(with: measured.output) as? [String: Any])?["levels"]
        as? [String: Any]
      #expect(abs((levels?["integrated"] as? Double ?? 0) + 16) < 0.05)
      #expect(levels?["truePeak"] as? Double ?? 0 <= -1)
      let outputs = report["outputs"] as? [[String: Any]]
      let stated = (outputs?.first?["loudness"] as? [String: Any])?["output"] as? [String: Any]
      let gap = (stated?["range"] as? Double ?? 0) - (levels?["range"] as? Double ?? 99)
      #expect(abs(gap) < 1e-9)
    }
  }

  @Test("a programme that keeps the range already has the samples that it has without levelling")
  func nothingIsDoneWithoutNeed() throws {
    let input = SpokenCases.path("06-film-5.1")
    let report = try report(input, ["--level", "gentle"])
    #expect((report["level"] as? [String: Any])?["outcome"] as? String == "within")
    let levelled = try planes()
    _ = try self.report(input, [])
    #expect(try planes() == levelled)
  }

  @Test("a jump of 20 dB brings no click: the gain is straight between steps")
  func jumpsBringNoClick() throws {
    let rate = 48_000
    // Tones of −38 and −18 dBFS in turns of ten seconds: the gain changes most around the jumps.
    let levels = [0.0126, 0.126, 0.0126, 0.126, 0.0126, 0.126]
    let samples = (0..<60 * rate).map { index in
      Float(levels[index / (10 * rate)] * sin(2 * .pi * 1000 * Double(index) / Double(rate)))
    }
    try WAVBytes.float32([samples], rate: rate).write(to: folder.url("in.wav"))
    let report = try report(
      folder.file("in.wav"), ["--level", "train", "-e", "none", "-l", "-30", "-b", "32f"])
    let level = try #require(report["level"] as? [String: Any])
    let gains = try #require(level["gain"] as? [Double])
    #expect((gains.max() ?? 0) - (gains.min() ?? 0) > 6)
    let output = try planes()[0]
    let outputs = report["outputs"] as? [[String: Any]]
    let gain = try #require(outputs?.first?["gainDB"] as? Double)
    // By the definition: amplitudes lie on straight lines between the middles of steps.
    let factors = gains.map { pow(10, ($0 + gain) / 20) }
    for index in stride(from: 0, to: output.count, by: 7) {
      let place = min(max((Double(index) + 0.5) / 4800 - 0.5, 0), Double(factors.count - 1))
      let (below, part) = (Int(place), place - place.rounded(.down))
      let above = factors[min(below + 1, factors.count - 1)]
      let wanted = Double(samples[index]) * (factors[below] + (above - factors[below]) * part)
      #expect(abs(Double(output[index]) - wanted) < 2e-6)
    }
    let loudest = (0..<output.count / 480).filter { $0 % 1000 != 999 }.map {
      Self.highPart(output[$0 * 480..<($0 + 1) * 480])
    }.max()
    #expect(try #require(loudest) < 1e-4)
  }

  /// Largest amplitude from 4 to 20 kHz in 10 ms (480 samples, Hann window), as part of that of the tone at 1 kHz.
  private static func highPart(_ samples: ArraySlice<Float>) -> Double {
    func amplitude(_ frequency: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let window = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / 480)
        let angle = 2 * .pi * frequency * Double(index) / 48_000
        real += window * Double(sample) * cos(angle)
        imaginary += window * Double(sample) * sin(angle)
      }
      return (real * real + imaginary * imaginary).squareRoot()
    }
    let tone = amplitude(1000)
    return stride(from: 4000.0, through: 20_000, by: 2000).map { amplitude($0) / tone }.max() ?? 0
  }

  @Test("several outputs of a run have one curve, and each its own target")
  func outputsShareTheCurve() throws {
    let input = SpokenCases.path("08-whisper-normal-explosion")
    let both = try report(
      input, ["--level", "train", "-e", "none", "--also", "headphones:" + folder.file("h.flac")])
    let alone = try report(input, ["--level", "train"])
    let curves = [both, alone].map { ($0["level"] as? [String: Any])?["gain"] as? [Double] }
    #expect(curves[0] == curves[1])
    let outputs = both["outputs"] as? [[String: Any]] ?? []
    for output in outputs { #expect(abs((output["integrated"] as? Double ?? 0) + 16) < 0.05) }
  }

  @Test("the page draws the curve, and shades where people speak")
  func thePageDrawsTheCurve() throws {
    let result = try Product.run([
      "render", SpokenCases.path("08-whisper-normal-explosion"), "-o", folder.file("out.wav"), "-q",
      "--level", "night", "--report", folder.file("out.json"),
    ])
    #expect(result.status == 0, "\(result.errors)")
    let page = try Product.run([
      "report", folder.file("out.json"), "-o", folder.file("out.html"),
    ])
    #expect(page.status == 0, "\(page.errors)")
    let text = try String(contentsOf: folder.url("out.html"), encoding: .utf8)
    #expect(text.contains("Gain that levels the programme"))
    #expect(text.contains("class=\"spoken\"") && text.contains("Dialogue loudness"))
  }
}
