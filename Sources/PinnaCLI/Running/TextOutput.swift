import AudioCore
import Platform

/// Text that is written piece by piece: to a file, which appears when it is complete, or to standard output.
enum TextOutput {
  /// Bytes that are written at once.
  private static let most = 1 << 18

  /// Writes the pieces that `body` hands over to the file at `path`, or to standard output for `-`. Temporary files that
  /// killed processes left of the file are removed.
  /// - Throws: ``MediaError`` of kind `outputUnwritable` or `diskFull`, and what `body` throws.
  static func write(
    to path: String, _ body: @escaping ((String) throws -> Void) throws -> Void
  ) throws {
    guard path != "-" else { return try pieces(body) { Terminal.output(data: $0) } }
    Abandoned.remove([path])
    let file = try AtomicFile(target: path, overwrite: true)
    try pieces(body) { bytes in
      let code = Descriptor.writeAll(bytes, to: file.descriptor)
      guard code == 0 else { throw OutputFailure.error(code, path) }
    }
    try file.commit(overwrite: true)
  }

  private static func pieces(
    _ body: @escaping ((String) throws -> Void) throws -> Void, to sink: ([UInt8]) throws -> Void
  ) throws {
    var pending: [UInt8] = []
    try body { text in
      pending += text.utf8
      if pending.count >= most {
        try sink(pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    if !pending.isEmpty { try sink(pending) }
  }
}
