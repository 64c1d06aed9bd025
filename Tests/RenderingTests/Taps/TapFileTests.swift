// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import Report
import TestSupport
import Testing

/// Taps that are made of files: equalisers and impulse responses.
struct TapFileTests {
  /// `plane` convolved with `taps`, in double precision, from output sample `from` on.
  private static func convolve(_ plane: [Float], _ taps: [Float], from: Int = 0) -> [Double] {
    (0..<plane.count).map { index in
      var sum = 0.0
      for (place, tap) in taps.enumerated() {
        let source = index + from - place
        if plane.indices.contains(source) { sum += Double(tap) * Double(plane[source]) }
      }
      return sum
    }
  }

  private static func error(_ found: [Float], _ wanted: [Double]) -> Double {
    let worst = zip(found, wanted).map { abs(Double($0) - $1) }.max() ?? 1
    return 20 * log10(worst / (wanted.map(\.magnitude).max() ?? 1))
  }

  private func render(
    _ test: QueueCase, _ path: String, _ work: Tap.Work, at point: TapPoint = .programme
  ) async throws -> (planes: [[Float]], report: RenderReport) {
    try await test.render(.file(path)) { $0.rendition.taps = [Tap(point, work)] }
  }

  @Test(arguments: [1, 2, 300]) func aResponseForAllIsConvolved(length: Int) async throws {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 6000)
    let input = try test.write("in.wav", noise)
    let taps = QueueCase.noise(1, length, seed: 9)
    let file = try test.write("fir.wav", taps)
    let (planes, report) = try await render(
      test, input, .impulse(ImpulseRequest(path: file, alignment: .start)))
    for channel in 0..<2 {
      #expect(Self.error(planes[channel], Self.convolve(noise[channel], taps[0])) < -120)
    }
    let tap = try #require(report.outputs.first?.taps?.first)
    #expect(tap.kind == "fir" && tap.latency.used == 0 && tap.tail == length - 1)
  }

  @Test func thePeakStaysInItsPlace() async throws {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 6000)
    let input = try test.write("in.wav", noise)
    // A low-pass of linear phase.
    let taps = (0..<201).map { index -> Float in
      let x = Double(index - 100)
      let sinc = x == 0 ? 0.5 : sin(.pi * x / 2) / (.pi * x)
      return Float(sinc * (0.5 + 0.5 * cos(.pi * x / 101)))
    }
    let file = try test.write("fir.wav", [taps, taps])
    let (planes, report) = try await render(
      test, input, .impulse(ImpulseRequest(path: file)))
    #expect(report.outputs.first?.taps?.first?.latency.used == 100)
    #expect(Self.error(planes[0], Self.convolve(noise[0], taps, from: 100)) < -120)
  }

  @Test("a true stereo response crosses channels over") func trueStereoCrossesOver() async throws {
    let test = try QueueCase()
    let noise = QueueCase.noise(2, 4000)
    let input = try test.write("in.wav", noise)
    let taps = QueueCase.noise(4, 130, seed: 5)
    let file = try test.write("fir.wav", taps)
    let (planes, _) = try await render(
      test, input, .impulse(ImpulseRequest(path: file, alignment: .start)))
    let left = zip(Self.convolve(noise[0], taps[0]), Self.convolve(noise[1], taps[2])).map(+)
    let right = zip(Self.convolve(noise[0], taps[1]), Self.convolve(noise[1], taps[3])).map(+)
    #expect(Self.error(planes[0], left) < -115)
    #expect(Self.error(planes[1], right) < -115)
  }

  @Test func aResponseOfAnotherRateKeepsItsGain() async throws {
    let test = try QueueCase()
    let input = try test.write("in.wav", QueueCase.noise(1, 48_000).map { $0 })
    // Half a second of a tone far below both rates' halves.
    let tone = (0..<24_000).map { Float(0.5 * sin(Double($0) * 2 * .pi * 500 / 48_000)) }
    let toned = try test.write("tone.wav", [tone])
    var taps = [Float](repeating: 0, count: 400)
    for index in 100..<300 {
      taps[index] = Float(0.5 - 0.5 * cos(2 * .pi * Double(index - 100) / 200)) / 100
    }
    let file = try test.write("fir.wav", [taps], rate: 96_000)
    let (planes, _) = try await test.render(.file(toned)) { job in
      job.rendition.taps = [Tap(.post, .impulse(ImpulseRequest(path: file)))]
    }
    // The response's gain at 500 Hz, by its own transform at 96 kHz.
    var (re, im) = (0.0, 0.0)
    for (index, tap) in taps.enumerated() {
      re += Double(tap) * cos(2 * .pi * 500 * Double(index) / 96_000)
      im += Double(tap) * sin(2 * .pi * 500 * Double(index) / 96_000)
    }
    let middle = planes[0][8000..<16_000]
    let found = (middle.map { Double($0) * Double($0) }.reduce(0, +) / 8000 * 2).squareRoot()
    #expect(abs(20 * log10(found / (0.5 * hypot(re, im)))) < 0.02)
    #expect(input.hasSuffix("in.wav"))
  }

  @Test("a tap of a frequency curve has the curve's gains", arguments: [44_100, 48_000, 96_000])
  func aCurveIsFollowed(rate: Int) async throws {
    let test = try QueueCase()
    var impulse = [Float](repeating: 0, count: 32_768)
    impulse[0] = 1
    let input = try test.write("in.wav", [impulse, impulse], rate: rate)
    let points: [(Double, Double)] = [
      (20, -3), (60, 2.5), (150, 0), (900, -1.5), (2500, -4), (5200, 3), (9000, -2), (20_000, -6),
    ]
    let text = points.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    let file = try test.write("eq.txt", "GraphicEQ: \(text)\n")
    let (planes, report) = try await render(test, input, .equalizer(path: file))
    #expect(report.outputs.first?.taps?.first?.latency.used == 0)
    for (low, high) in zip(points, points.dropFirst()) {
      for part in [0.15, 0.5, 0.85] {
        let frequency = low.0 * pow(high.0 / low.0, part)
        // To 0.45 of the rate, and away from the lowest octave, which a short response can't resolve.
        guard frequency < 0.45 * Double(rate), frequency > 40 else { continue }
        var (re, im) = (0.0, 0.0)
        for (index, value) in planes[0].enumerated() where value != 0 {
          let turn = 2 * .pi * frequency * Double(index) / Double(rate)
          re += Double(value) * cos(turn)
          im += Double(value) * sin(turn)
        }
        let wanted = low.1 + part * (high.1 - low.1)
        #expect(abs(20 * log10(hypot(re, im)) - wanted) < 0.1, "\(frequency) Hz")
      }
    }
  }

  @Test func anEqualiserIsFoundByItsContent() async throws {
    let test = try QueueCase()
    let input = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let text = try test.write("hp.txt", "Preamp: -3 dB\nFilter 1: ON PK Fc 1000 Hz Gain 3 dB Q 1\n")
    let (_, report) = try await render(test, input, .equalizer(path: text), at: .post)
    let tap = try #require(report.outputs.first?.taps?.first)
    #expect(tap.name == "hp.txt" && tap.kind == "eq" && tap.point == .post)
    let sum = try Tool.run("sha256sum", [text]).output
    #expect(String(decoding: sum, as: UTF8.self).hasPrefix(tap.sha256 ?? "none"))
    #expect(tap.settings == ["gain -3.00 dB", "peak 1000.00 Hz +3.00 dB Q 1.00"])
    #expect(report.decisions.contains { $0.code == .tap && $0.chose == "post:eq hp.txt" })
  }

  @Test("a file that is no response or equaliser is refused as a tap")
  func filesThatWontDoAreRefused() async throws {
    let test = try QueueCase()
    let input = try test.write("in.wav", QueueCase.noise(2, 2000))
    let silent = try test.write("silent.wav", [[Float](repeating: 0, count: 100)])
    let three = try test.write("three.wav", QueueCase.noise(3, 100))
    let long = try test.write("long.wav", QueueCase.noise(1, 300_000))
    let works: [(Tap.Work, String)] = [
      (.equalizer(path: test.folder.file("none.txt")), "none.txt"),
      (.equalizer(path: input), "in.wav"),
      (.impulse(ImpulseRequest(path: silent)), "isn't silent"),
      (.impulse(ImpulseRequest(path: three)), "has 3 channels"),
      (.impulse(ImpulseRequest(path: long)), "no impulse response"),
    ]
    for (work, words) in works {
      let error = try await test.failure(.file(input)) { $0.rendition.taps = [Tap(.post, work)] }
      #expect(error.message.contains(words), "\(error.message)")
      #expect([.usage, .inputMissing].contains(error.kind))
    }
  }
}
