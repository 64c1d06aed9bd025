// SPDX-License-Identifier: Apache-2.0
import CFFmpeg

/// The version of one of FFmpeg's libraries.
package struct LibraryVersion: Sendable, Hashable, CustomStringConvertible {
  /// Rises when programs have to be built anew.
  package let major: Int
  /// Rises when something is added.
  package let minor: Int
  /// Rises when something is mended.
  package let micro: Int

  package init(_ major: Int, _ minor: Int, _ micro: Int) {
    self.major = major
    self.minor = minor
    self.micro = micro
  }

  /// The version that libav packs into one number: 16 bits, 8 bits, 8 bits.
  init(packed: UInt32) {
    self.init(Int(packed >> 16), Int(packed >> 8 & 255), Int(packed & 255))
  }

  package var description: String { "\(major).\(minor).\(micro)" }
}

/// The FFmpeg that Pinna was built with, and the one that it runs with.
package struct FFmpegVersions: Sendable {
  package struct Library: Sendable {
    /// Name of the library, e.g. `libavcodec`.
    package let name: String
    /// The version of the headers that Pinna was built with.
    package let built: LibraryVersion
    /// The version that was loaded.
    package let loaded: LibraryVersion

    package init(_ name: String, built: LibraryVersion, loaded: LibraryVersion) {
      self.name = name
      self.built = built
      self.loaded = loaded
    }
  }

  /// How far what is loaded is what Pinna was built with.
  package enum Agreement: Sendable, Hashable {
    /// The libraries are the same; they may differ in what was mended.
    case same
    /// Something was added to a library, or is missing in it.
    case otherMinor
    /// A library has other structures in memory; nothing can be relied on.
    case otherMajor
  }

  /// A release of FFmpeg that Pinna's tests were run with, known by its libavcodec.
  private struct Release {
    let name: String
    let major: Int
    let minor: Int
  }

  private static let releases = [
    Release(name: "5.1", major: 59, minor: 37), Release(name: "6.1", major: 60, minor: 31),
    Release(name: "7.1", major: 61, minor: 19), Release(name: "8.0", major: 62, minor: 11),
    Release(name: "8.1", major: 62, minor: 28),
  ]

  /// The releases that Pinna's tests were run with, oldest first.
  package static let tested = releases.map(\.name)

  /// Version by which FFmpeg calls itself, e.g. `5.1.8-0+deb12u1`.
  package let name: String
  /// libavformat, libavcodec, libavutil and libswresample.
  package let libraries: [Library]

  package init(name: String, libraries: [Library]) {
    self.name = name
    self.libraries = libraries
  }

  /// Versions in this process.
  package static var current: FFmpegVersions {
    let versions = [
      ("libavformat", PINNA_BUILT_AVFORMAT, avformat_version()),
      ("libavcodec", PINNA_BUILT_AVCODEC, avcodec_version()),
      ("libavutil", PINNA_BUILT_AVUTIL, avutil_version()),
      ("libswresample", PINNA_BUILT_SWRESAMPLE, swresample_version()),
    ]
    return FFmpegVersions(
      name: String(cString: av_version_info()),
      libraries: versions.map {
        Library($0.0, built: LibraryVersion(packed: $0.1), loaded: LibraryVersion(packed: $0.2))
      })
  }

  /// libavcodec, which the release is known by.
  package var codec: Library? { libraries.first { $0.name == "libavcodec" } }

  /// The tested release that is loaded; `nil` when it is none of them.
  package var testedRelease: String? {
    guard let loaded = codec?.loaded else { return nil }
    return FFmpegVersions.releases.first {
      ($0.major, $0.minor) == (loaded.major, loaded.minor)
    }?.name
  }

  /// The worst agreement of all libraries.
  package var agreement: Agreement {
    if libraries.contains(where: { $0.built.major != $0.loaded.major }) { return .otherMajor }
    return otherLibraries.isEmpty ? .same : .otherMinor
  }

  /// Libraries whose major or minor version isn't that which Pinna was built with.
  package var otherLibraries: [Library] {
    libraries.filter { ($0.built.major, $0.built.minor) != ($0.loaded.major, $0.loaded.minor) }
  }
}

/// Versions of the libav libraries in use.
package enum LibAVVersion {
  /// Library name and `major.minor.micro`, as loaded at run time.
  package static var libraries: [(name: String, version: String)] {
    FFmpegVersions.current.libraries.map { ($0.name, $0.loaded.description) }
  }

  /// Version of libavcodec, `major.minor.micro`.
  package static var codec: String { LibraryVersion(packed: avcodec_version()).description }

  /// Whether libavcodec was built with a decoder for the codec that it calls `name` (`eac3`, `dts` …).
  package static func decodes(_ name: String) -> Bool {
    guard let codec = avcodec_descriptor_get_by_name(name) else { return false }
    return avcodec_find_decoder(codec.pointee.id) != nil
  }
}
