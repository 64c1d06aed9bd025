// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import LibAV

@Suite struct FFmpegVersionsTests {
  /// FFmpeg with this libavcodec, and a libavutil that is as it was built with.
  private func versions(built: LibraryVersion, loaded: LibraryVersion) -> FFmpegVersions {
    let other = LibraryVersion(57, 28, 100)
    return FFmpegVersions(
      name: "n9.0",
      libraries: [
        FFmpegVersions.Library("libavcodec", built: built, loaded: loaded),
        FFmpegVersions.Library("libavutil", built: other, loaded: other),
      ])
  }

  @Test("a packed version has its three parts and is printed with dots")
  func aPackedVersionHasThreeParts() {
    let version = LibraryVersion(packed: 59 << 16 | 37 << 8 | 100)
    #expect(version == LibraryVersion(59, 37, 100))
    #expect(version.description == "59.37.100")
  }

  @Test(
    "a tested FFmpeg release is known by its libavcodec",
    arguments: [
      (59, 37, "5.1"), (60, 31, "6.1"), (61, 19, "7.1"), (62, 11, "8.0"), (62, 28, "8.1"),
    ])
  func aTestedReleaseIsKnownByItsLibavcodec(_ major: Int, _ minor: Int, _ name: String) {
    let version = LibraryVersion(major, minor, 101)
    #expect(versions(built: version, loaded: version).testedRelease == name)
    #expect(FFmpegVersions.tested.contains(name))
  }

  @Test(
    "another libavcodec has no tested release",
    arguments: [(58, 134), (59, 18), (62, 12), (200, 0)])
  func anotherReleaseIsntTested(_ major: Int, _ minor: Int) {
    let version = LibraryVersion(major, minor, 100)
    #expect(versions(built: version, loaded: version).testedRelease == nil)
  }

  @Test("another micro version agrees, another minor or major one is reported with the library")
  func onlyMajorAndMinorVersionsCount() {
    let built = LibraryVersion(62, 11, 100)
    let mended = versions(built: built, loaded: LibraryVersion(62, 11, 101))
    #expect(mended.agreement == .same && mended.otherLibraries.isEmpty)
    let newer = versions(built: built, loaded: LibraryVersion(62, 28, 100))
    #expect(newer.agreement == .otherMinor)
    #expect(newer.otherLibraries.map(\.name) == ["libavcodec"])
    let foreign = versions(built: built, loaded: LibraryVersion(61, 11, 100))
    #expect(foreign.agreement == .otherMajor)
    #expect(foreign.otherLibraries.map(\.name) == ["libavcodec"])
  }

  @Test("this process runs with the four libraries that it was built with")
  func thisProcessRunsWithWhatItWasBuiltWith() {
    let current = FFmpegVersions.current
    #expect(!current.name.isEmpty)
    #expect(
      current.libraries.map(\.name) == ["libavformat", "libavcodec", "libavutil", "libswresample"])
    #expect(current.agreement == .same)
    #expect(LibAVVersion.codec == current.codec?.loaded.description)
  }

  @Test("FLAC is decoded, nonsense and AC-4 aren't")
  func aCodecThatIsntThereIsntDecoded() {
    #expect(LibAVVersion.decodes("flac"))
    #expect(!LibAVVersion.decodes("nonsense"))
    // libavcodec can name AC-4, but not decode it.
    #expect(!LibAVVersion.decodes(CodecTraits.ac4.name))
  }
}
