// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import TestSupport
import Testing

@testable import Rendering

/// Limiting is reported where it may be heard, with the setting that helps.
@Suite struct GainNotesTests {
  /// Work of a limiter, and the setting that the report names; `nil` where nothing is reported.
  static let rows: [(reduction: Double, active: Double, isLFE: Bool, setting: Setting?)] = [
    (0, 0.023, false, nil), (0.09, 0.5, false, nil), (0.09, 0.5, true, nil),
    (0.1, 0.011, false, .loudness), (0.1, 0.01, false, nil), (5.9, 0.01, false, nil),
    (6, 0.001, false, nil), (6.1, 0.001, false, .peakPolicy), (11.21, 0.01, false, .peakPolicy),
    (11.21, 0.075, false, .loudness), (11.21, 0.075, true, .lfeGain), (6.1, 0.001, true, .lfeGain),
  ]

  @Test(
    "limiting of more than 6 dB, or of 0.1 dB for more than 1 % of the time, is reported with its likely cause",
    arguments: rows)
  func limitingIsReportedWithItsCause(
    reduction: Double, active: Double, isLFE: Bool, setting: Setting?
  ) throws {
    let log = DiagnosticLog()
    let track = NormalizationPlan.Track(
      limiter: LimiterActivity(maxReductionDB: reduction, activeFraction: active),
      output: LoudnessMeasurement(integrated: -16, truePeak: -1, samples: 48_000))
    let plan = NormalizationPlan(
      gainDB: 3, limiterCeilingDB: -1, tracks: [track], output: track.output, outcome: .reached)
    GainNotes(log: log, target: .standard, stated: nil, isDrivenByLFE: isLFE).note(plan, track)
    #expect(log.degradations.map(\.code) == (setting == nil ? [] : [.limited]))
    guard let setting, let message = log.degradations.first?.message else { return }
    #expect(message.contains("so use a lower \(setting: setting)") == (setting != .peakPolicy))
    #expect(message.contains("so use \(setting: .peakPolicy) lower") == (setting == .peakPolicy))
    #expect(!message.contains("to -") && !message.contains("to +"), "\(message)")
  }

  /// Five channels with a burst of 40 Hz in the LFE channel.
  private func film(lfe peak: Double) -> Data {
    var planes = TestProgramme.planes(channels: 6, seconds: 6, level: 0.05)
    let burst = Signals.sine(step: 2 * .pi * 40 / 48_000, count: 2400, peak: peak)
    planes[3] = [Float](repeating: 0, count: planes[3].count)
    planes[3].replaceSubrange(150_000..<150_000 + burst.count, with: burst)
    return WAVBytes.float32(planes, rate: 48_000, mask: 0x60F)
  }

  @Test(
    "a loud burst of LFE for headphones is named as the likely cause of limiting, a faint one isn't",
    arguments: [(0.9, true), (0.001, false)])
  func loudLFEIsNamed(peak: Double, isNamed: Bool) async throws {
    let report = try await RenderCase(film(lfe: peak)).run()
    let notes = report.degradations.filter { $0.code == .limited }.map(\.message)
    #expect(notes.contains { $0.contains("\(setting: .lfeGain)") } == isNamed, "\(notes)")
  }

  @Test("LFE that keeps its own channel, or is dropped, isn't called the cause")
  func lfeThatNobodyPlaysIsNoCause() async throws {
    for (endpoint, lfe) in [
      (Endpoint.Kind.none, LFEPolicy.standard), (.headphones, .dropped),
    ] {
      var test = try RenderCase(film(lfe: 0.9))
      test.job.outputs[0].endpoint = endpoint
      test.job.rendition.lfe = lfe
      let report = try await test.run()
      let notes = report.degradations.filter { $0.code == .limited }.map(\.message)
      #expect(!notes.contains { $0.contains("LFE") }, "\(endpoint): \(notes)")
    }
  }
}
