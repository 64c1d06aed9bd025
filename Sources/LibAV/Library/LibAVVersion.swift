import CFFmpeg
import Platform

/// Versions of the libav libraries in use, and what the processor offers them.
package enum LibAVVersion {
  /// Library name and `major.minor.micro`, as loaded at run time.
  package static var libraries: [(name: String, version: String)] {
    FFmpegVersions.current.libraries.map { ($0.name, $0.loaded.description) }
  }

  /// Version of libavcodec, `major.minor.micro`.
  package static var codec: String { LibraryVersion(packed: avcodec_version()).description }

  /// SIMD extensions libav uses on this processor, lower case, weakest first.
  package static var processorFlags: [String] {
    let flags = av_get_cpu_flags()
    var names: [String] = []
    var index: Int32 = 0
    while let offer = pinna_processor_extension(index)?.pointee {
      if flags & offer.flag != 0 { names.append(String(cString: offer.name)) }
      index += 1
    }
    return names
  }

  /// Makes libav use its plain C code from now on, or again that for this processor.
  package static func usePortableCode(_ isPortable: Bool) {
    av_force_cpu_flags(isPortable ? 0 : -1)
  }

  /// Whether libavcodec was built with a decoder for the codec that it calls `name` (`eac3`, `dts` …).
  package static func decodes(_ name: String) -> Bool {
    guard let codec = avcodec_descriptor_get_by_name(name) else { return false }
    return avcodec_find_decoder(codec.pointee.id) != nil
  }
}
