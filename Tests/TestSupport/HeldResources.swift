// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Memory that was allocated through C (that of Swift's objects, too) and descriptors that are open in this process.
///
/// The figures are those of all threads: use it in a process that does nothing else, as `processExitsWith` makes one.
package struct HeldResources {
  /// Bytes that `malloc` has given out and that weren't freed.
  package let bytes: Int
  /// Open descriptors.
  package let descriptors: Int

  /// Resources that are held now; `nil` where the system doesn't say it.
  package init?() {
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    guard let bytes = HeldResources.allocated(), let open else { return nil }
    (self.bytes, descriptors) = (bytes, open.count)
  }

  /// Whether an allocation shows in the figures. None does under the address sanitizer, which has an allocator of its own.
  package static var isCounted: Bool {
    guard let before = HeldResources() else { return false }
    let large = UnsafeMutableRawPointer.allocate(byteCount: 1 << 26, alignment: 16)
    defer { large.deallocate() }
    // Other threads may free something at the same time, but not so much.
    return HeldResources().map { $0.bytes - before.bytes > 1 << 25 } ?? false
  }

  /// Resources that `body` leaves behind in each of some `calls`, as words; `nil` for none.
  ///
  /// The smallest block of `malloc` has 32 bytes; half of that in each call counts as a loss. Libraries fill tables at
  /// first, and the allocator keeps some free blocks for itself, which its figures don't tell apart. Both come to an
  /// end, a loss doesn't: the calls are repeated up to 100 times until nothing is lost.
  package static func lost(in calls: Int = 50, by body: () throws -> Void) rethrows -> String? {
    var words: String?
    for round in 0..<100 {
      let before = HeldResources()
      for _ in 0..<calls { try body() }
      guard let before, let after = HeldResources() else { return "nothing could be counted" }
      let bytes = after.bytes - before.bytes
      let open = after.descriptors - before.descriptors
      if bytes < 16 * calls, open == 0 { return nil }
      words = "\(calls) calls left \(bytes) bytes and \(open) descriptors behind"
      // That much is no table any more; the machine's memory isn't to be filled.
      if round > 0, bytes > 1 << 20 { break }
    }
    return words
  }

  /// Resources that `attempts` leave behind, all of which have to be refused.
  /// - Throws: ``ToolFailure`` when one isn't.
  package static func lost(byRefusing attempts: [() throws -> Any]) throws -> String? {
    try lost {
      for (index, attempt) in attempts.enumerated() {
        guard (try? attempt()) == nil else {
          throw ToolFailure(text: "attempt \(index + 1) should be refused")
        }
      }
    }
  }

  /// From glibc's `malloc_info`, which Swift doesn't import: what the kernel gave, less what lies free, and large blocks.
  private static func allocated() -> Int? {
    typealias Writer = @convention(c) (CInt, OpaquePointer) -> CInt
    var text: UnsafeMutablePointer<CChar>?
    var size = 0
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_info"),
      let stream = open_memstream(&text, &size)
    else { return nil }
    let code = unsafeBitCast(symbol, to: Writer.self)(0, OpaquePointer(stream))
    fclose(stream)
    defer { free(text) }
    guard code == 0, let text else { return nil }
    // The figures of all arenas stand at the end.
    let lines = String(cString: text).split(separator: "\n")
    func figure(_ start: String) -> Int? {
      lines.last { $0.hasPrefix(start) }?.split(separator: "\"").last { Int($0) != nil }.flatMap {
        Int($0)
      }
    }
    guard let given = figure("<system type=\"current\""),
      let quick = figure("<total type=\"fast\""),
      let rest = figure("<total type=\"rest\""), let large = figure("<total type=\"mmap\"")
    else { return nil }
    return given - quick - rest + large
  }
}
