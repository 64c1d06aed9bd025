// SPDX-License-Identifier: Apache-2.0
import CFFmpeg
import Platform
import Synchronization

/// libav's log, kept instead of printed: the last lines explain a failure.
package enum LibAVLog {
  private struct Line {
    let thread: ThreadIdentity
    let text: String
  }

  private static let lines = Mutex<[Line]>([])
  /// Most lines kept; then the oldest is dropped.
  private static let limit = 32

  /// Takes over libav's log, of which warnings and worse are kept, and settles ``ProcessorCode``.
  /// To be called before libav is used.
  package static func install() {
    ProcessorCode.settle()
    pinna_set_log_sink(
      { _, text in
        guard let text else { return }
        LibAVLog.append(String(cString: text))
      }, AV_LOG_WARNING)
  }

  /// The lines kept of calls on this thread, oldest first.
  package static var threadLines: [String] {
    let thread = ThreadIdentity.current
    return lines.withLock { kept in kept.filter { $0.thread == thread }.map(\.text) }
  }

  /// Forgets what was logged on this thread.
  package static func forgetThread() {
    let thread = ThreadIdentity.current
    lines.withLock { $0.removeAll { $0.thread == thread } }
  }

  private static func append(_ line: String) {
    // Addresses in memory explain nothing and differ with every run.
    var trimmed = Substring(line.replacing(/\s@ 0x[0-9a-f]+/, with: ""))
    while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
    guard !trimmed.isEmpty else { return }
    let entry = Line(thread: ThreadIdentity.current, text: String(trimmed))
    lines.withLock { kept in
      if kept.count == limit { kept.removeFirst() }
      kept.append(entry)
    }
  }
}

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
