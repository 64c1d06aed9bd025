// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Batch

/// Explanations of a worker process that ended before its work was done.
@Suite struct AutopsyTests {
  private let limits = BatchLimits(
    workers: 2, spoolMemory: 1 << 20, jobSeconds: 90, jobMemory: 400 << 20)

  private func autopsy(
    _ verdict: RunningWork.Verdict? = nil, signal: Int32? = nil, code: Int32 = 0, peak: Int = 0
  ) -> Autopsy {
    let work = RunningWork(
      unit: WorkUnit(items: [], numbers: [0], album: nil), attempt: 3, deadline: nil,
      verdict: verdict)
    return Autopsy(
      work: work, end: WorkerProcess.End(signal: signal, code: code, peakMemory: peak),
      limits: limits)
  }

  @Test("a worker that was stopped for time or memory names the option")
  func whoStoppedItIsNamed() {
    #expect(autopsy(.timeout).kind == "timeout" && autopsy(.memory).kind == "memory-limit")
    #expect(autopsy(.timeout).sentence.contains("wasn't done after 90 s (--job-timeout)"))
    #expect(autopsy(.memory).sentence.contains("the 400 MiB it may have (--job-memory)"))
    let performance = autopsy(.timeout, peak: 300 << 20).performance
    #expect(performance.peakRSSMiB == 300 && performance.attempts == 3)
  }

  /// Swift and libav abort when memory is refused; above three quarters of the limit that is the reason.
  @Test("an abort above three quarters of --job-memory counts as memory-limit")
  func anAbortNearTheLimitIsOfMemory() {
    let near = 301 << 20
    #expect(autopsy(signal: SIGABRT, peak: near).kind == "memory-limit")
    #expect(autopsy(signal: SIGSEGV, peak: near).kind == "memory-limit")
    #expect(autopsy(signal: SIGABRT, peak: 300 << 20).kind == "crashed")
    #expect(autopsy(signal: SIGABRT, peak: 300 << 20).sentence.contains("crashed (SIGABRT)"))
  }

  /// Only others send SIGKILL, however much memory the worker had.
  @Test("SIGKILL from outside counts as crashed, whatever memory was used")
  func whatIsKilledFromOutsideSaysSo() {
    for peak in [0, 301 << 20] {
      let found = autopsy(signal: SIGKILL, peak: peak)
      #expect(found.kind == "crashed")
      #expect(found.sentence.contains("killed from outside (SIGKILL)"), "\(found.sentence)")
    }
  }

  @Test("a worker that ended by itself is reported with its exit code or signal")
  func anExitIsToldWithItsCode() {
    let found = autopsy(code: 41, peak: 301 << 20)
    #expect(found.kind == "crashed" && found.sentence.contains("ended with code 41"))
    #expect(autopsy(code: WorkerSetup.mute).sentence.contains("couldn't say what became of it"))
    #expect(autopsy(signal: 63).sentence.contains("crashed (signal 63)"))
  }
}
