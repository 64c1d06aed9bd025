import AudioCore
import CProcess

/// Limits that a worker process sets for itself.
package enum ProcessLimits {
  /// Has the kernel send `signal` to this process when the thread that started it ends.
  /// - Returns: 0, or the errno.
  package static func endWithParent(signal: Int32) -> Int32 { process_end_with_parent(signal) }

  /// Limits the private memory that this process may ask for, in bytes.
  /// - Returns: 0, or the errno.
  package static func limitMemory(_ bytes: UInt64) -> Int32 { process_limit_memory(bytes) }
}
