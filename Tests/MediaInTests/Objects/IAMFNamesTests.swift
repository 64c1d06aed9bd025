// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import LibAV
@testable import MediaIn

/// MP4 with IAMF under names that no version of libavformat knows.
@Suite(.tags(.media), .enabled(if: IAMFExpectation.isPresent, "../shared is missing"))
struct IAMFNamesTests {
  private static let names = IAMFExpectation.names.filter { $0.hasSuffix(".mp4") }

  /// The libavformat of this machine sees one track of an unknown kind; Pinna knows what it is.
  @Test("the one track of an MP4 with IAMF has the tag priv and the codec iamf", arguments: names)
  func theTrackIsKnownToPinnaOnly(name: String) throws {
    let media = try MediaFile(path: IAMFExpectation.media(name))
    #expect(media.streams.count == 1)
    #expect(media.streams.first?.tag == "priv")
    #expect(media.streams.first?.codec == "iamf")
  }

  /// The libavformat of PyAV, which splits samples of IAMF into substreams, gives the same packets as this machine's.
  @Test(
    "PyAV reads the same packets of an MP4 with IAMF as this machine's libavformat",
    .tags(.system), .fullRunOnly,
    .enabled(if: TestPython.has("av"), "make setup-test installs PyAV"),
    arguments: names)
  func samplesStayWhole(name: String) throws {
    let media = try MediaFile(path: IAMFExpectation.media(name))
    let patches = (media.movie?.tracks ?? []).compactMap(\.iamf).flatMap(\.patches)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: IAMFExpectation.media(name))))
    bytes.withUnsafeMutableBufferPointer { file in
      for patch in patches { patch.apply(to: file, readFrom: 0) }
    }
    let shown = try MadeMedia(name, bytes: Data(bytes))
    let script = """
      import sys, av
      with av.open(sys.argv[1], options={"ignore_editlist": "1"}) as container:
          for packet in container.demux():
              if packet.size:
                  print(packet.stream_index, packet.size)
      """
    let other = try withExtendedLifetime(shown) {
      try Tool.run(TestPython.path, ["-c", script, shown.path])
    }
    #expect(other.status == 0, "\(other.errors)")
    var own = ""
    let packet = try Packet()
    while try media.readWhole(packet) {
      own += "\(packet.streamIndex) \(packet.bytes().count)\n"
    }
    #expect(!own.isEmpty && String(decoding: other.output, as: UTF8.self) == own)
  }
}
