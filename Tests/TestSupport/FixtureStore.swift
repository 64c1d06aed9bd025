import Foundation

/// Files that ffmpeg makes for tests, kept under `.build/fixtures` from one run to the next.
///
/// A file's name is the digest of FFmpeg's version, of the arguments and of the bytes of all inputs. Tests and
/// processes may ask for one file at a time: a file appears whole, by renaming.
package enum FixtureStore {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/fixtures")
  private static let version = Result { try Tool.run("ffmpeg", ["-version"]).output }

  /// Does what ``Tool/ffmpeg(_:)`` does with `arguments`, whose last one is the only output; runs ffmpeg only where no
  /// run before made that file.
  ///
  /// An argument that is the path of a file counts by the file's bytes. What Pinna wrote is no input for this: it
  /// changes with Pinna, and the store would keep all of it.
  /// - Throws: ``ToolFailure`` where ffmpeg fails, and where arguments name files that can't be seen here: a list of
  ///   files, a file inside a filter's text, a second output.
  package static func ffmpeg(_ arguments: [String]) throws {
    guard let output = arguments.last, !output.contains("%"),
      ![".m3u8", ".mpd"].contains(where: output.hasSuffix)
    else {
      throw ToolFailure(text: "not one output alone; call Tool.ffmpeg")
    }
    var digest = FNV128()
    digest.add(try version.get())
    for argument in arguments.dropLast() {
      let isPath = argument.hasPrefix("/")
      if isPath, !argument.hasSuffix(".m3u8"),
        let bytes = FileManager.default.contents(atPath: argument)
      {
        digest.add(bytes)
      } else if isPath || argument == "concat" || argument.contains("/pinna-test-") {
        throw ToolFailure(text: "\(argument) isn't an input alone; call Tool.ffmpeg")
      } else {
        digest.add(Data(argument.utf8))
      }
    }
    let ending = URL(fileURLWithPath: output).pathExtension
    let kept = folder.appending(path: "\(digest.text).\(ending)")
    if !FileManager.default.fileExists(atPath: kept.path) {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let fresh = folder.appending(path: "\(UUID().uuidString).\(ending)")
      defer { try? FileManager.default.removeItem(at: fresh) }
      try Tool.ffmpeg(arguments.dropLast() + [fresh.path])
      guard rename(fresh.path, kept.path) == 0 else {
        throw ToolFailure(text: "\(kept.path) can't be made")
      }
    }
    // A copy of its own, so that a test may change it.
    try? FileManager.default.removeItem(atPath: output)
    try FileManager.default.copyItem(atPath: kept.path, toPath: output)
  }
}

/// The hash FNV-1a of 128 bits over parts whose lengths count.
private struct FNV128 {
  private var state: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

  mutating func add(_ part: Data) {
    add(UInt64(part.count))
    part.withUnsafeBytes { bytes in
      // Eight bytes a step; what is left of them is filled up with zeros.
      for place in stride(from: 0, to: bytes.count, by: 8) {
        var word: UInt64 = 0
        withUnsafeMutableBytes(of: &word) {
          $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[place...].prefix(8)))
        }
        add(word)
      }
    }
  }

  private mutating func add(_ word: UInt64) {
    state = (state ^ UInt128(word)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
  }

  var text: String { String(state, radix: 16) }
}
