import AudioCore
import Platform

/// What can be known of an HDF5 file before a C library parses it: signature and stated size.
///
/// libmysofa can crash on files that aren't whole, so those never reach it.
enum HDF5Envelope {
  private static let signature: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Largest file accepted, in bytes.
  private static let largest: Int64 = 2 << 30

  /// Checks that `path` is a whole, regular HDF5 file of a sane size.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  static func check(path: String) throws {
    var facts = stat()
    guard !path.utf8.contains(0), stat(path, &facts) == 0 else {
      throw MediaError(.inputMissing, "the SOFA file \(path) doesn't exist")
    }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw MediaError(.inputUnreadable, "\(path) isn't a regular file, so no SOFA file")
    }
    let size = Int64(facts.st_size)
    let head = try head(path)
    guard head.count >= 48, Array(head[0..<8]) == signature else {
      throw MediaError(.inputUnreadable, "\(path) isn't a SOFA file: it doesn't start as HDF5")
    }
    guard size <= largest else {
      throw MediaError(.inputUnreadable, "\(path) is too large for an HRTF set (over 2 GiB)")
    }
    // HDF5 File Format Specification 3.0, II.A: end-of-file address of the superblock.
    let offset = head[8] <= 1 ? 40 : 28
    let widths = head[8] <= 1 ? head[13] : head[9]
    guard head[8] <= 3, widths == 8 else {
      throw MediaError(.inputUnreadable, "\(path) is an HDF5 file of an unknown version")
    }
    let end = (0..<8).reduce(UInt64(0)) { $0 | UInt64(head[offset + $1]) << UInt64(8 * $1) }
    guard end <= UInt64(size) else {
      throw MediaError(
        .inputUnreadable, "\(path) is cut short: \(size) of \(end) bytes are there")
    }
  }

  private static func head(_ path: String) throws -> [UInt8] {
    guard let file = fopen(path, "rb") else {
      throw MediaError(.inputUnreadable, "\(path) can't be opened: check its permissions")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes[0..<count])
  }
}
