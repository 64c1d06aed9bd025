import Foundation
import TestSupport
import Testing

/// A batch may be stopped or killed at any moment; the next run makes it whole.
@Suite(.serialized) struct BatchKillTests {
  private let place: BatchFolder

  init() throws { place = try BatchFolder() }

  /// Says how many workers of `$batch` are there, at last; a killed process takes a moment to go.
  private static let countWorkers = """
    for i in $(seq 100); do
      left=$(cat /proc/[0-9]*/cmdline 2> /dev/null | tr '\\0' ' ' | grep -c "worker --parent=$batch ")
      [ "$left" = 0 ] && break; sleep 0.05
    done
    echo $left >&2
    """

  private func leftovers(_ root: String) throws -> [String] {
    try place.content(root).keys.filter { $0.contains(".pinna-") }
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)] as [(String, Int32)])
  func aSignalEndsItInOrder(signal: String, code: Int32) throws {
    try place.long("a.flac")
    try place.long("b.flac")
    try place.programme("c.wav")
    let start = Date()
    let result = try place.bash(
      """
      "$0" batch "$1/in" -O "$1/out" -j 2 & batch=$!
      sleep 1.5; kill -\(signal) $batch; wait $batch; code=$?
      \(BatchKillTests.countWorkers)
      exit $code
      """)
    #expect(result.status == code, "\(result.errors)")
    #expect(result.errors.hasSuffix("\n0\n"), "\(result.errors)")
    #expect(Date().timeIntervalSince(start) < 20)
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna/") }
    #expect(files.allSatisfy { $0 == "c.wav" }, "\(files)")
  }

  @Test func killedAnywhereTheRerunMakesItWhole() throws {
    for number in 0..<40 {
      try place.programme("\(number).wav", seconds: 0.3, level: 0.05 + Float(number) / 200)
    }
    let options = ["-j", "2", "-f", "fmp4", "-c:a", "flac"]
    let start = Date()
    #expect(try place.batch(to: "whole", options).status == 0)
    let length = Date().timeIntervalSince(start)
    let whole = try place.content("whole")
    #expect(whole.count == 40 + 40 + 1)
    var random = SeededNoise(seed: 25)
    var kills = 0
    for _ in 0..<100 where kills < 25 {
      let pause = Double.random(in: 0.02...max(0.1, length), using: &random)
      // The batch alone is killed; its workers must not outlive it.
      let result = try place.bash(
        """
        "$0" batch "$1/in" -O "$1/out" \(options.joined(separator: " ")) -q & batch=$!
        sleep \(pause); kill -KILL $batch 2> /dev/null; wait $batch; code=$?
        \(BatchKillTests.countWorkers)
        exit $code
        """)
      #expect(result.errors.hasSuffix("0\n"), "\(result.errors)")
      guard result.status == 137 else {
        // It was done before; the next one begins anew.
        try FileManager.default.removeItem(atPath: place.folder.file("out"))
        continue
      }
      kills += 1
      // Whatever has its name is whole.
      guard FileManager.default.fileExists(atPath: place.folder.file("out")) else { continue }
      for (path, data) in try place.content() where path.hasSuffix(".mp4") {
        #expect(data == whole[path], "\(path) is half done")
      }
    }
    #expect(kills == 25)
    let last = try place.batch(nil, options)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try leftovers("out").isEmpty)
    #expect(try place.content() == whole)
  }

  @Test func othersTemporaryFilesStay() throws {
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
