// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Places that a playlist may name.
@Suite struct ResourceAddressTests {
  /// Codes that are broken stay as they are; a sign isn't a digit.
  @Test(
    "percent codes are decoded, and broken ones stay as they are",
    arguments: [
      ("a%20b", "a b"), ("%C3%a9", "é"), ("%+1", "%+1"), ("%-1", "%-1"), ("%4", "%4"),
      ("%zz%", "%zz%"),
    ])
  func percentEncodingIsDecoded(text: String, plain: String) {
    #expect(String(decoding: PercentEncoding.decoded(text), as: UTF8.self) == plain)
  }

  @Test(
    "relative names in a local playlist are files beside it, without query and fragment",
    arguments: [
      ("seg.ts", "show/hls/seg.ts"), ("./a/seg.ts", "show/hls/a/seg.ts"),
      ("a/../seg.ts", "show/hls/seg.ts"), ("a%20b.ts", "show/hls/a b.ts"),
      ("seg.ts?x=1#f", "show/hls/seg.ts"),
    ])
  func relativeNamesAreFilesBesideTheList(reference: String, path: String) throws {
    let list = ResourceAddress.localPlaylist("show/hls/list.m3u8")
    #expect(try list.resolving(reference).name == path)
  }

  @Test("a file whose name has a percent code is taken before the decoded name")
  func aNameAsItIsGoesBeforeItsDecodedForm() throws {
    let folder = try TemporaryFolder()
    try Data([1]).write(to: folder.url("a%20b.ts"))
    let list = ResourceAddress.localPlaylist(folder.file("list.m3u8"))
    #expect(try list.resolving("a%20b.ts").name == folder.path + "/a%20b.ts")
  }

  @Test("a playlist in a subfolder reaches the first playlist's folder, and nothing above it")
  func aListInAFolderBelowStillReachesItsSiblings() throws {
    let list = ResourceAddress.localPlaylist("show/list.m3u8")
    let inner = try list.resolving("en/list.m3u8")
    #expect(try inner.resolving("../common/seg.ts").name == "show/common/seg.ts")
    #expect(throws: MediaError.self) { try inner.resolving("../../seg.ts") }
  }

  @Test(
    "names in a local playlist that lead out of its folder or to other schemes are refused",
    arguments: [
      "/etc/passwd", "../secret.wav", "a/../../secret.wav", "%2e%2e/secret.wav", "%2Fetc/passwd",
      "file:///etc/passwd", "file:seg.ts", "data:audio/wav;base64,AA", "ftp://a/b", "", "..", ".",
      "a\0b", "a%00b", "../\u{301}a/secret.wav",
    ])
  func aLocalListStaysInItsFolder(reference: String) {
    for path in ["list.m3u8", "show/list.m3u8", "/show/list.m3u8"] {
      let error = #expect(throws: MediaError.self) {
        try ResourceAddress.localPlaylist(path).resolving(reference)
      }
      #expect(error?.kind == .inputUnreadable)
    }
  }

  @Test("a local playlist may name an https address")
  func theWebIsNamedInFull() throws {
    let list = ResourceAddress.localPlaylist("list.m3u8")
    #expect(try list.resolving("https://a/seg.ts").name == "https://a/seg.ts")
  }

  @Test(
    "file and other URLs in a playlist of the web are refused, and paths stay on its host",
    arguments: ["file:///etc/passwd", "file:seg.ts", "data:,x", "rtmp://a/b"])
  func aListOfTheWebNeverLeadsToFiles(reference: String) throws {
    let list = ResourceAddress.web(try #require(WebAddress("http://a/x/list.m3u8")))
    #expect(throws: MediaError.self) { try list.resolving(reference) }
    #expect(try list.resolving("/etc/passwd").name == "http://a/etc/passwd")
    #expect(try list.resolving("../../../etc/passwd").name == "http://a/etc/passwd")
  }
}
