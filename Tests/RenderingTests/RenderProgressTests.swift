// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Rendering

/// The part of a whole job that is done.
@Suite struct RenderProgressTests {
  /// One second of sound in each call.
  private static func progress(_ pass: RenderProgress.Pass, _ done: Int64, of total: Int64? = 100)
    -> RenderProgress
  {
    RenderProgress(pass: pass, done: done, total: total, sampleRate: 1)
  }

  @Test("each step has its share, and a longer first step than was estimated ends with it")
  func stepsHaveShares() {
    var shares = PassShares()
    #expect(shares.note(Self.progress(.render, 5, of: nil)) == nil)
    #expect(abs((shares.note(Self.progress(.render, 50)) ?? 0) - 0.5 / 1.6) < 1e-9)
    #expect(abs((shares.note(Self.progress(.finish, 0)) ?? 0) - 1 / 1.6) < 1e-9)
    #expect(abs((shares.note(Self.progress(.finish, 100)) ?? 0) - 1.5 / 1.6) < 1e-9)
    // A second run of the same step, as for another gain, doesn't go back.
    #expect(abs((shares.note(Self.progress(.finish, 10)) ?? 0) - 1.5 / 1.6) < 1e-9)
    #expect(abs((shares.note(Self.progress(.verify, 200)) ?? 0) - 1) < 1e-9)
  }

  @Test("each round of correction is half of what is left, and no part goes back")
  func correctionsAreHalves() {
    var shares = PassShares(isCorrected: true)
    let rounds: [(RenderProgress.Pass, Int64, Double)] = [
      (.render, 100, 0.7 / 1.6), (.finish, 100, 0.7 * 1.5 / 1.6), (.verify, 100, 0.7),
      (.finish, 0, 0.7), (.finish, 100, 0.7 + 0.15 * 0.5 / 0.6), (.verify, 100, 0.85),
      (.finish, 0, 0.85), (.verify, 100, 0.85 + 0.075 * 0.1 / 0.6),
    ]
    for (pass, done, part) in rounds {
      let found = shares.note(Self.progress(pass, done)) ?? 0
      #expect(abs(found - part) < 1e-9, "\(pass) \(done): \(found)")
    }
  }

  @Test("tracks of one file are parts of one job, and no part goes back")
  func tracksAreParts() throws {
    let seen = Mutex<[Double]>([])
    let run = RunProgress(
      name: "a", report: { now in seen.withLock { $0.append(now.fraction ?? -1) } },
      isCancelled: { false })
    for track in 0..<2 {
      run.begin(track, of: 2)
      for pass in [RenderProgress.Pass.render, .finish, .verify] {
        try run.show(Self.progress(pass, 0))
        try run.show(Self.progress(pass, 100))
      }
    }
    let fractions = seen.withLock { $0 }
    #expect(fractions == fractions.sorted() && fractions.last == 1)
    #expect(fractions.contains { $0 > 0.49 && $0 < 0.51 })
  }

  @Test("a job reports at most ten times a second, and its sequence ends with it")
  func aSequenceEndsWithTheJob() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 20).write(to: folder.url("in.wav"))
    var request = RenderRequest(
      clips: [Clip(.file(folder.file("in.wav")))],
      outputs: [OutputRequest(.file(folder.file("out.wav")), Rendition(.channels()))])
    request.policy.threads = 1
    let count = Mutex(0)
    let begin = ContinuousClock.now
    let report = try await RenderPipeline().render(request) { _ in count.withLock { $0 += 1 } }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    // One report more for the beginning and the end of each step.
    #expect(count.withLock { $0 } <= Int(seconds * 10) + 6)
    #expect(report.outputs.count == 1)
    request.policy.overwrite = true
    let job = RenderPipeline().begin(request)
    var last: RenderProgress?
    for await now in job.progress { last = now }
    #expect(last?.pass == .verify && last?.fraction == 1)
    #expect(try await job.report.status == .ok)
    request.outputs = [
      OutputRequest(
        .file(folder.file("out.m4a")), Rendition(.channels()),
        container: Container(.mp4, OutputCoding(.aac)))
    ]
    let lossy = RenderPipeline().begin(request)
    for await now in lossy.progress { last = now }
    #expect(last?.fraction == 1)
  }

  @Test("a job that is cancelled ends its sequence and leaves nothing")
  func aCancelledJobEnds() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 20).write(to: folder.url("in.wav"))
    let job = RenderPipeline().begin(
      RenderRequest(
        clips: [Clip(.file(folder.file("in.wav")))],
        outputs: [OutputRequest(.file(folder.file("out.wav")), Rendition(.channels()))]))
    job.cancel()
    for await _ in job.progress {}
    let error = await #expect(throws: RenderFailure.self) { try await job.report }
    #expect(error?.error.kind == .interrupted)
    #expect(folder.contents == ["in.wav"])
  }
}
