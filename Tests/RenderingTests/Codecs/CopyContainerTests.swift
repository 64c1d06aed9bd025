// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// The JSON of containers of copies in requests, from which the keys of batches are made.
@Suite struct CopyContainerTests {
  static let rows: [(OutputRequest.CopyContainer, String)] = [
    (OutputRequest.CopyContainer(.mp4), #"{"mp4":{}}"#),
    (OutputRequest.CopyContainer(.matroska), #"{"matroska":{}}"#),
    (OutputRequest.CopyContainer(.webm), #"{"webm":{}}"#),
    (
      OutputRequest.CopyContainer(.mp4, fragmentDuration: .samples(500), hasSegmentFiles: true),
      #"{"mp4":{}}"#
    ),
    (
      OutputRequest.CopyContainer(.fmp4),
      #"{"fmp4":{"fragmentDuration":{"clock":{"_0":{"rate":1,"ticks":2}}}}}"#
    ),
    (
      OutputRequest.CopyContainer(.fmp4, fragmentDuration: .samples(500), hasSegmentFiles: true),
      #"{"fmp4":{"fragmentDuration":{"samples":{"_0":500}}}}"#
    ),
    (
      OutputRequest.CopyContainer(.hls),
      #"{"hls":{"hasSegmentFiles":false,"segmentDuration":{"clock":{"_0":{"rate":1,"ticks":6}}}}}"#
    ),
    (
      OutputRequest.CopyContainer(.hls, fragmentDuration: .samples(500), hasSegmentFiles: true),
      #"{"hls":{"hasSegmentFiles":true,"segmentDuration":{"samples":{"_0":500}}}}"#
    ),
  ]

  @Test("a container of copies has the JSON that batches made keys of", arguments: rows)
  func theJSONIsAContract(container: OutputRequest.CopyContainer, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(container)
    #expect(String(decoding: bytes, as: UTF8.self) == json)
    #expect(try JSONDecoder().decode(OutputRequest.CopyContainer.self, from: bytes) == container)
  }

  @Test(
    "a copy into a container that takes none is refused", arguments: ContainerKind.allCases)
  func otherKindsAreRefused(kind: ContainerKind) async throws {
    guard kind.traits.output?.takesCopies != true else { return }
    let json = Data(#"{"\(kind.traits.token)":{}}"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(OutputRequest.CopyContainer.self, from: json)
    }
    let folder = try TemporaryFolder()
    let name = "out." + (kind.traits.extensions.first ?? "")
    let request = RenderRequest(
      .silence(Silence(.seconds(1))),
      outputs: [
        OutputRequest(.file(folder.file(name)), copyInto: OutputRequest.CopyContainer(kind))
      ])
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().render(request)
    }
    #expect(failure?.error.kind == .usage)
    #expect(failure?.error.message.contains(kind.traits.name) == true)
    #expect(folder.contents.isEmpty)
  }

  @Test("every container that takes copies has a row above")
  func noKindIsMissing() {
    let kinds = ContainerKind.allCases.filter { $0.traits.output?.takesCopies == true }
    #expect(Set(CopyContainerTests.rows.map(\.0.kind)) == Set(kinds))
  }
}
