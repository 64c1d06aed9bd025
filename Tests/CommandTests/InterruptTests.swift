import Foundation
import TestSupport
import Testing

/// Signals stop a run at once, whatever it is busy with, and leave nothing behind.
@Suite struct InterruptTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func makeLong() throws -> String {
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=f=300:r=48000:d=3000", "-ac", "2", "-c:a", "flac",
      folder.file("long.flac"),
    ])
    return folder.file("long.flac")
  }

  /// Runs `script`, in which `$0` is the product, `$1` the folder and `$2` the input.
  private func bash(_ script: String, _ input: String = "") throws -> (Tool.Result, Double) {
    let start = Date()
    let result = try Tool.run("bash", ["-c", script, Product.path, folder.path, input])
    return (result, Date().timeIntervalSince(start))
  }

  @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129), ("QUIT", 131)] as [(String, Int32)])
  func aBusyCoreDoesntHoldASignalUp(name: String, code: Int32) throws {
    let script = """
      taskset -c 0 "$0" render "$2" -o "$1/out.wav" & pid=$!
      sleep 0.5; kill -\(name) $pid; wait $pid
      """
    let (result, seconds) = try bash(script, try makeLong())
    #expect(result.status == code, "\(result.errors)")
    #expect(seconds < 3)
    #expect(folder.contents == ["long.flac"])
  }

  @Test func manyJobsStopToo() throws {
    let input = try makeLong()
    for name in ["a", "b", "c"] {
      try FileManager.default.copyItem(atPath: input, toPath: folder.file(name + ".flac"))
    }
    let script = """
      mkdir "$1/out"; cd "$1"
      taskset -c 0 "$0" render a.flac b.flac c.flac -o out/ -j 2 & pid=$!
      sleep 0.5; kill -TERM $pid; wait $pid
      """
    let (result, seconds) = try bash(script)
    #expect(result.status == 143, "\(result.errors)")
    #expect(seconds < 3)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("out"))
    #expect(left.isEmpty)
  }

  @Test func nohupStaysInForce() throws {
    try TestProgramme.wav(channels: 2, seconds: 60).write(to: folder.url("in.wav"))
    let script = """
      trap '' HUP; "$0" render "$1/in.wav" -o "$1/out.wav" & pid=$!
      sleep 0.1; kill -HUP $pid; wait $pid
      """
    let (result, _) = try bash(script)
    #expect(result.status == 0, "\(result.errors)")
    #expect(folder.contents == ["in.wav", "out.wav"])
  }

  @Test func aSilentStandardInputCanBeLeft() throws {
    let script = """
      mkfifo "$1/pipe"; sleep 20 > "$1/pipe" & writer=$!
      "$0" render - -o "$1/out.wav" < "$1/pipe" & pid=$!
      sleep 0.5; kill -INT $pid; wait $pid; code=$?; kill -KILL $writer; rm "$1/pipe"; exit $code
      """
    let (result, seconds) = try bash(script)
    #expect(result.status == 130, "\(result.errors)")
    #expect(seconds < 3)
    #expect(folder.contents.isEmpty)
  }

  @Test func aStalledStandardOutputCanBeLeft() throws {
    try TestProgramme.wav(channels: 2, seconds: 3).write(to: folder.url("in.wav"))
    let script = """
      mkfifo "$1/pipe"; sleep 20 < "$1/pipe" & reader=$!
      "$0" render "$1/in.wav" -o - > "$1/pipe" & pid=$!
      sleep 1; kill -TERM $pid; wait $pid; code=$?; kill -KILL $reader; rm "$1/pipe"; exit $code
      """
    let (result, seconds) = try bash(script)
    #expect(result.status == 143, "\(result.errors)")
    #expect(seconds < 4)
  }

  @Test func measuringStopsToo() throws {
    let script = """
      taskset -c 0 "$0" measure "$2" "$2" & pid=$!
      sleep 0.3; kill -INT $pid; wait $pid
      """
    let (result, seconds) = try bash(script, try makeLong())
    #expect(result.status == 130, "\(result.errors)")
    #expect(seconds < 3)
  }
}
