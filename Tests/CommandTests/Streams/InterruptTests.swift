// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A signal stops a run soon, in whatever pass it is, and no file is left behind.
@Suite(.tags(.system), .fullRunOnly) struct InterruptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeLong(_ names: [String] = ["long.wav"]) throws -> [String] {
    for name in names { try LongProgramme.make(folder.file(name)) }
    return names.map { folder.file($0) }
  }

  /// Starts `pinna` on one core and, once it is at work, stops it with a signal.
  private func interrupt(_ arguments: [String], _ signal: Int32) throws -> Tool.Result {
    var setting = RunningProduct.Setting()
    setting.isOnOneCore = true
    let run = try RunningProduct(arguments + ["--progress", "ndjson"], setting)
    try run.progress()
    run.send(signal)
    return run.finish()
  }

  /// Checks that the last progress line of a stopped run is far from the end.
  private func checkStoppedEarly(_ result: Tool.Result) throws {
    let last = try #require(ProgressLine.last(in: result.errors))
    #expect(last.done < LongProgramme.samples / 2)
  }

  @Test(
    "a signal stops a render on one busy core with 128 + its number and leaves no file",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129), (SIGQUIT, 131)] as [(Int32, Int32)])
  func aBusyCoreDoesntHoldASignalUp(signal: Int32, code: Int32) throws {
    let input = try makeLong()
    let result = try interrupt(["render"] + input + ["-o", folder.file("out.wav")], signal)
    #expect(result.status == code, "\(result.errors)")
    try checkStoppedEarly(result)
    #expect(folder.contents == ["long.wav"])
  }

  @Test("SIGTERM stops several jobs and leaves no output")
  func manyJobsStopToo() throws {
    let inputs = try makeLong(["a.wav", "b.wav", "c.wav"])
    try FileManager.default.createDirectory(
      atPath: folder.file("out"), withIntermediateDirectories: false)
    let result = try interrupt(
      ["render"] + inputs + ["-o", folder.file("out") + "/", "-j", "2"], SIGTERM)
    #expect(result.status == 143, "\(result.errors)")
    try checkStoppedEarly(result)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
    #expect(left.isEmpty)
  }

  @Test("SIGINT stops measure with exit code 130")
  func measuringStopsToo() throws {
    let input = try makeLong()[0]
    let result = try interrupt(["measure", input, input], SIGINT)
    #expect(result.status == 130, "\(result.errors)")
    try checkStoppedEarly(result)
  }

  /// More bytes than a pipe holds: once they are fed, `pinna` is up and reading.
  private static let moreThanAPipe = 1 << 20

  @Test("SIGHUP doesn't stop a render that was started with SIGHUP ignored")
  func nohupStaysInForce() throws {
    var setting = RunningProduct.Setting()
    setting.ignoresHangup = true
    setting.isFed = true
    let programme = TestProgramme.wav(channels: 2, seconds: 5)
    let run = try RunningProduct(["render", "-", "-o", folder.file("out.wav")], setting)
    try run.feed(programme.prefix(InterruptTests.moreThanAPipe))
    run.send(SIGHUP)
    try run.feed(programme.dropFirst(InterruptTests.moreThanAPipe))
    try run.endInput()
    let result = run.finish()
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.contents == ["out.wav"])
  }

  @Test("SIGINT stops a render that waits for standard input")
  func aSilentStandardInputCanBeLeft() throws {
    var setting = RunningProduct.Setting()
    setting.isFed = true
    let run = try RunningProduct(["render", "-", "-o", folder.file("out.wav")], setting)
    try run.feed(TestProgramme.wav(channels: 2, seconds: 5).prefix(InterruptTests.moreThanAPipe))
    run.send(SIGINT)
    let result = run.finish()
    #expect(result.status == 130, "\(result.errors)")
    #expect(folder.contents.isEmpty)
  }

  @Test("SIGTERM stops a render whose standard output nobody reads")
  func aStalledStandardOutputCanBeLeft() throws {
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
    var setting = RunningProduct.Setting()
    setting.isStalled = true
    let run = try RunningProduct(["render", folder.file("in.wav"), "-o", "-"], setting)
    run.waitUntilOutputIsStalled()
    run.send(SIGTERM)
    let result = run.finish()
    #expect(result.status == 143, "\(result.errors)")
    #expect(folder.contents == ["in.wav"])
  }
}
