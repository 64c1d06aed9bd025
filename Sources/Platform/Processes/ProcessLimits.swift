import AudioCore
import CProcess

/// Limits that a process sets for itself.
package enum ProcessLimits {
  /// Has this process sent `signal` when the thread that started it ends; on Darwin, when the process that
  /// started it ends.
  /// - Returns: 0, or the errno.
  package static func endWithParent(signal: Int32) -> Int32 { process_end_with_parent(signal) }

  /// Limits the private memory that this process may ask for, in bytes. Darwin takes the limit and doesn't
  /// hold processes to it.
  /// - Returns: 0, or the errno.
  package static func limitMemory(_ bytes: UInt64) -> Int32 { process_limit_memory(bytes) }

  /// Prepares a process that only reads one file: it may ask for `memory` bytes, leaves no core file, and
  /// ends with the one that started it.
  /// - Returns: 0, or the errno.
  package static func confine(memory: UInt64) -> Int32 { process_confine(memory) }
}
