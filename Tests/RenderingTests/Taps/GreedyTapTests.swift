// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Taps that break their word fail the run, and nothing is left.
struct GreedyTapTests {
  /// Delivers one sample too many for each block, shouts, or gives what is no number.
  private final class Faulty: AudioTap {
    enum Fault { case greedy, loud, poisoned, otherRate }
    let latency = 0
    private let fault: Fault

    init(_ fault: Fault) { self.fault = fault }

    func prepare(_ format: AudioFormat) throws -> AudioFormat {
      fault == .otherRate ? AudioFormat(sampleRate: 8000, layout: format.layout) : format
    }

    func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
      let start = output.frames
      output.append(input)
      switch fault {
      case .greedy: output.appendSilence(1)
      case .loud:
        for index in start..<output.frames { output.channel(0)[index] *= 100 }
      case .poisoned: output.channel(0)[start] = .infinity
      case .otherRate: break
      }
    }

    func finish(into output: AudioBuffer) throws {}
  }

  private func failure(_ fault: Faulty.Fault, _ point: TapPoint) async throws -> MediaError? {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    return try await test.failure(.file(path)) { job in
      job.rendition.taps = [Tap(point, "faulty") { _ in Faulty(fault) }]
    }
  }

  @Test(
    "the message about a greedy tap names the tap", arguments: [TapPoint.item, .programme, .post])
  func itsNameStandsInTheMessage(point: TapPoint) async throws {
    let name = "the tap \(point.rawValue):own faulty"
    let greedy = try await failure(.greedy, point)
    #expect(greedy?.message.contains("correct its latency or tail") == true)
    #expect(greedy?.message.contains(name) == true)
    let poisoned = try await failure(.poisoned, point)
    #expect(poisoned?.kind == .damaged)
    #expect(
      poisoned?.message.contains("\(name): gives a value that is no number at sample 0") == true)
    let other = try await failure(.otherRate, point)
    #expect(other?.kind == .unsupportedFeature)
    #expect(other?.message.contains(name) == true)
  }

  @Test("a tap that raises the level by 40 dB is reported") func aGreatRiseIsRemarked() async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 20_000))
    let (_, report) = try await test.render(.file(path)) { job in
      job.rendition.taps = [Tap(.item, "loud") { _ in Faulty(.loud) }]
    }
    #expect(report.degradations.map(\.code).contains(.tapLevel))
    #expect(report.outputs.first?.taps?.first?.before.peak.map { $0 < -11 } == true)
    #expect(report.outputs.first?.taps?.first?.after.peak.map { $0 > 20 } == true)
  }

  @Test("a tap at the output point that changes samples is refused")
  func tapsAndObserversHaveTheirPlaces() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 2000))
    let wrong = try await test.failure(.file(path)) { job in
      job.rendition.taps = [Tap(.output, "faulty") { _ in Faulty(.loud) }]
    }
    #expect(wrong.kind == .usage)
    #expect(wrong.message.contains("would change samples that are measured already"))
  }

  @Test("a request with a tap of code can't become JSON") func jsonHoldsNoCode() async throws {
    let tap = Tap(.post, "mine") { _ in Faulty(.loud) }
    let read = try JSONDecoder().decode(Tap.self, from: try JSONEncoder().encode(tap))
    #expect(read == tap)
    let test = try QueueCase()
    let path = try test.write("in.wav", QueueCase.noise(2, 2000))
    let failure = try await test.failure(.file(path)) { job in job.rendition.taps = [read] }
    #expect(failure.message.contains("JSON, which holds no code"))
  }
}
