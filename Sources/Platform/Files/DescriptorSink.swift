import AudioCore

/// Writes an output's bytes to an open file, from its front; old content is overwritten.
package final class DescriptorSink: ByteSink {
  /// Bytes that are gathered before they are written.
  private static let capacity = 1 << 18

  private let descriptor: Int32
  private let name: String
  private var held: [UInt8] = []
  private var position: Int64 = 0

  /// A sink for `descriptor`, which stays the caller's; `name` appears in errors.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    held.reserveCapacity(DescriptorSink.capacity)
  }

  /// Bytes taken so far.
  package var count: Int64 { position + Int64(held.count) }

  /// Takes bytes; they are written to the file once the buffer is full.
  package func write(_ bytes: [UInt8]) throws {
    held.append(contentsOf: bytes)
    if held.count >= DescriptorSink.capacity { try flush() }
  }

  /// Writes the rest of the buffer and truncates the file to what was written.
  package func finish() throws {
    try flush()
    guard ftruncate(descriptor, off_t(position)) == 0 else {
      throw OutputFailure.error(errno, name)
    }
  }

  private func flush() throws {
    var failure: Int32 = 0
    held.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count, failure == 0 {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let moved = pwrite(descriptor, rest.baseAddress, rest.count, off_t(position))
        if moved < 0, errno == EINTR { continue }
        if moved <= 0 { failure = moved == 0 ? ENOSPC : errno }
        done += max(0, moved)
        position += Int64(max(0, moved))
      }
    }
    held.removeAll(keepingCapacity: true)
    guard failure == 0 else { throw OutputFailure.error(failure, name) }
  }
}
