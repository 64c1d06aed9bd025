// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

@Suite struct WebAddressTests {
  /// RFC 3986, 5.4.1 and 5.4.2, without fragments, which are never sent.
  static let references = [
    ("g", "b/c/g"), ("./g", "b/c/g"), ("g/", "b/c/g/"), ("/g", "g"), ("?y", "b/c/d;p?y"),
    ("g?y", "b/c/g?y"), ("#s", "b/c/d;p?q"), ("g#s", "b/c/g"), ("g?y#s", "b/c/g?y"),
    (";x", "b/c/;x"), ("g;x", "b/c/g;x"), ("", "b/c/d;p?q"), (".", "b/c/"), ("./", "b/c/"),
    ("..", "b/"), ("../", "b/"), ("../g", "b/g"), ("../..", ""), ("../../", ""), ("../../g", "g"),
    ("../../../g", "g"), ("../../../../g", "g"), ("/./g", "g"), ("/../g", "g"), ("g.", "b/c/g."),
    (".g", "b/c/.g"), ("g..", "b/c/g.."), ("..g", "b/c/..g"), ("./../g", "b/g"),
    ("./g/.", "b/c/g/"), ("g/./h", "b/c/g/h"), ("g/../h", "b/c/h"), ("g;x=1/./y", "b/c/g;x=1/y"),
    ("g;x=1/../y", "b/c/y"), ("g?y/./x", "b/c/g?y/./x"),
  ]

  @Test("references resolve as in RFC 3986, 5.4.1 and 5.4.2", arguments: references)
  func referencesResolveByTheStandard(reference: String, path: String)
    throws
  {
    let base = try #require(WebAddress("http://a/b/c/d;p?q"))
    #expect(base.resolving(reference)?.text == "http://a/" + path)
  }

  @Test("references to other hosts resolve without credentials, and other schemes don't resolve")
  func otherHostsAndSchemes() throws {
    let base = try #require(WebAddress("https://user:pw@a:81/b?token=1"))
    #expect(base.resolving("//g/x")?.text == "https://g/x")
    #expect(base.resolving("HTTP://h")?.text == "http://h/")
    #expect(base.resolving("c")?.text == "https://user:pw@a:81/c")
    for other in [
      "file:///etc/passwd", "data:text/plain,x", "ftp://a/b", "g:h", "http:x", "http://",
    ] {
      #expect(base.resolving(other) == nil, "\(other)")
    }
  }

  @Test("an address shown to people has no credentials") func whatPeopleSeeHasNoCredentials() {
    let shown = WebAddress.withoutCredentials
    #expect(shown("https://user:p@ss@host:1/a?token=x#f") == "https://host:1/a?token=***")
    #expect(shown("https://host/a") == "https://host/a")
    #expect(shown("dir/user@host/a.wav") == "dir/user@host/a.wav")
  }

  @Test(
    "characters that no URL has are percent-encoded, and texts without a valid host are refused")
  func nothingThatIsNoURLReachesARequest() {
    #expect(WebAddress("http://a/b c\r\nX: y")?.text == "http://a/b%20c%0D%0AX:%20y")
    #expect(WebAddress("http://a/ü?ö")?.text == "http://a/%C3%BC?%C3%B6")
    #expect(WebAddress("http://a/%20")?.text == "http://a/%20")
    // With a mark behind them, these are other characters in Swift, but not for a server.
    let marked = WebAddress("http://a/b/\u{301}../c?\u{301}x#\u{301}y")
    #expect(marked?.text == "http://a/b/%CC%81../c?%CC%81x")
    #expect(marked?.path == "/b/%CC%81../c" && marked?.query == "%CC%81x")
    for bad in [
      "http://", "http:///x", "http://a b/", "http://a\r\n/", "a/b.wav", "http:/a", "http://:80/",
      "http://user@/", "", ":", "http",
    ] { #expect(WebAddress(bad) == nil, "\(bad)") }
  }
}
