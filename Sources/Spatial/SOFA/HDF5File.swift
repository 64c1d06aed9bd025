// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CHDF5
import Platform

/// An HDF5 file that is open for reading; owns the C library's handle.
final class HDF5File {
  /// The file's path, as it was given.
  let path: String
  private let file: hid_t

  /// Opens the file at `path`.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  init(path: String) throws {
    try HDF5Envelope.check(path: path)
    let file = ch_open(path)
    guard file >= 0 else {
      throw MediaError(.inputUnreadable, "\(path) can't be read as a SOFA file (HDF5 refuses it)")
    }
    self.file = file
    self.path = path
  }

  deinit { ch_close(file) }

  /// Text of an attribute of a data set, or of the file itself; `nil` where there is none.
  func text(_ name: String, of object: String = "/") -> String? {
    var bytes = [CChar](repeating: 0, count: 4096)
    guard ch_text(file, object, name, &bytes, bytes.count) == 0 else { return nil }
    return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Sizes of the data set `name`, axis by axis; `nil` where there is none that holds numbers.
  func dimensions(_ name: String) -> [Int]? {
    var sizes = [UInt64](repeating: 0, count: 8)
    let rank = ch_dimensions(file, name, &sizes)
    guard rank >= 0 else { return nil }
    let known = sizes.prefix(Int(rank))
    guard known.allSatisfy({ $0 < 1 << 40 }) else { return nil }
    return known.map { Int($0) }
  }

  /// Numbers of the data set `name` from `start` on, `count` along each axis, the last axis running fastest.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` where they can't be read.
  func numbers(_ name: String, from start: [Int], count: [Int]) throws -> [Float] {
    var values = [Float](repeating: 0, count: count.reduce(1, *))
    let status = ch_read(
      file, name, Int32(count.count), start.map(UInt64.init), count.map(UInt64.init), &values)
    guard status == 0 else {
      throw MediaError(
        .inputUnreadable, "\(path) can't be read as a SOFA file: \(name) is damaged")
    }
    return values
  }

  /// All numbers of the data set `name` with its sizes; `nil` where there is none.
  /// - Throws: ``MediaError`` of kind `inputUnreadable` where they can't be read, or are more than `limit`.
  func all(
    _ name: String, limit: Int = 1 << 20
  ) throws -> (sizes: [Int], values: [Float])? {
    guard let sizes = dimensions(name) else { return nil }
    var count = 1
    for size in sizes {
      let (product, isTooMany) = count.multipliedReportingOverflow(by: size)
      guard !isTooMany, product <= limit else {
        throw MediaError(
          .inputUnreadable,
          "\(path) can't be read as a SOFA file: \(name) has more than \(limit) numbers")
      }
      count = product
    }
    return (sizes, try numbers(name, from: sizes.map { _ in 0 }, count: sizes))
  }
}

/// The facts about an HDF5 file that are known before a C library parses it: signature and stated size.
///
/// HDF5 can crash on files that aren't whole, so those never reach it.
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
