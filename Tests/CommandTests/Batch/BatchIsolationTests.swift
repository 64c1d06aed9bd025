import Foundation
import TestSupport
import Testing

/// A job that crashes, hangs or uses too much memory or disk fails without the other jobs.
@Suite(.tags(.system), .fullRunOnly, .serialized) struct BatchIsolationTests {
  private let place: BatchFolder

  init() throws { place = try BatchFolder() }

  /// Starts a batch, does `deed` to the worker that renders the long file (`$worker`), and waits.
  private func batch(
    _ deed: String, _ options: String = "", hours: Int = 1
  ) throws -> BatchOutcome {
    try place.long("b-long.flac", hours: hours)
    for name in ["a.wav", "c.wav", "d.wav"] { try place.programme(name) }
    let script = """
      "$0" batch "$1/in" -O "$1/out" -j 2 --json \(options) > "$1/report.json" & batch=$!
      for i in $(seq 12000); do
        sleep 0.05
        grep -qs started "$1"/out/.pinna/items/b-long* || continue
        for worker in $(cat /proc/$batch/task/*/children); do
          ls -l /proc/$worker/fd 2> /dev/null | grep -q b-long && break 2
        done
      done
      \(deed)
      wait $batch; code=$?; cat "$1/report.json"; exit $code
      """
    return BatchOutcome(try place.bash(script))
  }

  private func checkOthers(_ outcome: BatchOutcome) throws {
    #expect(outcome.status == 10, "\(outcome.errors)")
    for name in ["a.wav", "c.wav", "d.wav"] { #expect(outcome.state(name) == "ok") }
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna/") }
    #expect(files.sorted() == ["a.wav", "c.wav", "d.wav"])
    #expect(try !place.content().keys.contains { $0.contains(".pinna-") })
  }

  @Test(arguments: [("SEGV", "SIGSEGV"), ("ABRT", "SIGABRT"), ("KILL", "SIGKILL")])
  func aCrashIsOneItems(signal: String, name: String) throws {
    let outcome = try batch("kill -\(signal) $worker")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.flac") == "error crashed")
    #expect(outcome.code("b-long.flac") == 1)
    #expect(outcome.message("b-long.flac").contains(name))
  }

  @Test func aHangIsEndedInTime() throws {
    let outcome = try batch("kill -STOP $worker", "--job-timeout 8s")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.flac") == "error timeout", "\(outcome.errors)")
    #expect(outcome.message("b-long.flac").contains("--job-timeout"))
  }

  @Test func alsoOneThatListens() throws {
    // An hour takes less than that on a fast machine.
    let outcome = try batch(":", "--job-timeout 6s", hours: 5)
    try checkOthers(outcome)
    #expect(outcome.state("b-long.flac") == "error timeout", "\(outcome.errors)")
  }

  @Test func memoryIsLimited() throws {
    // This job has to keep more of the programme in memory than a worker may use.
    let outcome = try batch(":", "--job-memory 160M --max-memory 3G")
    try checkOthers(outcome)
    let state = outcome.state("b-long.flac")
    #expect(
      state == "error memory-limit" || state == "error out-of-resources", "\(outcome.errors)")
  }

  @Test func filesAreLimited() throws {
    let outcome = try batch(":", "--max-output-size 20M")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.flac") == "error output-limit", "\(outcome.errors)")
    #expect(outcome.code("b-long.flac") == 6)
    #expect(outcome.message("b-long.flac").contains("--max-output-size"))
  }

  @Test func aFullDiskIsTriedAgain() throws {
    try place.programme("a.wav", seconds: 3)
    // The limit on the size of files stands for the full disk.
    let script = """
      ulimit -f 64; exec "$0" batch "$1/in" -O "$1/out" --retry 1 --progress ndjson -j 1
      """
    let result = try place.bash(script)
    #expect(result.status == 10)
    #expect(result.errors.contains("\"event\":\"retry\""), "\(result.errors)")
    #expect(result.errors.contains("\"attempt\":2") && !result.errors.contains("\"attempt\":3"))
    #expect(result.errors.contains("\"kind\":\"disk-full\""))
    #expect(try place.content().keys.allSatisfy { $0.hasPrefix(".pinna/") })
    #expect(try place.report().status == 0)
  }

  @Test func failFastBeginsNothingMore() throws {
    for name in ["b.wav", "c.wav", "d.wav"] { try place.programme(name) }
    try Data("no media".utf8).write(to: place.folder.url("in/a.wav"))
    let outcome = try place.report(nil, ["--fail-fast", "-j", "1"])
    #expect(outcome.status == 10 && outcome.code("a.wav") == 3)
    #expect(outcome.counts["stopped"] == 3, "\(outcome.counts)")
  }
}
