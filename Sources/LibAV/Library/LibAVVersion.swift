import CFFmpeg

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
