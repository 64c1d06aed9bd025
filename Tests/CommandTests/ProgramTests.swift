// SPDX-License-Identifier: Apache-2.0
import Foundation
import Pinna
import TestSupport
import Testing

/// Batches, goldens and listening pages by a caller of the library.
@Suite(.tags(.system), .fullRunOnly) struct ProgramTests {
  private let program: PinnaProgram
  private let folder: TemporaryFolder

  init() throws {
    var program = PinnaProgram(path: Product.path)
    program.environment = ["PINNA_CACHE": "off"]
    self.program = program
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("in"), withIntermediateDirectories: true)
    try TestProgramme.wav(channels: 2, seconds: 2).write(to: folder.url("in/a.wav"))
  }

  @Test("a batch gives its report, also where an item fails") func aBatchGivesItsReport()
    async throws
  {
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in/b.wav"))
    let arguments = [folder.file("in"), "-O", folder.file("out"), "-e", "none"]
    let report = try await program.batch(arguments)
    #expect(report.exit == 0 && report.counts.done == 2)
    #expect(report.items.map(\.status) == [.ok, .ok])
    try Data("RIFF".utf8).write(to: folder.url("in/c.wav"))
    let second = try await program.batch(arguments)
    #expect(second.exit == 10 && second.counts.cached == 2 && second.counts.failed == 1)
  }

  @Test("a run that does nothing throws its exit code and its sentence") func aRefusalIsThrown()
    async throws
  {
    let failure = await #expect(throws: PinnaProgram.Failure.self) {
      _ = try await program.batch([folder.file("in"), "-O", folder.file("out"), "--no-such-option"])
    }
    #expect(failure?.exitCode == 2 && failure?.message.contains("--no-such-option") == true)
    let absent = await #expect(throws: MediaError.self) {
      _ = try await PinnaProgram(path: folder.file("absent")).audition([])
    }
    #expect(absent?.kind == .inputMissing)
  }

  @Test("goldens are recorded and verified") func goldensAreRecorded() async throws {
    let places = ["--cases", folder.file("cases"), "--media", folder.file("in")]
    let lines = try await program.recordGoldens(
      places + [
        "walk", "--input", "a.wav", "--why", "a test", "--oracle", "none", "--allow-dirty", "--",
        "render", "{input}", "-o", "{out}/out.wav", "-e", "none",
      ])
    #expect(lines.contains { $0.contains("recorded") && $0.contains("walk") }, "\(lines)")
    let report = try await program.verifyGoldens(places)
    #expect(report.entries.map(\.id) == ["walk"] && report.failed == 0)
  }

  @Test("a listening page gives what it plays") func aPageIsMade() async throws {
    let page = folder.file("page.html")
    let report = try await program.audition([
      folder.file("in/a.wav"), "-o", page, "--at", "0s", "--length", "1s", "--endpoint",
      "none,speakers",
    ])
    #expect(report.ways.count == 2 && report.excerpts.count == 1)
    #expect(FileManager.default.fileExists(atPath: page))
  }

  @Test("a cancelled task stops the program, and nothing is left behind") func aStopIsPassedOn()
    async throws
  {
    try TestProgramme.wav(channels: 2, seconds: 300).write(to: folder.url("in/a.wav"))
    let arguments = [folder.file("in"), "-O", folder.file("out")]
    let work = Task { try await program.batch(arguments) }
    // A thread of its own: other tests may keep all threads of the pool busy until the batch is done.
    let begun = folder.file("out/.pinna")
    Thread.detachNewThread {
      for _ in 0..<120_000 where !FileManager.default.fileExists(atPath: begun) {
        Thread.sleep(forTimeInterval: 0.005)
      }
      work.cancel()
    }
    await #expect(throws: CancellationError.self) { _ = try await work.value }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
    #expect(left.allSatisfy { $0 == ".pinna" }, "\(left)")
  }
}
