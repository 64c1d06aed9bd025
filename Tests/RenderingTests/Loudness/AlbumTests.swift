// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import Rendering
import Report
import TestSupport
import Testing

/// Several files under one gain.
@Suite struct AlbumTests {
  private let folder: TemporaryFolder
  private var jobs: [RenderJob] = []

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("out"), withIntermediateDirectories: false)
    let levels: [Float] = [0.2, 0.03, 0.1]
    for (index, level) in levels.enumerated() {
      let input = folder.file("\(index).wav")
      // The second is short and mono, so that the formats of spools that share memory differ.
      try TestProgramme.wav(channels: index == 1 ? 1 : 2, seconds: 4 + Double(index), level: level)
        .write(to: URL(fileURLWithPath: input))
      var job = RenderJob(
        input: .file(input),
        outputs: [.init(endpoint: .none, location: .file(folder.file("out/\(index).wav")))])
      job.policy.spoolMemory = 1 << 20
      jobs.append(job)
    }
  }

  private var outputs: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder.file("out")))?.sorted() ?? []
  }

  @Test(
    "tracks of an album keep their levels relative to each other",
    arguments: LoudnessTarget.Reference.allCases)
  func keepsLevelsToEachOther(reference: LoudnessTarget.Reference) async throws {
    var jobs = jobs
    for index in jobs.indices { jobs[index].loudness?.reference = reference }
    let reports = try await RenderPipeline().renderAlbum(jobs)
    #expect(outputs == ["0.wav", "1.wav", "2.wav"])
    let gains = Set(reports.compactMap { $0.loudness?.gainDB })
    #expect(gains.count == 1 && reports.allSatisfy { $0.status == .ok })
    let judges = try (0..<3).map { LibEBUR128(try Decoded(folder.file("out/\($0).wav"))) }
    for (report, judge) in zip(reports, judges) {
      #expect(judge.truePeak <= -1)
      #expect(((report.loudness?.output.integrated ?? 0) - judge.integrated).magnitude < 0.01)
      #expect(report.loudness?.album?.tracks == 3)
      #expect(report.loudness?.album?.reference == reference)
    }
    let whole = try #require(reports[0].loudness?.album?.integrated)
    let loudest = judges.map(\.integrated).max() ?? 0
    #expect(((reference == .programme ? whole : loudest) + 16).magnitude <= 0.05)
  }

  @Test("one failing track leaves no file of the album") func oneFailureLeavesNothing() async throws
  {
    var jobs = jobs
    try Data("not audio".utf8).write(to: folder.url("2.wav"))
    await #expect(throws: RenderFailure.self) { try await RenderPipeline().renderAlbum(jobs) }
    #expect(outputs.isEmpty)
    // When the last output can't be written, the others don't appear either.
    try TestProgramme.wav(channels: 2, seconds: 2).write(to: folder.url("2.wav"))
    jobs[2].outputs[0].location = .file(folder.file("0.wav"))
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().renderAlbum(jobs)
    }
    #expect(failure?.error.kind == .outputExists)
    #expect(failure?.report.input?.path == jobs[2].input.name || failure?.report.input == nil)
    #expect(outputs.isEmpty)
  }

  @Test("tracks of an album with different targets are refused") func needsOneTarget() async throws
  {
    for change in [
      { (job: inout RenderJob) in job.loudness = nil },
      { $0.loudness?.mode = .metadata },
      { $0.outputs.append(.init(location: .file("/tmp/never.wav"))) },
    ] {
      var jobs = jobs
      for index in jobs.indices { change(&jobs[index]) }
      let failure = await #expect(throws: RenderFailure.self) {
        try await RenderPipeline().renderAlbum(jobs)
      }
      #expect(failure?.error.kind == .usage)
    }
    #expect(try await RenderPipeline().renderAlbum([]).isEmpty)
  }
}
