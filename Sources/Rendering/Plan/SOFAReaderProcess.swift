// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Spatial

/// Parses SOFA files in a process of its own, because libhdf5 can crash on damaged ones.
///
/// The process is this program again with `arguments`, the path, the SHA-256 and, of rooms, the views that are wanted; there it calls
/// ``serve(path:sha256:views:)``. The process writes the measurements to its standard output, or the kind and the
/// sentence of a failure.
package struct SOFAReaderProcess: Sendable {
  private let executable: String
  private let arguments: [String]
  private let seconds: Int

  /// Exit code of a reader that explains on its standard output why it has nothing.
  static let refusal: Int32 = 1
  /// Memory a reader may take besides what grows with the file, bytes: filters in sections become far more samples than their file has.
  private static let baseMemory: UInt64 = 1 << 30

  /// A reader: the program at `executable` called with `arguments` in front of path and SHA-256, for at
  /// most `seconds`.
  package init(
    executable: String = OwnProgram.path, arguments: [String], seconds: Int = 60
  ) {
    self.executable = executable
    self.arguments = arguments
    self.seconds = seconds
  }

  /// The way of reading that uses this process.
  package var reading: SOFAReading { SOFAReading { try read($0, $1, $2) } }

  /// Work of the started process: reads one file within limits, of a room the `views` whose numbers stand there with commas between
  /// them.
  /// - Returns: its exit code.
  package static func serve(path: String, sha256: String, views: String) -> Int32 {
    do {
      let numbers = views.split(separator: ",")
      let views = numbers.compactMap { Int($0) }
      guard views.count == numbers.count else {
        throw MediaError(.usage, "the views of a room are numbers with commas between them")
      }
      var facts = stat()
      _ = stat(path, &facts)
      // Eight times the file's size: compressed arrays grow when they are inflated, and are held
      // both as stored and as numbers.
      try SOFAReading.confine(memory: baseMemory + 8 * UInt64(max(0, facts.st_size)))
      try write(SOFAReading.bytes(path: path, sha256: sha256, views: views))
      return 0
    } catch {
      let failure = MediaError(any: error, input: path)
      try? write(Array("\(failure.kind.rawValue)\n\(failure.message)".utf8))
      return refusal
    }
  }

  private func read(_ path: String, _ sha256: String, _ views: [Int]) throws -> [UInt8] {
    let numbers = views.map(String.init).joined(separator: ",")
    let child = try ChildProcess(
      executable, arguments + [path, sha256] + (views.isEmpty ? [] : [numbers]))
    guard let output = child.output(within: seconds) else {
      throw MediaError(
        .inputUnreadable,
        "\(path) isn't read as a SOFA file after \(seconds) s, so it is damaged; give an intact copy"
      )
    }
    switch child.end() {
    case .code(0): return output
    case .code(SOFAReaderProcess.refusal): throw SOFAReaderProcess.failure(output, path)
    case .code(let code):
      throw MediaError(.internal, about: path, "the process to read it in ended with exit \(code)")
    case .signal(SIGINT), .signal(SIGTERM), .signal(SIGHUP):
      throw MediaError(.interrupted, about: path, "stopped before it was read")
    case .signal(let number):
      throw MediaError(
        .inputUnreadable,
        "\(path) makes libhdf5 crash (signal \(number)), so it is damaged; give an intact copy")
    }
  }

  private static func failure(_ output: [UInt8], _ path: String) -> MediaError {
    let lines = String(decoding: output, as: UTF8.self).split(separator: "\n", maxSplits: 1)
    guard lines.count == 2, let kind = MediaError.Kind(rawValue: String(lines[0])) else {
      return MediaError(.inputUnreadable, "\(path) can't be read as a SOFA file")
    }
    return MediaError(kind, String(lines[1]))
  }

  private static func write(_ bytes: [UInt8]) throws {
    guard Descriptor.writeAll(bytes, to: STDOUT_FILENO) == 0 else {
      throw MediaError(.internal, "standard output can't be written")
    }
  }
}
