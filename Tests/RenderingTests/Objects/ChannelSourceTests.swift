// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Rendering

/// Reports on a layout that is only measured.
@Suite struct ChannelSourceTests {
  private final class Silent: ProgrammeSource {
    let programme: Programme
    init(_ programme: Programme) { self.programme = programme }
    func read(into block: ProgrammeBlock) -> Bool { false }
  }

  private func degradations(_ programme: Programme, _ layout: String?) throws -> [DegradationCode] {
    let log = DiagnosticLog()
    _ = try ChannelSource(
      Silent(programme), layout: layout.flatMap { ChannelLayout(name: $0) }, log: log)
    return log.degradations.map(\.code)
  }

  @Test func anLFEThatIsNotMeasuredIsTold() throws {
    let surround = try #require(ChannelLayout(name: "5.1"))
    let bed = Programme(AudioFormat(sampleRate: 48_000, layout: surround))
    #expect(try degradations(bed, "stereo") == [.lfeDropped])
    #expect(try degradations(bed, nil) == [])
    #expect(try degradations(bed, "3.0") == [.lfeDropped])
    let scene = Programme(
      sampleRate: 48_000,
      elements: bed.elements + [.object(name: nil, start: ObjectState())])
    #expect(try degradations(scene, "stereo") == [.lfeDropped])
    #expect(try degradations(scene, nil) == [])
  }
}
