import AudioCore

/// Reads a list of input files: one a line, or separated by zero bytes when there are any.
package enum InputList {
  /// The paths in `bytes`, which came from `name`; empty lines are left out.
  /// - Throws: ``MediaError`` of kind `usage` when it isn't UTF-8 or lists nothing.
  package static func paths(_ bytes: [UInt8], name: String) throws -> [String] {
    let zero = UInt8(0)
    let newline = UInt8(ascii: "\n")
    let isZeroed = bytes.contains(zero)
    let pieces = bytes.withoutByteOrderMark.split(separator: isZeroed ? zero : newline)
    let paths = try pieces.map { piece in
      let isDOS = !isZeroed && piece.last == UInt8(ascii: "\r")
      guard let path = String(validating: isDOS ? piece.dropLast() : piece, as: UTF8.self) else {
        throw MediaError(
          .usage, "--input-list \(name): has a path that isn't UTF-8; rename the file")
      }
      return path
    }.filter { !$0.isEmpty }
    guard !paths.isEmpty else {
      throw MediaError(.usage, "--input-list \(name): lists no files; give one path a line")
    }
    return paths
  }
}
