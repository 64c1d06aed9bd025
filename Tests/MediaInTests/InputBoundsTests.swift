// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// The places that an input may open can be limited.
@Suite struct InputBoundsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["in", "other"] {
      try FileManager.default.createDirectory(
        at: folder.url(name), withIntermediateDirectories: true)
      try WAVBytes.pcm16([[1, 2, 3]], rate: 8000).write(to: folder.url(name + "/a.wav"))
    }
  }

  private func failure(_ path: String, _ bounds: InputBounds) -> MediaError? {
    do {
      let input = try MediaInput(path: path, bounds: bounds, log: DiagnosticLog())
      for section in input.presentation?.sections ?? [] {
        _ = try input.presentation?.open(section)
      }
      return nil
    } catch { return error as? MediaError }
  }

  private func inside() -> InputBounds {
    var bounds = InputBounds()
    bounds.root = folder.file("in")
    return bounds
  }

  @Test("files and links within decoding.bounds.root are read")
  func filesInsideTheRootAreRead() throws {
    #expect(failure(folder.file("in/a.wav"), inside()) == nil)
    let link = folder.file("in/link.wav")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.wav")
    #expect(failure(link, inside()) == nil)
  }

  @Test("files outside decoding.bounds.root are refused, also by a link or a path with .. in it")
  func filesOutsideTheRootAreRefused() throws {
    let link = folder.file("in/link.wav")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "../other/a.wav")
    for path in [link, folder.file("other/a.wav"), folder.file("in/../other/a.wav")] {
      let error = failure(path, inside())
      #expect(error?.kind == .inputUnreadable)
      #expect(error?.message.contains("decoding.bounds.root") == true)
    }
    #expect(failure(link, InputBounds()) == nil)
    // A folder whose name only begins like the root's.
    try FileManager.default.copyItem(at: folder.url("other"), to: folder.url("inner"))
    #expect(failure(folder.file("inner/a.wav"), inside())?.kind == .inputUnreadable)
  }

  @Test("files named by a playlist keep to the same bounds") func whatAPlaylistNamesIsBoundedToo()
    throws
  {
    let link = folder.file("in/link.wav")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "../other/a.wav")
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nlink.wav\n#EXT-X-ENDLIST\n"
    try Data(text.utf8).write(to: folder.url("in/list.m3u8"))
    #expect(failure(folder.file("in/list.m3u8"), InputBounds()) == nil)
    let error = failure(folder.file("in/list.m3u8"), inside())
    #expect(error?.message.contains("decoding.bounds.root") == true)
  }

  @Test(
    "offline, a URL and a playlist's URL are refused, and the error names decoding.bounds.isOffline"
  )
  func offlineNothingIsFetched() throws {
    var bounds = InputBounds()
    bounds.isOffline = true
    let error = failure("http://127.0.0.1:9/a.wav", bounds)
    #expect(error?.kind == .inputUnreadable)
    #expect(error?.message.contains("decoding.bounds.isOffline") == true)
    let text =
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/x.ts\n"
      + "#EXT-X-ENDLIST\n"
    try Data(text.utf8).write(to: folder.url("in/list.m3u8"))
    #expect(
      failure(folder.file("in/list.m3u8"), bounds)?.message.contains("decoding.bounds.isOffline")
        == true)
  }
}
