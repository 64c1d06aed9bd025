// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A batch may be stopped or killed at any moment; the next run completes it.
@Suite(.tags(.system), .fullRunOnly, .serialized) struct BatchKillTests {
  private let place: BatchFolder

  init() throws { place = try BatchFolder() }

  /// Starts a batch of `in`.
  private func start(_ options: [String]) throws -> RunningProduct {
    try RunningProduct(
      ["batch", place.folder.file("in"), "-O", place.folder.file("out"), "--progress", "ndjson"]
        + options)
  }

  /// Waits until no worker of the batch with this number is left, because a killed process takes a moment
  /// to disappear. Workers that still run after five minutes have outlived their batch.
  private func awaitWorkersEnd(of batch: Int32) throws {
    let sign = Data("worker\0--parent=\(batch)\0".utf8)
    for _ in 0..<30_000 {
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc")
      let isLeft = names.filter { $0.allSatisfy(\.isNumber) }.contains { name in
        // A process may have ended before its entry is read.
        let words = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(name)/cmdline"))
        return words?.range(of: sign) != nil
      }
      guard isLeft else { return }
      usleep(10_000)
    }
    Issue.record("a worker outlived its batch")
  }

  private func leftovers(_ root: String) throws -> [String] {
    try place.content(root).keys.filter { $0.contains(".pinna-") }
  }

  @Test(
    "SIGINT and SIGTERM end a batch with 130 and 143 and leave no unfinished output",
    arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
  func aSignalEndsItInOrder(signal: Int32, code: Int32) throws {
    try place.long("a.wav")
    try place.long("b.wav")
    try place.programme("c.wav")
    let run = try start(["-j", "2"])
    for name in ["a.wav", "b.wav"] {
      try run.line { $0.contains("progress") && $0.contains(name) }
    }
    run.send(signal)
    let result = run.finish()
    #expect(result.status == code, "\(result.errors)")
    try awaitWorkersEnd(of: run.identifier)
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna/") }
    #expect(files.allSatisfy { $0 == "c.wav" }, "\(files)")
  }

  @Test("a batch that is killed at any moment is completed by the next run, with the same bytes")
  func killedAnywhereTheRerunMakesItWhole() throws {
    for number in 0..<40 {
      try place.programme("\(number).wav", seconds: 0.3, level: 0.05 + Float(number) / 200)
    }
    let options = ["-j", "2", "-f", "fmp4", "-c:a", "flac"]
    #expect(try place.batch(to: "whole", options).status == 0)
    let whole = try place.content("whole")
    #expect(whole.count == 40 + 40 + 1)
    var random = SeededNoise(seed: 25)
    let most = Soak.rounds(5, soak: 100)
    var kills = 0
    for _ in 0..<20 * most where kills < most {
      // Only the batch's own process is killed, after some items and a random delay. Its workers must not
      // outlive it.
      let run = try start(options)
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        try run.line { $0.contains("\"event\":\"end\"") }
      }
      usleep(UInt32.random(in: 0..<40_000, using: &random))
      run.send(SIGKILL)
      let result = run.finish()
      try awaitWorkersEnd(of: run.identifier)
      guard result.status == 137 else {
        // The batch ended before the signal; the next round starts with an empty folder.
        try FileManager.default.removeItem(atPath: place.folder.file("out"))
        continue
      }
      kills += 1
      // A file that has its final name is complete.
      guard FileManager.default.fileExists(atPath: place.folder.file("out")) else { continue }
      for (path, data) in try place.content() where path.hasSuffix(".mp4") {
        #expect(data == whole[path], "\(path) is half done")
      }
    }
    #expect(kills > 0, "each batch ended before its signal")
    let last = try place.batch(nil, options)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try leftovers("out").isEmpty)
    #expect(try place.content() == whole)
  }

  @Test("temporary files of other programs stay in the output folder")
  func othersTemporaryFilesStay() throws {
    try place.programme("a.wav")
    let script = """
      mkdir -p "$1/out"; "$0" batch "$1/in" -O "$1/out" -q && rm "$1/out/a.wav"
      touch "$1/out/.pinna-aaaaaaaa-bbbbbbbb" "$1/out/.pinna-mine"
      exec "$0" batch "$1/in" -O "$1/out" -q
      """
    #expect(try place.bash(script).status == 0)
    #expect(try leftovers("out").sorted() == [".pinna-aaaaaaaa-bbbbbbbb", ".pinna-mine"])
  }
}
