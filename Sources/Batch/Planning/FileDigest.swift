import AudioCore
import Platform

/// SHA-256 as 64 hexadecimal digits.
package enum FileDigest {
  /// The digest of `texts`; their boundaries count.
  package static func of(_ texts: [String]) -> String {
    var digest = Digest(.sha256)
    for text in texts {
      digest.update(Array("\(text.utf8.count):".utf8))
      digest.update(Array(text.utf8))
    }
    return digest.hexadecimal
  }

  /// The digest of the file at `path`, and its size in bytes.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  package static func ofFile(_ path: String) throws -> (sha256: String, bytes: Int64) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      let text = String(cString: strerror(code))
      let kind: MediaError.Kind = code == ENOENT ? .inputMissing : .inputUnreadable
      throw MediaError(
        kind, about: path,
        Sandbox.readRefusal(path, code) ?? "can't be read (\(text)); check the path")
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(.inputUnreadable, about: path, "not a regular file; give a file")
    }
    var digest = Digest(.sha256)
    var size: Int64 = 0
    // Most files of a large batch are small; one byte more finds the end.
    let room = min(1 << 18, max(1 << 12, Int(facts.st_size) + 1))
    var chunk = [UInt8](repeating: 0, count: room)
    while true {
      let got = read(descriptor, &chunk, chunk.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        throw MediaError(
          .inputUnreadable, about: path, "can't be read (\(String(cString: strerror(errno))))")
      }
      if got == 0 { break }
      chunk.withUnsafeBytes {
        digest.update(UnsafeRawBufferPointer(rebasing: $0[..<got]))
      }
      size += Int64(got)
    }
    return (digest.hexadecimal, size)
  }

  /// The first eight bytes of the digest of `text` as a number.
  static func number(_ text: String) -> UInt64 {
    var digest = Digest(.sha256)
    digest.update(Array(text.utf8))
    return digest.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
