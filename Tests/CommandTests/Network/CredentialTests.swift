// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// User, password and tokens of URLs go to their own host, and nowhere else.
@Suite(.tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
struct CredentialTests {
  private let lab: AdversaryLab
  private let secrets = ["pa55word", "t0k3n", "s1gnature"]

  init() throws { lab = try AdversaryLab() }

  private func url(_ name: String) -> String {
    lab.filled("{http}").replacing("http://", with: "http://me:pa55word@")
      + "/\(name)?token=t0k3n&X-Amz-Signature=0123456789s1gnature0123456789"
  }

  /// The secrets in the files of `folder` and in their names, `list` left out.
  private func leaks(in folder: String) throws -> [String] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.filter { name in
      let data = FileManager.default.contents(atPath: folder + "/" + name) ?? Data()
      let text = String(decoding: data, as: UTF8.self)
      return secrets.contains { text.contains($0) || name.contains($0) }
    }
  }

  private func leaks(of arguments: [String]) throws -> [String] {
    let result = try lab.run(arguments)
    let said = String(decoding: result.output, as: UTF8.self) + result.errors
    return secrets.filter { said.contains($0) }
  }

  @Test("no command prints or writes a URL's password, token or signature")
  func noCommandPrintsOrWritesThem() throws {
    let folder = try TemporaryFolder()
    for name in ["files/a.wav", "files/gone.wav"] {
      let url = url(name)
      for command in [
        ["probe", url], ["probe", "--json", url], ["measure", url], ["measure", "--json", url],
        ["measure", "--progress", "ndjson", url], ["compare", url, url], ["validate", url],
        ["queue", "show", url],
        ["render", url, "-o", folder.file("dry.wav"), "--dry-run", "--json"],
        [
          "render", url, "-o", folder.file("a.wav"), "-y", "--report", folder.file("r.json"),
          "--progress",
          "ndjson",
        ], ["audition", url, "-o", folder.file("a.html"), "-y"],
      ] { #expect(try leaks(of: command).isEmpty, "\(command)") }
    }
    #expect(
      try lab.run(["report", folder.file("r.json"), "-o", folder.file("r.html")]).status == 0)
    #expect(FileManager.default.fileExists(atPath: folder.file("a.html")))
    #expect(try leaks(in: folder.path).isEmpty)
  }

  @Test("no batch prints or writes a URL's password, token or signature")
  func noBatchPrintsOrWritesThem() throws {
    let folder = try TemporaryFolder()
    let list = lab.folder.file("list.txt")
    let other = url("a.wav") + "1"
    try Data("\(url("a.wav"))\n\(url("gone.wav"))\n\(other)\n".utf8).write(
      to: lab.folder.url("list.txt"))
    let arguments = [
      "batch", "--input-list", list, "-O", folder.file("out"), "--report", folder.file("b.json"),
      "--name", "{endpoint}/{id}.{ext}",
    ]
    #expect(try leaks(of: arguments).isEmpty)
    #expect(try leaks(in: folder.path).isEmpty)
    #expect(!folder.contents.isEmpty)
  }

  @Test("a sentence about a playlist's URL holds no secret of the URL")
  func theyAreNamedBySentencesAboutPlaylistsNeither() throws {
    for segment in [
      "ftp://me:pa55word@x/a?token=t0k3n", "http://me:pa55word@10.0.0.1/a?token=t0k3n",
    ] {
      let list = AdversaryCase.playlist(segment).replacing("/N/", with: "/named/")
      #expect(try leaks(of: ["probe", list]).isEmpty)
    }
  }

  @Test("user and password go to the URL's own host, and to no other")
  func theyGoToTheirOwnHostAlone() throws {
    let server = lab.filled("{http}").replacing("http://", with: "http://me:pa55word@")
    let basic = "Basic_bWU6cGE1NXdvcmQ="
    func said(_ name: String, _ target: String, _ options: [String] = []) throws -> [String] {
      let url = AdversaryCase.redirect(target, from: server).replacing("/N/", with: "/\(name)/")
      let result = try lab.run(["probe", url] + options)
      #expect(result.status == 0, "\(result.errors)")
      return try lab.server.answers(to: "/\(name)").map(\.authorization)
    }
    #expect(try said("same", "/same/a.wav") == [basic, basic])
    #expect(try said("full", "{http}/full/a.wav") == [basic, basic])
    #expect(
      try said("other", "{localhost}/other/a.wav", ["--allow-hosts", "localhost"]) == [basic, "-"])
    // Segments beside the playlist get them, those of another host don't.
    for (name, segment, second) in [
      ("near", "a.wav", basic), ("far", "{localhost}/far/a.wav", "-"),
    ] {
      let list = AdversaryCase.playlist(segment, from: server).replacing("/N/", with: "/\(name)/")
      #expect(try lab.run(["probe", list, "--allow-hosts", "localhost"]).status == 0)
      #expect(try lab.server.answers(to: "/\(name)/").map(\.authorization).last == second)
    }
  }
}
