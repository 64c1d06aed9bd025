// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

@testable import MediaIn
@testable import Platform

/// The hosts that an input may use.
@Suite struct HostPolicyTests {
  /// Names with their addresses, as a name server would give them.
  private static let names = [
    "media.example": ["93.184.216.34"], "cdn.example": ["2606:4700::1111"],
    "nas.home": ["192.168.1.5"], "mixed.example": ["93.184.216.34", "10.0.0.1"],
    "mapped.example": ["::ffff:127.0.0.1"], "cloud.example": ["169.254.169.254"],
  ]

  private func policy(_ listed: [String] = [], proxy: String? = nil) -> HostPolicy {
    HostPolicy(listed: listed, proxy: WebProxy(address: proxy, exceptions: nil)) { name in
      guard let found = HostPolicyTests.names[name] else { throw LookupFailure(detail: "unknown") }
      return found.compactMap { IPAddress($0) }
    }
  }

  private func admits(_ policy: HostPolicy, _ url: String, _ origin: HostPolicy.Origin) -> Bool {
    guard let address = WebAddress(url) else { return false }
    return (try? policy.admit(address, from: origin)) != nil
  }

  @Test(
    "IP addresses are public or private by their range, also where IPv6 carries IPv4",
    arguments: [
      ("10.0.0.1", false), ("10.255.255.255", false), ("9.255.255.255", true), ("11.0.0.0", true),
      ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false),
      ("172.32.0.0", true),
      ("192.167.255.255", true), ("192.168.0.0", false), ("192.169.0.0", true),
      ("127.0.0.1", false),
      ("127.255.255.255", false), ("128.0.0.0", true), ("169.253.0.0", true),
      ("169.254.169.254", false),
      ("169.255.0.0", true), ("100.63.255.255", true), ("100.64.0.0", false),
      ("100.127.255.255", false),
      ("100.128.0.0", true), ("0.0.0.0", false), ("0.1.2.3", false), ("198.17.255.255", true),
      ("198.18.0.0", false), ("198.19.255.255", false), ("198.20.0.0", true), ("192.0.2.1", false),
      ("203.0.113.9", false), ("224.0.0.1", false), ("239.1.1.1", false), ("240.0.0.1", false),
      ("255.255.255.255", false), ("8.8.8.8", true), ("223.255.255.255", true), ("::1", false),
      ("::", false), ("fe80::1", false), ("febf::1", false), ("fec0::1", false), ("fc00::1", false),
      ("fdff::1", false), ("ff02::1", false), ("2001:db8::1", false), ("2001:0:1::1", false),
      ("2606:4700::1111", true), ("2a00:1450::1", true), ("::ffff:10.0.0.1", false),
      ("::ffff:8.8.8.8", true), ("::127.0.0.1", false), ("64:ff9b::7f00:1", false),
      ("64:ff9b::808:808", true), ("2002:7f00:1::", false), ("2002:808:808::", true),
      // An address that 6to4 carries lies right behind its first two bytes.
      ("2002:a00:808:808::", false), ("2002:808:a00::", true), ("2002:ac10:101:808::", false),
      ("4000::1", false), ("3fff::1", false),
    ])
  func addressesArePublicOrPrivate(text: String, isOpen: Bool) throws {
    let address = try #require(IPAddress(text))
    #expect((AddressScope(address) == .open) == isOpen)
  }

  @Test("127.1, 0x7f000001 and other numeric forms are 127.0.0.1, and host names are no addresses")
  func whatLooksLikeANameMayBeAnAddress() throws {
    for text in ["127.1", "0x7f000001", "2130706433", "017700000001"] {
      #expect(IPAddress(text)?.bytes == [127, 0, 0, 1], "\(text)")
    }
    for text in ["localhost", "media.example", "", "1.2.3.4.5", "256.1.1.1"] {
      #expect(IPAddress(text) == nil, "\(text)")
    }
    #expect(IPAddress("::1")?.authority == "[0:0:0:0:0:0:0:1]")
    #expect(IPAddress("10.0.0.1")?.authority == "10.0.0.1")
  }

  /// Given URL, listed hosts, a further URL, whether that is used.
  @Test(
    "a further host is used where the given URL or --hosts allows",
    arguments: [
      ("http://media.example/", [], "http://cdn.example/", true),
      ("http://media.example/", [], "http://media.example:8080/", true),
      ("http://media.example/", [], "http://nas.home/", false),
      ("http://media.example/", [], "http://mixed.example/", false),
      ("http://media.example/", [], "http://mapped.example/", false),
      ("http://media.example/", [], "http://cloud.example/", false),
      ("http://media.example/", [], "http://10.0.0.1/", false),
      ("http://media.example/", [], "http://127.1/", false),
      ("http://media.example/", [], "http://[::1]/", false),
      ("http://media.example/", ["nas.home"], "http://nas.home/", true),
      ("http://media.example/", ["nas.home"], "http://NAS.home./", true),
      ("http://media.example/", ["nas.home"], "http://cdn.example/", false),
      ("http://media.example/", ["nas.home"], "http://media.example/", true),
      ("http://media.example/", ["192.168.1.5"], "http://nas.home/", false),
      ("http://media.example/", ["*.example"], "http://cdn.example/", true),
      ("http://media.example/", ["*.example"], "http://mixed.example/", false),
      ("http://media.example/", ["*.dn.example"], "http://cdn.example/", false),
      ("http://media.example/", ["::1"], "http://[0:0:0:0:0:0:0:1]/", true),
      ("http://nas.home/", [], "http://nas.home/", true),
      ("http://nas.home/", [], "http://nas.home:81/", true),
      ("http://nas.home/", [], "http://192.168.1.5/", false),
      ("http://nas.home/", [], "http://10.0.0.1/", false),
      ("http://nas.home/", [], "http://cdn.example/", true),
      ("http://nas.home/", ["10.0.0.1"], "http://10.0.0.1/", true),
      ("http://nas.home/", ["10.0.0.1"], "http://cdn.example/", false),
    ]) func hostsAreUsedByTheLaw(given: String, listed: [String], further: String, isUsed: Bool)
  {
    for origin in [HostPolicy.Origin.redirect, .playlist] {
      let policy = policy(listed)
      #expect(admits(policy, given, .user))
      #expect(admits(policy, further, origin) == isUsed)
    }
  }

  @Test("a playlist without a given URL uses public hosts, or only the listed ones")
  func withoutAGivenURLNothingPrivateIsUsed() {
    #expect(!admits(policy(), "http://nas.home/", .playlist))
    #expect(admits(policy(), "http://media.example/", .playlist))
    #expect(admits(policy(["nas.home"]), "http://nas.home/", .playlist))
    #expect(!admits(policy(["nas.home"]), "http://media.example/", .playlist))
  }

  @Test("a host whose address becomes private is refused from then on")
  func aNameThatBecomesPrivateIsntUsedAnyMore() throws {
    var addresses = ["93.184.216.34"]
    let policy = HostPolicy(listed: [], proxy: WebProxy(address: nil, exceptions: nil)) { _ in
      addresses.compactMap { IPAddress($0) }
    }
    #expect(admits(policy, "http://media.example/list.m3u8", .user))
    addresses = ["127.0.0.1"]
    #expect(!admits(policy, "http://media.example/s.ts", .playlist))
    #expect(!admits(policy, "http://media.example/list.m3u8", .user))
  }

  @Test("a proxy is left to look up unknown names, and private addresses are refused before it")
  func aProxyLooksUpNamesButNotAddresses() throws {
    let policy = policy(proxy: "http://proxy.example:3128")
    let media = try #require(WebAddress("http://unknown.example/"))
    #expect(try policy.admit(media, from: .user).isEmpty)
    for host in ["10.0.0.1", "127.1", "localhost", "a.localhost", "[::1]"] {
      #expect(!admits(policy, "http://\(host)/", .redirect), "\(host)")
    }
  }

  @Test("a proxy applies to hosts outside its exceptions, and only with an http address")
  func proxiesApplyAsInLibavformat() {
    let proxy = WebProxy(address: "http://p:1", exceptions: "a.example, .b.example *.c.example")
    for host in ["a.example", "x.a.example", "b.example", "x.b.example", "x.c.example"] {
      #expect(!proxy.applies(to: host), "\(host)")
    }
    for host in ["d.example", "xa.example"] { #expect(proxy.applies(to: host), "\(host)") }
    #expect(!WebProxy(address: "http://p:1", exceptions: "*").applies(to: "d.example"))
    #expect(!WebProxy(address: nil, exceptions: nil).applies(to: "d.example"))
    #expect(!WebProxy(address: "socks://p:1", exceptions: nil).applies(to: "d.example"))
  }

  @Test("names, wildcards and addresses are accepted as listed hosts, and URLs and ports are not")
  func listedHostsAreChecked() {
    for host in ["a", "a.example", "*.a.example", "10.0.0.1", "::1", "[::1]"] {
      #expect(InputBounds.isHost(host), "\(host)")
    }
    for host in ["", "*", "*.", "http://a", "a:80", "a/b", "u@a", "a*b", "*.*.a", "a b"] {
      #expect(!InputBounds.isHost(host), "\(host)")
    }
  }
}
