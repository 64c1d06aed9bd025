// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// A container whose clock is wrong from beginning to end.
@Suite(.tags(.system)) struct LyingClockTests {
  /// An AVI whose stream header states another rate of packets than was encoded.
  private func decode(packetsPerSecond: Double?) throws -> DecodedTrack {
    let media = try MadeMedia("a.avi", ["-c:a", "libmp3lame", "-ar", "48000"], seconds: 2)
    guard let packetsPerSecond else { return try media.decode() }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: media.path))
    let type = try #require(bytes.range(of: Data("auds".utf8))).lowerBound
    // AVISTREAMHEADER: dwScale and dwRate follow the type after 20 and 24 bytes.
    for (offset, value) in [(20, UInt32(1000)), (24, UInt32(packetsPerSecond * 1000))] {
      for byte in 0..<4 { bytes[type + offset + byte] = UInt8(value >> (8 * byte) & 255) }
    }
    let folder = try TemporaryFolder()
    let path = folder.file("lying.avi")
    try bytes.write(to: URL(fileURLWithPath: path))
    return try withExtendedLifetime(folder) { try DecodedTrack(path: path) }
  }

  /// Packets of 24 ms that the header says last 0.26 ms or 12 ms.
  @Test("a header with wrong packet durations loses no sound", arguments: [3846, 83.3])
  func itsProgrammeStaysWhole(packets: Double) throws {
    let sane = try decode(packetsPerSecond: nil)
    let lying = try decode(packetsPerSecond: packets)
    #expect(lying.planes == sane.planes)
    #expect(lying.decisions.filter { $0.chose == "clock-implausible" }.count == 1)
    #expect(lying.summary.gaps.isEmpty)
    #expect(!sane.decisions.contains { $0.chose == "clock-implausible" })
  }
}
