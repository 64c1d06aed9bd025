// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report
import TestSupport
import Testing

@testable import Rendering

/// Dolby Atmos master files from a whole set to outputs.
@Suite(.tags(.media), .enabled(if: SharedMedia.beside("damf/sets") != nil, "../shared is missing"))
struct MasterRenderTests {
  @Test(
    "a set renders as its twin in ADM does, within −100 dB",
    arguments: ["a/bed712", "b/circle"], [Endpoint.Kind.headphones, .none])
  func setsRenderAsTheirTwins(set: String, endpoint: Endpoint.Kind) async throws {
    let folder = try #require(SharedMedia.beside("damf/sets"))
    var planes: [[[Float]]] = []
    for ending in [".atmos", ".adm.wav"] {
      var test = try RenderCase(path: "\(folder)/\(set)\(ending)")
      test.job.outputs[0].endpoint = endpoint
      test.job.layout = ChannelLayout(name: "7.1.4")
      test.job.rendition.level = nil
      test.job.encoding = .float32
      let report = try await test.run()
      if ending == ".atmos" { #expect(report.inputs.first?.container == "damf") }
      planes.append(try test.decoded().planes)
    }
    #expect(planes[0].count == (endpoint == .none ? 12 : 2))
    #expect(planes[0][0].contains { $0.magnitude > 0.01 })
    let gaps = zip(planes[0], planes[1]).flatMap { zip($0, $1).map { abs($0 - $1) } }
    #expect(try #require(gaps.max()) < 1e-5)
  }
}
