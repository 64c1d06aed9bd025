import CFFmpeg

/// The code that libav runs: its own for this processor's SIMD extensions, or plain C.
package enum ProcessorCode {
  /// The extensions of this processor as libav's bits.
  ///
  /// libav looks for them at the first question and then stores them. A question that is under way
  /// would overwrite a choice made meanwhile, so they are read once, before any thread uses libav.
  private static let native = av_get_cpu_flags()

  /// SIMD extensions libav uses now, lower case, weakest first; none with plain C code.
  package static var extensions: [String] {
    settle()
    let flags = av_get_cpu_flags()
    var names: [String] = []
    var index: Int32 = 0
    while let offer = pinna_processor_extension(index)?.pointee {
      if flags & offer.flag != 0 { names.append(String(cString: offer.name)) }
      index += 1
    }
    return names
  }

  /// Reads the processor's extensions, so that libav never looks for them again.
  static func settle() { _ = native }

  /// Makes libav use its plain C code from now on, or again that for this processor.
  package static func usePortable(_ isPortable: Bool) {
    // -1 would let libav look again, and the next choice could be overwritten.
    av_force_cpu_flags(isPortable ? 0 : native)
  }
}
