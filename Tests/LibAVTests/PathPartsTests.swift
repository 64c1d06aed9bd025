// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing

/// Paths count by their bytes, as the kernel reads them.
@Suite struct PathPartsTests {
  /// A slash that `Character` takes for another one, because a mark stands behind it.
  private static let marked = "/\u{338}"
  /// One that `Character` takes for a part of what stands in front.
  private static let hidden = "\u{600}/"

  @Test(
    "parts of paths are those of the kernel",
    arguments: [
      ("/a/\u{E9}/x", "/a/\u{E9}", "x"), ("/a/\u{E9}/x", "/a/e\u{301}", nil), ("/a/b", "/", "a/b"),
      ("/a/\u{301}b", "/a", "\u{301}b"), ("/ab/c", "/a", nil), ("/a", "/a", nil),
      ("/a/b/c", "/a/b/", "c"),
    ] as [(String, String, String?)])
  func restsOfPaths(path: String, folder: String, rest: String?) {
    let found = PathParts.rest(of: path, below: folder)
    #expect(found.map { Array($0.utf8) } == rest.map { Array($0.utf8) })
  }

  @Test(
    "each slash separates, whatever stands beside it",
    arguments: [
      ("/a/b", ["a", "b"], "/a", "b"), ("a//b/", ["a", "b"], "a//b", ""), ("a", ["a"], ".", "a"),
      ("/a", ["a"], "/", "a"),
      ("a\(PathPartsTests.marked)/..", ["a", "\u{338}", ".."], "a/\u{338}", ".."),
      ("..\(PathPartsTests.marked)b", ["..", "\u{338}b"], "..", "\u{338}b"),
      ("x\(PathPartsTests.hidden)..", ["x\u{600}", ".."], "x\u{600}", ".."), ("", [], ".", ""),
    ] as [(String, [String], String, String)])
  func slashesSeparate(path: String, parts: [String], folder: String, name: String) {
    #expect(bytes(PathParts.of(path)) == bytes(parts))
    #expect(
      bytes([PathParts.folder(of: path), PathParts.split(path).name]) == bytes([folder, name]))
  }

  @Test(
    "a slash makes a path, in front an absolute one, at the end a folder",
    arguments: ["/", PathPartsTests.marked])
  func slashesAreSeen(slash: String) {
    #expect(PathParts.hasFolder("a\(slash)b") && !PathParts.hasFolder("ab"))
    #expect(PathParts.isAbsolute("\(slash)b") && !PathParts.isAbsolute("b\(slash)"))
    #expect(PathParts.endsInSlash("a\(PathPartsTests.hidden)") && !PathParts.endsInSlash("/a"))
  }

  @Test(
    "a path below a folder is spelled with one slash between, and an absolute one stays",
    arguments: [
      ("a", "b", "a/b"), ("a/", "b", "a/b"), ("/", "b", "/b"), ("a", "/b", "/b"),
      ("a", "\(PathPartsTests.marked)b", "\(PathPartsTests.marked)b"),
      ("a\(PathPartsTests.hidden)", "b", "a\(PathPartsTests.hidden)b"),
    ])
  func pathsAreJoined(folder: String, path: String, whole: String) {
    #expect(bytes([PathParts.joined(folder, path)]) == bytes([whole]))
  }

  @Test(
    "dots are resolved as text, and a relative path that leads above its start is refused",
    arguments: [
      ("a/./b//c", ["a", "b", "c"]), ("a/../b", ["b"]), ("..", nil), ("a/../../b", nil), ("", []),
      ("/../a", ["a"]), ("a\(PathPartsTests.marked)/../..", []),
      ("a\(PathPartsTests.hidden)..", []),
    ] as [(String, [String]?)])
  func dotsAreResolved(path: String, parts: [String]?) {
    #expect(PathParts.normalized(path) == parts)
  }

  @Test("a relative path begins at its folder and may leave it, an absolute one doesn't")
  func pathsBeginAtAFolder() {
    #expect(PathParts.normalized("../c", below: ["a", "b"]) == ["a", "c"])
    #expect(PathParts.normalized("../../..", below: ["a", "b"]) == nil)
    #expect(PathParts.normalized("/c", below: ["a", "b"]) == ["c"])
  }

  @Test("a user's folder is the one that a variable names, if it is absolute, or the usual one")
  func usersFolders() {
    func folders(_ environment: [String: String]) -> [String] {
      UserFolders.of("XDG_DATA_HOME", usual: ".local/share", environment)
    }
    #expect(folders(["XDG_DATA_HOME": "/d", "HOME": "/h"]) == ["/d", "/h/.local/share"])
    #expect(folders(["XDG_DATA_HOME": "d", "HOME": "/h"]) == ["/h/.local/share"])
    #expect(folders(["XDG_DATA_HOME": "", "HOME": "h"]).isEmpty)
    // Services run with an empty one, which isn't the root of the file system.
    #expect(folders(["HOME": ""]).isEmpty)
  }

  private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}
