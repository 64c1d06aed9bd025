// SPDX-License-Identifier: Apache-2.0
import Foundation
import Rendering
import Spatial
import TestSupport
import Testing

/// Renders that share HRTF sets write the bytes that each would write alone.
@Suite struct SharedSetsTests {
  private func bytes(
    _ rate: Int, _ channels: Int, _ options: HRTFOptions, _ environment: RenderEnvironment
  ) async throws -> Data {
    let planes = TestProgramme.planes(channels: channels, seconds: 1, level: 0.1)
    var test = try RenderCase(WAVBytes.float32(planes, rate: rate))
    test.job.hrtf = HRTFRequest(options: options)
    _ = try await RenderPipeline(environment).render(test.job)
    return try Data(contentsOf: URL(fileURLWithPath: test.outputPath))
  }

  @Test("sets, rates and layouts in turn give the bytes of a process of their own")
  func rendersInTurnGiveTheirOwnBytes() async throws {
    var shared = RenderEnvironment()
    shared.sharedSets = SharedSets()
    let wide = HRTFOptions(head: .scaled(1.2))
    let jobs = [
      (48_000, 2, HRTFOptions()), (44_100, 2, wide), (48_000, 2, wide), (44_100, 1, HRTFOptions()),
      (48_000, 2, HRTFOptions(isProcessed: false)), (48_000, 2, HRTFOptions()),
    ]
    var found: [Data] = []
    for (rate, channels, options) in jobs {
      let alone = try await bytes(rate, channels, options, RenderEnvironment())
      found.append(try await bytes(rate, channels, options, shared))
      #expect(found.last == alone, "\(rate) Hz, \(channels) channels, \(options)")
    }
    #expect(Set(found).count == 5, "only the first and the last are the same")
  }
}
