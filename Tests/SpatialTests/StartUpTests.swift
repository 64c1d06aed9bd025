import AudioCore
import Glibc
import Testing

@testable import Spatial

@Suite struct StartUpTests {
  private func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }

  /// Measured: about 9 ms; the limit leaves room for slow machines.
  @Test func aRendererIsReadySoon() throws {
    let times = try (0..<3).map { _ -> Double in
      let start = milliseconds()
      let renderer = BinauralRenderer(hrtf: try HRTFSet.builtIn())
      _ = try renderer.prepare(Render.format("5.1"))
      return milliseconds() - start
    }
    #expect((times.min() ?? 0) < 60, "\(times) ms of CPU")
  }
}
