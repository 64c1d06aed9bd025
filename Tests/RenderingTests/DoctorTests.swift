// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

@testable import Inspection

@Suite struct DoctorTests {
  private func finding(built: LibraryVersion, loaded: LibraryVersion) -> Doctor.Finding {
    let codec = FFmpegVersions.Library("libavcodec", built: built, loaded: loaded)
    return Doctor.ffmpegFinding(FFmpegVersions(name: "n9.0", libraries: [codec]))
  }

  @Test func aTestedFFmpegIsNamedWithItsVersions() {
    let version = LibraryVersion(59, 37, 100)
    let finding = finding(built: version, loaded: version)
    #expect(finding.state == .ok)
    #expect(finding.detail == "5.1 (libavcodec 59.37.100), built with 59.37.100")
  }

  @Test func anUntestedFFmpegIsANote() {
    let version = LibraryVersion(200, 1, 102)
    let finding = finding(built: version, loaded: version)
    #expect(finding.state == .note)
    #expect(
      finding.detail.hasPrefix(
        "n9.0 (libavcodec 200.1.102), built with 200.1.102; Pinna wasn't tested with this version"))
    #expect(finding.detail.hasSuffix(FFmpegVersions.tested.joined(separator: ", ")))
  }

  @Test func anotherMinorVersionIsANote() {
    let finding = finding(built: LibraryVersion(62, 11, 100), loaded: LibraryVersion(62, 28, 100))
    #expect(finding.state == .note)
    #expect(
      finding.detail
        == "8.1 (libavcodec 62.28.100), built with 62.11.100; "
        + "libavcodec is 62.28.100, but Pinna was built with 62.11.100")
  }

  @Test func anotherMajorVersionFails() {
    let finding = finding(built: LibraryVersion(59, 37, 100), loaded: LibraryVersion(61, 19, 100))
    #expect(finding.state == .failed)
    #expect(finding.detail.hasSuffix("build Pinna again with this FFmpeg"))
  }

  @Test func aMissingDecoderIsNamedWithItsUse() {
    let all = CodecTraits.decoded.count
    #expect(Doctor.decoderFinding(missing: []).detail == "\(all) of \(all)")
    let finding = Doctor.decoderFinding(missing: [.named("eac3"), .named("wmapro")])
    #expect(finding.state == .failed)
    #expect(
      finding.detail
        == "\(all - 2) of \(all); missing eac3 (Dolby Digital Plus, in films and streams), "
        + "wmapro (Windows Media Audio Professional); install a full libavcodec")
  }

  @Test func everyDecodedCodecSaysWhereItIsMet() {
    #expect(CodecTraits.decoded.allSatisfy { $0.use?.isEmpty == false })
    #expect(Set(CodecTraits.decoded.map(\.name)).count == CodecTraits.decoded.count)
  }

  @Test("no check of doctor fails on this machine") func nothingFailsHere() {
    #expect(Doctor.examine().filter { $0.state == .failed }.isEmpty)
  }
}
