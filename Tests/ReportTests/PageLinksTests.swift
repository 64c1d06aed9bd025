// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Report

/// Links lead from the page's folder to the file, whatever its name.
@Suite struct PageLinksTests {
  private let links = PageLinks(folder: "/home/me/pages", current: "/home/me")

  @Test(
    "links of a page are relative and percent-encoded",
    arguments: [
      ("out/film.wav", "../out/film.wav"), ("/home/me/pages/film.wav", "film.wav"),
      ("./pages/../pages/a/b.wav", "a/b.wav"), ("/srv/x.wav", "../../../srv/x.wav"),
      ("javascript:alert(1)", "../javascript%3Aalert%281%29"),
      ("pages/a b?c#d%e\"<'>&.wav", "a%20b%3Fc%23d%25e%22%3C%27%3E%26.wav"),
      ("pages/映.wav", "%E6%98%A0.wav"), ("pages/http://b.example/x", "http%3A/b.example/x"),
    ])
  func areRelativeAndEncoded(path: String, address: String) {
    #expect(links(path) == address)
  }

  @Test("a missing file has no link") func whatIsNotThereHasNone() {
    #expect(links("-") == nil && links("") == nil)
    #expect(PageLinks.none("film.wav") == nil)
    let some = PageLinks(folder: "/a", current: "/a") { $0 == "/a/here.wav" }
    #expect(some("here.wav") == "here.wav" && some("gone.wav") == nil)
  }
}
