// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform

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
  /// An argument that is the path of a file counts by the file's bytes. A file that Pinna wrote is no input for this: it
  /// changes with Pinna, and the store would keep all of it.
  /// - Throws: ``ToolFailure`` where ffmpeg fails, and where arguments name files that can't be seen here: a list of
  ///   files, a file inside a filter's text, a second output.
  package static func ffmpeg(_ arguments: [String]) throws {
    guard let output = arguments.last, !output.contains("%"),
      ![".m3u8", ".mpd"].contains(where: output.hasSuffix)
    else {
      throw ToolFailure(text: "not one output alone; call Tool.ffmpeg")
    }
    var digest = Digest(.sha256)
    // A length before each part keeps parts apart.
    func add(_ part: Data) {
      digest.update(Array("\(part.count) ".utf8))
      part.withUnsafeBytes { digest.update($0) }
    }
    add(try version.get())
    for argument in arguments.dropLast() {
      let isPath = argument.hasPrefix("/")
      if isPath, !argument.hasSuffix(".m3u8"),
        let bytes = FileManager.default.contents(atPath: argument)
      {
        add(bytes)
      } else if isPath || argument == "concat" || argument.contains("/pinna-test-") {
        throw ToolFailure(text: "\(argument) isn't an input alone; call Tool.ffmpeg")
      } else {
        add(Data(argument.utf8))
      }
    }
    let ending = URL(fileURLWithPath: output).pathExtension
    let kept = folder.appending(path: "\(digest.hexadecimal).\(ending)")
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
