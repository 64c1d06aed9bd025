import CFFmpeg
import Platform

/// Versions of the libav libraries in use, and what the processor offers them.
package enum LibAVVersion {
  /// Library name and `major.minor.micro`, as loaded at run time.
  package static var libraries: [(name: String, version: String)] {
    [
      ("libavformat", avformat_version()), ("libavcodec", avcodec_version()),
      ("libavutil", avutil_version()), ("libswresample", swresample_version()),
    ].map { ($0.0, text($0.1)) }
  }

  /// Version of libavcodec, `major.minor.micro`.
  package static var codec: String { text(avcodec_version()) }

  /// SIMD extensions libav uses on this processor, lower case, weakest first.
  package static var processorFlags: [String] {
    let flags = av_get_cpu_flags()
    return knownFlags(ProcessorFamily.own).filter { flags & $0.1 != 0 }.map(\.0)
  }

  /// The bits have another meaning in each family.
  private static func knownFlags(_ family: ProcessorFamily) -> [(String, Int32)] {
    switch family {
    case .x86:
      [
        ("sse2", AV_CPU_FLAG_SSE2), ("ssse3", AV_CPU_FLAG_SSSE3), ("sse4.2", AV_CPU_FLAG_SSE42),
        ("avx", AV_CPU_FLAG_AVX), ("fma3", AV_CPU_FLAG_FMA3), ("avx2", AV_CPU_FLAG_AVX2),
      ]
    case .arm: [("armv8", AV_CPU_FLAG_ARMV8), ("neon", AV_CPU_FLAG_NEON)]
    case .other: []
    }
  }

  /// Makes libav use its plain C code from now on, or again that for this processor.
  package static func usePortableCode(_ isPortable: Bool) {
    av_force_cpu_flags(isPortable ? 0 : -1)
  }

  /// Whether a decoder of this libav name (`eac3`, `dca` …) is built in.
  package static func hasDecoder(_ name: String) -> Bool {
    avcodec_find_decoder_by_name(name) != nil
  }

  private static func text(_ version: UInt32) -> String {
    "\(version >> 16).\(version >> 8 & 255).\(version & 255)"
  }
}
