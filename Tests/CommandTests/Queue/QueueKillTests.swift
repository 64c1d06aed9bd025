// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// A render of a queue that is killed, disturbed or out of disk leaves a cache that later renders can use.
@Suite(.tags(.system), .fullRunOnly) struct QueueKillTests {
  private let place: TemporaryFolder

  /// Sixteen items of half a second, and their bytes without a cache in `plain.wav`.
  init() throws {
    place = try TemporaryFolder()
    var text = "schema: pinna.queue/1\nitems:\n"
    for number in 0..<16 {
      let rate = number % 2 == 0 ? 44_100 : 48_000
      try TestProgramme.wav(channels: 2, seconds: 0.5, rate: rate)
        .write(to: place.url("\(number).wav"))
      text += "  - {file: \(number).wav, gain: \(-number) dB}\n"
    }
    try Data(text.utf8).write(to: place.url("show.yaml"))
    let plain = try Product.run(["render", place.file("show.yaml"), "-o", place.file("plain.wav")])
    #expect(plain.status == 0, "\(plain.errors)")
  }

  private func arguments(_ output: String, cache: String) -> [String] {
    ["render", place.file("show.yaml"), "-o", place.file(output), "-y", "-q", "--cache", cache]
  }

  /// Files of a cache by their names, with those that aren't complete.
  private func files(_ cache: String) -> [String] {
    ((try? FileManager.default.subpathsOfDirectory(atPath: cache)) ?? [])
      .filter { $0.contains("/") || $0.contains("unfinished") }
  }

  private func data(_ name: String) throws -> Data { try Data(contentsOf: place.url(name)) }

  @Test(
    "a render that is killed at any moment leaves a cache with which the next render has the same bytes"
  )
  func killedAnywhereTheNextRenderHasTheSameBytes() throws {
    let plain = try data("plain.wav")
    var random = SeededNoise(seed: 41)
    let most = Soak.rounds(5, soak: 100)
    var kills = 0
    // On a machine under load, many runs end before the signal reaches them.
    for round in 0..<20 * most where kills < most {
      let cache = place.file("cache \(round)")
      let run = try RunningProduct(arguments("killed.wav", cache: cache))
      let wanted = Int.random(in: 0..<12, using: &random)
      // The moment is a number of files that were begun; how long that takes doesn't matter.
      while run.isRunning, files(cache).count < wanted { usleep(200) }
      usleep(UInt32.random(in: 0..<4000, using: &random))
      run.send(SIGKILL)
      if run.finish().status == 137 { kills += 1 }
      // A file that has its final name is complete.
      if FileManager.default.fileExists(atPath: place.file("killed.wav")) {
        let isWhole = try data("killed.wav") == plain
        #expect(isWhole)
      }
      // The next run with the same output also removes what the killed one left of it.
      let next = try Product.run(arguments("killed.wav", cache: cache))
      #expect(next.status == 0, "\(next.errors)")
      let isSame = try data("killed.wav") == plain
      #expect(isSame, "round \(round)")
      #expect(!files(cache).contains { $0.contains("unfinished") })
    }
    #expect(kills > 0, "each render ended before its signal")
    let left = place.contents.filter { $0.hasPrefix(".") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test("two renders at the same time with one cache have the bytes of a render without a cache")
  func twoRendersShareOneCache() throws {
    let plain = try data("plain.wav")
    let cache = place.file("cache")
    for _ in 0..<3 {
      let runs = try (0..<2).map {
        try RunningProduct(arguments("both \($0).wav", cache: cache))
      }
      for (number, run) in runs.enumerated() {
        let result = run.finish()
        #expect(result.status == 0, "\(result.errors)")
        let isSame = try data("both \(number).wav") == plain
        #expect(isSame)
      }
    }
  }

  @Test(
    "a full disk under the cache doesn't change the render",
    .enabled(if: SmallDisk.isPossible, "no disk can be mounted here"), arguments: [16, 300, 1200])
  func aFullDiskCostsOnlyTheCache(kibibytes: Int) throws {
    let disk = try SmallDisk(kibibytes: kibibytes)
    for _ in 0..<2 {
      let result = try Product.run(arguments("full.wav", cache: disk.path + "/cache"))
      #expect(result.status == 0, "\(result.errors)")
      let isSame = try data("full.wav") == data("plain.wav")
      #expect(isSame)
    }
  }
}
