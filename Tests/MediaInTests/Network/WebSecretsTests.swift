// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// URLs as people see them.
@Suite struct WebSecretsTests {
  @Test(
    "passwords and tokens of an address are hidden",
    arguments: [
      ("https://user:p@ss@host:1/a?token=x#f", "https://host:1/a?token=***"),
      (
        "https://h/a?X-Amz-Credential=A&X-Amz-Date=1&x-amz-signature=ab",
        "https://h/a?X-Amz-Credential=***&X-Amz-Date=1&x-amz-signature=***"
      ),
      (
        "https://h/a?sig=1&Key-Pair-Id=2&Policy=3&st=4",
        "https://h/a?sig=***&Key-Pair-Id=***&Policy=***&st=4"
      ),
      ("https://h/a?u=0123456789abcdef&v=2", "https://h/a?u=***&v=2"),
      ("https://h/a?0123456789abcdef", "https://h/a?***"),
      ("https://h/a?token=", "https://h/a?token="),
      ("https://h/a?a=b=c&&d", "https://h/a?a=b=c&&d"),
      ("ftp://u:p@h/a?auth=1", "ftp://h/a?auth=***"),
      ("https://user:pa/ss@host/a", "https://host/a"),
      ("https://user:p?a#ss@host/a?x=1", "https://host/a?x=1"),
      ("https://h/a?x=1;token=ab&y=2;sig=3", "https://h/a?x=1;token=***&y=2;sig=***"),
      ("https://h:80/x@y", "https://h:80/x@y"), ("https://[::1]/x@y", "https://[::1]/x@y"),
      ("https://h/a?next=//u:p@x", "https://h/a?next=//u:p@x"),
      ("rtmp://u@h", "rtmp://h"), ("https://h/x@y?z", "https://h/x@y?z"),
    ]) func whatGivesAccessIsHidden(text: String, shown: String)
  {
    #expect(WebSecrets.shown(text) == shown)
    let error = MediaError(.inputMissing, about: text, "isn't there")
    #expect(error.message == shown + ": isn't there" && error.subject == shown)
    if let address = WebAddress(text), text.hasPrefix("http") {
      #expect(address.publicText == shown.replacing("https://h?", with: "https://h/?"))
    }
  }

  @Test(
    "a text that is no URL stays as written",
    arguments: ["dir/user@host/a.wav?token=1", "a b://x?token=1", "://x?token=1", "-", ""])
  func whatIsNoURLStaysAsItIs(text: String) { #expect(WebSecrets.shown(text) == text) }

  @Test("credentials are carried to the same scheme, host and port only")
  func credentialsGoToTheSameServerOnly() throws {
    let base = try #require(WebAddress("http://me:p%40ss@host/a"))
    #expect(base.credentials == Array("me:p@ss".utf8))
    #expect(WebAddress("http://me@host/")?.credentials == Array("me:".utf8))
    #expect(WebAddress("http://@host/")?.credentials == nil)
    for (target, isSame) in [
      ("http://host/b", true), ("http://HOST:80/b", true), ("http://host:81/b", false),
      ("https://host/b", false), ("http://other/b", false),
    ] {
      let moved = try #require(base.resolving(target)).carryingCredentials(of: base)
      #expect((moved.credentials != nil) == isSame, "\(target)")
      #expect(moved.textWithoutCredentials == WebAddress(target)?.text)
    }
    let own = try #require(base.resolving("http://you:x@host/b"))
    #expect(own.carryingCredentials(of: base).credentials == Array("you:x".utf8))
  }

  @Test("hosts and ports are read with their defaults, and impossible ones are refused")
  func portsAndHostsAreChecked() {
    for (text, host, port) in [
      ("http://a/", "a", 80), ("https://a", "a", 443), ("http://a:8080/", "a", 8080),
      ("http://[::1]/", "[::1]", 80), ("http://u:1@[::1]:81/", "[::1]", 81),
      ("http://a:/", "a", 80),
    ] {
      #expect(WebAddress(text)?.host == host && WebAddress(text)?.port == port, "\(text)")
    }
    for text in [
      "http://a:0/", "http://a:65536/", "http://a:x/", "http://a:80:80/", "http://::1/",
      "http://[fe80::1%25eth0]/", "http://a%2eb/",
    ] { #expect(WebAddress(text) == nil, "\(text)") }
  }
}
