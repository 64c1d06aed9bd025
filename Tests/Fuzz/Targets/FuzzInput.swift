// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Platform

/// Ends the program with `what` unless `condition` holds; unlike a precondition, it says so in release builds.
func demand(_ condition: @autoclosure () -> Bool, _ what: @autoclosure () -> String) {
  if !condition() { fatalError("what a fuzz target demands doesn't hold: \(what())") }
}

/// The forms in which targets hand on their input.
enum FuzzInput {
  /// A file without a name that holds `bytes`.
  static func file(_ bytes: [UInt8], name: String = "input") -> LocalFile? {
    guard let file = try? TemporaryFile(),
      (try? bytes.withUnsafeBytes { try file.append($0) }) != nil
    else { return nil }
    return try? file.sealed(name: name)
  }

  /// Random access to `bytes`; a read beyond them is a finding.
  static func source(_ bytes: [UInt8]) -> ByteSource {
    ByteSource(size: Int64(bytes.count)) { offset, count in
      demand(offset >= 0 && count <= bytes.count - Int(offset), "a read lies inside the file")
      return Array(bytes[Int(offset)..<Int(offset) + count])
    }
  }

  /// Writes `bytes` to a file of this name in ``folder``, and answers its path.
  static func path(_ bytes: [UInt8], name: String) -> String {
    let path = folder + "/" + name
    demand(
      FileManager.default.createFile(atPath: path, contents: Data(bytes)), "\(path) can be written")
    return path
  }

  /// A folder of this process, which goes when the process ends.
  private static let folder: String = {
    let folder = "\(TemporaryFile.folder)/pinna-fuzz-\(getpid())"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit { FuzzInput.removeFolder() }
    return folder
  }()

  private static func removeFolder() { try? FileManager.default.removeItem(atPath: folder) }

  /// The bytes as text in UTF-8; `nil` where they aren't.
  static func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }
}

/// Takes numbers from an input, for targets that read values and not a file; zeros follow its end.
struct ByteFeed {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// Bytes that weren't taken.
  var rest: [UInt8] { Array(bytes) }

  /// The next byte.
  mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

  /// The next eight bytes, the highest first.
  mutating func number() -> Int64 {
    (0..<8).reduce(0) { value, _ in value << 8 | Int64(byte()) }
  }

  /// The next four bytes as a number, which may be infinite or none.
  mutating func sample() -> Float {
    Float(bitPattern: (0..<4).reduce(0) { value, _ in value << 8 | UInt32(byte()) })
  }
}
