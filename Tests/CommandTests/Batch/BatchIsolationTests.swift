// SPDX-License-Identifier: Apache-2.0
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
    try place.long("b-long.wav", hours: hours)
    for name in ["a.wav", "c.wav", "d.wav"] { try place.programme(name) }
    let script = """
      "$0" batch "$1/in" -O "$1/out" -j 2 --json \(options) > "$1/report.json" & batch=$!
      for i in $(seq 12000); do
        sleep 0.05
        [[ -n $(jobs -r) ]] || break
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

  /// A time that is enough for the short files on this machine, under its load: 2 s, or four times as long as all of them take.
  private func patience() throws -> String {
    let short = try BatchFolder()
    for name in ["a.wav", "c.wav", "d.wav"] { try short.programme(name) }
    let time = try ContinuousClock().measure {
      let result = try short.batch()
      #expect(result.status == 0, "\(result.errors)")
    }
    return "\(max(2, 4 * time.components.seconds))s"
  }

  private func checkOthers(_ outcome: BatchOutcome) throws {
    #expect(outcome.status == 10, "\(outcome.errors)")
    for name in ["a.wav", "c.wav", "d.wav"] { #expect(outcome.state(name) == "ok") }
    let files = try place.content().keys.filter { !$0.hasPrefix(".pinna/") }
    #expect(files.sorted() == ["a.wav", "c.wav", "d.wav"])
    #expect(try !place.content().keys.contains { $0.contains(".pinna-") })
  }

  @Test(
    "a worker that is killed by a signal fails its own item as crashed; the other items are done",
    arguments: [("SEGV", "SIGSEGV"), ("ABRT", "SIGABRT"), ("KILL", "SIGKILL")])
  func aCrashIsOneItems(signal: String, name: String) throws {
    let outcome = try batch("kill -\(signal) $worker")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.wav") == "error crashed")
    #expect(outcome.code("b-long.wav") == 1)
    #expect(outcome.message("b-long.wav").contains(name))
  }

  @Test("a worker that is stopped is killed after --job-timeout")
  func aHangIsEndedInTime() throws {
    let outcome = try batch("kill -STOP $worker", "--job-timeout \(patience())")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.wav") == "error timeout", "\(outcome.errors)")
    #expect(outcome.message("b-long.wav").contains("--job-timeout"))
  }

  @Test("a job that still runs after --job-timeout is stopped")
  func alsoOneThatListens() throws {
    let outcome = try batch(":", "--job-timeout \(patience())", hours: 4)
    try checkOthers(outcome)
    #expect(outcome.state("b-long.wav") == "error timeout", "\(outcome.errors)")
  }

  @Test("a job that needs more than --job-memory fails as memory-limit or out-of-resources")
  func memoryIsLimited() throws {
    // This job has to keep more of the programme in memory than a worker may use.
    let outcome = try batch(":", "--job-memory 160M --max-memory 3G")
    try checkOthers(outcome)
    let state = outcome.state("b-long.wav")
    #expect(
      state == "error memory-limit" || state == "error out-of-resources", "\(outcome.errors)")
  }

  @Test("an output larger than --max-output-size fails as output-limit with exit code 6")
  func filesAreLimited() throws {
    let outcome = try batch(":", "--max-output-size 20M")
    try checkOthers(outcome)
    #expect(outcome.state("b-long.wav") == "error output-limit", "\(outcome.errors)")
    #expect(outcome.code("b-long.wav") == 6)
    #expect(outcome.message("b-long.wav").contains("--max-output-size"))
  }

  @Test("a full disk is tried again once with --retry 1, and then leaves no output")
  func aFullDiskIsTriedAgain() throws {
    try place.programme("a.wav", seconds: 3)
    // The limit on the size of files stands for the full disk.
    let script = """
      ulimit -f 64; exec "$0" batch "$1/in" -O "$1/out" --retry 1 --progress ndjson -j 1
      """
    let result = try place.bash(script)
    #expect(result.status == 75)
    #expect(result.errors.contains("\"event\":\"retry\""), "\(result.errors)")
    #expect(result.errors.contains("\"attempt\":2") && !result.errors.contains("\"attempt\":3"))
    #expect(result.errors.contains("\"kind\":\"disk-full\""))
    #expect(try place.content().keys.allSatisfy { $0.hasPrefix(".pinna/") })
    #expect(try place.report().status == 0)
  }

  @Test("after the first failure with --fail-fast no further item is begun")
  func failFastBeginsNothingMore() throws {
    for name in ["b.wav", "c.wav", "d.wav"] { try place.programme(name) }
    try Data("no media".utf8).write(to: place.folder.url("in/a.wav"))
    let outcome = try place.report(nil, ["--fail-fast", "-j", "1"])
    #expect(outcome.status == 10 && outcome.code("a.wav") == 3)
    #expect(outcome.counts["stopped"] == 3, "\(outcome.counts)")
  }
}
