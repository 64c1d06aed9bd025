// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Rendering
import Spatial
import TestSupport
import Testing

/// Numbers that the command line refuses are refused of a request, too: a caller of the library has no command line.
@Suite struct RequestRangeTests {
  /// One number of a request: the name that messages give it, its range, and how it is set.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let range: ClosedRange<Double>
    let set: @Sendable (Double, inout Clip, inout Rendition) -> Void
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "decoding.dialogueGain", range: 0...12) {
      $1.decoding.dialogueGain = $0; _ = $2
    },
    Row(name: "decoding.bounds.networkTimeout", range: 0.1...3600) {
      $1.decoding.bounds.networkTimeout = $0
      _ = $2
    },
    Row(name: "decoding.objects.importance", range: 0...10) {
      $1.decoding.objects.importance = Int($0.rounded(.awayFromZero))
      _ = $2
    },
    Row(name: "listener.head.yaw", range: -360...360) { $2.endpoint = held(HeadPose(yaw: $0)) },
    Row(name: "listener.head.pitch", range: -90...90) { $2.endpoint = held(HeadPose(pitch: $0)) },
    Row(name: "listener.head.roll", range: -360...360) { $2.endpoint = held(HeadPose(roll: $0)) },
    Row(name: "rendition.lfe", range: -40...20) { $2.lfe = .gain($0) },
    Row(name: "speakers.span", range: 10...60) { $2.endpoint = .speakers(SpeakerPair(span: $0)) },
    Row(name: "level.integrated", range: -70...0) { $2.level?.integrated = $0 },
    Row(name: "level.truePeak", range: -30...0) { $2.level?.truePeak = $0 },
  ]

  private static func held(_ pose: HeadPose) -> Endpoint {
    .headphones(Listener(head: .still(pose)))
  }

  @Test("a number out of its option's range is refused of a request as well", arguments: rows)
  func numbersOutOfRangeAreRefused(row: Row) throws {
    for number in [row.range.lowerBound, row.range.upperBound] {
      try request(row, number).validate()
    }
    for number in [row.range.lowerBound - 0.5, row.range.upperBound + 0.5] {
      let failure = #expect(throws: MediaError.self) { try request(row, number).validate() }
      #expect(failure?.kind == .usage)
      #expect(failure?.message.contains(row.name) == true, "\(failure?.message ?? "")")
    }
  }

  private func request(_ row: Row, _ number: Double) -> RenderRequest {
    var clip = Clip(.file("in.wav"))
    var rendition = Rendition(.headphones(), level: .standard)
    row.set(number, &clip, &rendition)
    return RenderRequest(clips: [clip], outputs: [OutputRequest(.file("out.wav"), rendition)])
  }
}
