// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// Options of the normaliser besides the target.
@Suite struct NormalizerOptionTests {
  typealias Base = LoudnessNormalizerTests

  /// A programme at about −40 LUFS: clear of the absolute gate, and no gain here lifts its peaks to
  /// the ceiling.
  private static let faint = Base.programme("five").map { plane in plane.map { $0 * 0.1 } }

  private func target(_ change: (inout LoudnessTarget) -> Void) -> LoudnessTarget {
    var target = Base.target
    change(&target)
    return target
  }

  @Test("dialnorm -27 in metadata mode gives 11 dB of gain for -16 LUFS, and no limiter")
  func metadataModeFollowsDialnorm() throws {
    let track = try Base.track(Self.faint)
    let wanted = target { $0.mode = .metadata }
    let plan = try LoudnessNormalizer(target: wanted, stated: -27).solve([track])
    #expect(plan.gainDB == 11 && plan.outcome == .metadata && plan.limiterCeilingDB == nil)
    let before = try #require(track.statistics.measurement.integrated)
    #expect((try #require(plan.output.integrated) - before - 11).magnitude < 1e-4)
  }

  @Test("metadata mode limits, lowers or fails by the peak policy where 15 dB of gain are too much")
  func metadataModeStillHoldsThePeak() throws {
    let track = try Base.track(Base.programme("clicks"))
    var wanted = target { $0.mode = .metadata }
    let plan = try LoudnessNormalizer(target: wanted, stated: -31).solve([track])
    #expect(plan.gainDB == 15 && plan.limiter != nil)
    #expect(try #require(plan.output.truePeak) <= -1)
    wanted.peakPolicy = .lower
    let lower = try LoudnessNormalizer(target: wanted, stated: -31).solve([track])
    #expect(lower.outcome == .lowered && lower.gainDB < 15)
    wanted.peakPolicy = .fail
    #expect(throws: MediaError.self) {
      try LoudnessNormalizer(target: wanted, stated: -31).solve([track])
    }
  }

  @Test("metadata mode without a dialnorm is refused as unsupported")
  func metadataModeNeedsADialnorm() throws {
    let wanted = target { $0.mode = .metadata }
    let error = #expect(throws: MediaError.self) {
      try Base.solve(Base.programme("five"), wanted)
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("dialnorm") == true)
  }

  @Test("with lowering only, a quiet programme gets 0 dB, and a loud one is lowered to -16 LUFS")
  func lowerOnlyNeverRaises() throws {
    let wanted = target { $0.lowersOnly = true }
    let quiet = try Base.solve(Base.programme("quiet"), wanted)
    #expect(quiet.gainDB == 0 && quiet.outcome == .lowersOnly)
    let loud = try Base.solve(Base.programme("loud"), wanted)
    #expect(loud.gainDB < 0 && loud.outcome == .reached)
    #expect((try #require(loud.output.integrated) + 16).magnitude < 0.02)
    // Its own peaks are held even where the level isn't raised.
    let clicks = Base.programme("clicks").map { plane in plane.map { $0 * 1.2 } }
    let held = try Base.solve(clicks, wanted)
    #expect(held.gainDB == 0 && held.limiter != nil)
    #expect(try #require(held.output.truePeak) <= -1)
  }

  @Test("a largest gain of 6 dB is not exceeded, and making up for the limiter counts in it")
  func maxGainStopsThere() throws {
    let wanted = target { $0.maxGain = 6 }
    let plan = try Base.solve(Base.programme("quiet"), wanted)
    #expect(plan.gainDB == 6 && plan.outcome == .maxGain)
    let loud = try Base.solve(Base.programme("loud"), wanted)
    #expect(loud.outcome == .reached)
    // Making up for the limiter counts too.
    let clicks = Base.programme("clicks")
    let free = try Base.solve(clicks, Base.target)
    let plain = try #require(try Signal.measure(clicks, format: Base.stereo).integrated)
    #expect(free.gainDB > -16 - plain + 0.01)
    let capped = try Base.solve(clicks, target { $0.maxGain = -16 - plain + 0.001 })
    #expect(capped.outcome == .maxGain && capped.gainDB <= -16 - plain + 0.001)
    #expect(try #require(capped.output.truePeak) <= -1)
  }

  @Test("a loudness within the threshold is left alone") func thresholdLeavesAloneWhatIsNearEnough()
    throws
  {
    let tone = Signal.tone(-16.4, seconds: 4)
    let near = try Base.solve([tone, tone], target { $0.threshold = 0.5 })
    #expect(near.gainDB == 0 && near.outcome == .unchanged)
    let far = try Base.solve([tone, tone], target { $0.threshold = 0.3 })
    #expect(far.outcome == .reached && (far.gainDB - 0.4).magnitude < 0.01)
    // The loudness is within the threshold, but the peaks are too high.
    var clicked = tone
    clicked[96_000] = 0.99
    let held = try Base.solve([clicked, clicked], target { $0.threshold = 0.5 })
    #expect(held.outcome == .reached)
    #expect(try #require(held.output.truePeak) <= -1)
  }

  @Test(
    "an album gets one gain by which it or its loudest track has -16 LUFS within 0.05 LU",
    arguments: LoudnessTarget.Reference.allCases)
  func oneGainForAnAlbum(reference: LoudnessTarget.Reference) throws {
    let tracks = [Base.programme("five"), Self.faint, Base.programme("clicks")]
    let programmes = try tracks.map { try Base.track($0) }
    let wanted = target { $0.reference = reference }
    let plan = try LoudnessNormalizer(target: wanted).solve(programmes)
    #expect(plan.tracks.count == 3)
    let delivered = try zip(tracks, plan.tracks).map { planes, track in
      guard let ceiling = plan.limiterCeilingDB, let limiter = track.limiter else {
        return try Signal.run(GainStage(gainDB: plan.gainDB), planes, format: Base.stereo)
      }
      let stage = TruePeakLimiter(
        gainDB: plan.gainDB, ceilingDB: ceiling, response: limiter.response)
      return try Signal.run(stage, planes, format: Base.stereo)
    }
    let measured = try delivered.map { try LoudnessStatisticsTests.statistics($0) }
    for (own, track) in zip(measured, plan.tracks) {
      let (left, right) = (own.measurement.integrated, track.output.integrated)
      #expect((try #require(left) - (try #require(right))).magnitude < 1e-4)
      #expect(try #require(own.measurement.truePeak) <= -1)
    }
    let whole = LoudnessStatistics.combined(measured).measurement.integrated
    let loudest = measured.compactMap(\.measurement.integrated).max()
    let judged = reference == .programme ? whole : loudest
    #expect((try #require(judged) + 16).magnitude <= 0.05)
    // The tracks keep their levels to each other wherever nothing is limited.
    let before = try #require(programmes[1].statistics.measurement.integrated)
    let after = try #require(measured[1].measurement.integrated)
    #expect((after - before - plan.gainDB).magnitude < 1e-3)
  }

  @Test("an album with a silent track reaches its target, and a silent track alone gets 0 dB")
  func aSilentTrackDoesNotSpoilAnAlbum() throws {
    let silent = [Signal.silence(3), Signal.silence(3)]
    let programmes = [try Base.track(silent), try Base.track(Base.programme("five"))]
    let plan = try LoudnessNormalizer(target: Base.target).solve(programmes)
    #expect(plan.outcome == .reached && plan.tracks[0].output.integrated == nil)
    let alone = try LoudnessNormalizer(target: Base.target).solve([programmes[0]])
    #expect(alone.outcome == .silent && alone.gainDB == 0)
  }

  /// The programme is read for each trial, so a search ends as soon as the largest gain leaves it too
  /// quiet: two trials for each of three responses, one reading that finds the peaks, and one or two of
  /// the result.
  @Test("a target beyond the largest gain takes fewer than 16 readings of the programme")
  func aTargetBeyondTheLargestGainCostsFewReadings() throws {
    let plane = Signal.silence(1) + Signal.tone(-30, seconds: 2) + Signal.silence(1)
    let track = try Base.track([plane, plane])
    var readings = 0
    let counted = NormalizationProgramme(
      format: track.format, statistics: track.statistics, figures: track.figures
    ) { first, consume in
      readings += 1
      try track.read(first, consume)
    }
    // The limiter keeps the tone 4 LU below the target.
    var wanted = LoudnessTarget(integrated: -16, truePeak: -20, peakPolicy: .limit)
    let plain = try #require(track.statistics.measurement.integrated)
    wanted.maxGain = -16 - plain + 0.2
    let plan = try LoudnessNormalizer(target: wanted).solve([counted])
    #expect(plan.outcome == .maxGain)
    #expect(readings < 16, "\(readings)")
  }
}
