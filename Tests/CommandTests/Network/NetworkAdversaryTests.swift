// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// The network as an adversary: whatever a server does, Pinna ends with the right exit code and one sentence, and takes no
/// more bytes than its bounds say.
@Suite(.tags(.system), .fullRunOnly, .enabled(if: LoopbackServer.isPresent, "python3 is not here"))
struct NetworkAdversaryTests {
  private let lab: AdversaryLab

  init() throws { lab = try AdversaryLab() }

  @Test("a redirection to another scheme, or to a host that isn't allowed, is refused")
  func redirectionsStayWhereTheyMay() {
    #expect(lab.faults(of: AdversaryCase.redirections).isEmpty)
  }

  @Test("a redirection to a private address is refused")
  func privateAddressesArentReached() {
    #expect(lab.faults(of: AdversaryCase.privateAddresses).isEmpty)
  }

  @Test("a server that is silent or sends drips ends the job with 75")
  func slownessEnds() { #expect(lab.faults(of: AdversaryCase.slowness).isEmpty) }

  @Test("an endless, wrong or contradicting header is refused")
  func headersAreBoundedAndChecked() {
    #expect(lab.faults(of: AdversaryCase.heads).isEmpty)
  }

  @Test("content that is cut, endless or changed is refused")
  func contentsAreWholeOrRefused() {
    #expect(lab.faults(of: AdversaryCase.contents).isEmpty)
  }

  @Test(
    "a certificate of an unknown authority or another name is refused",
    .enabled(if: Tool.isInstalled("openssl"), "openssl is not here"))
  func certificatesAreChecked() throws {
    let secure = try AdversaryLab(isSecure: true)
    #expect(secure.faults(of: AdversaryCase.secure).isEmpty)
  }

  @Test("a playlist that leads elsewhere or has no end is refused")
  func playlistsStayWhereTheyMay() {
    #expect(lab.faults(of: AdversaryCase.playlists).isEmpty)
  }

  @Test("a local playlist reaches a private host only with --allow-hosts")
  func aLocalPlaylistReachesNoPrivateHost() throws {
    let list = lab.folder.file("local.m3u8")
    let text = "#EXTM3U\n#EXTINF:1,\n{http}/local/a.wav\n#EXT-X-ENDLIST\n"
    try Data(lab.filled(text).utf8).write(to: lab.folder.url("local.m3u8"))
    let refused = try lab.run(["probe", list])
    #expect(refused.status == 3 && refused.errors.contains("is a private address"))
    #expect(try lab.server.answers(to: "/local/").isEmpty)
    #expect(try lab.run(["probe", list, "--allow-hosts", "127.0.0.1"]).status == 0)
    let other = try lab.run(["probe", list, "--allow-hosts", "x.example"])
    #expect(other.status == 3)
  }

  @Test("each command that reads URLs refuses a redirection to a private host")
  func everyCommandHasThePolicy() throws {
    let url = AdversaryCase.redirect("http://10.0.0.1/x").replacing("/N/", with: "/every/")
    let output = lab.folder.file("every.wav")
    for command in [
      ["probe", url], ["measure", url], ["compare", url, "{http}/every/a.wav"],
      ["render", url, "-o", output], ["audition", url, "-o", lab.folder.file("every.html")],
    ] {
      let result = try lab.run(command)
      #expect(result.errors.contains("--allow-hosts 10.0.0.1"), "\(command): \(result.errors)")
      #expect(result.status == 3, "\(command)")
    }
    let refused = try lab.run(["probe", url, "--allow-hosts", "http://x/"])
    #expect(refused.status == 2 && refused.errors.contains("without scheme and port"))
    #expect(try lab.run(["probe", url, "--network-timeout", "0"]).status == 2)
  }

  @Test("a manifest's allow-hosts holds for its jobs")
  func batchesTakeTheOptions() throws {
    let text = """
      {"schema": "pinna.manifest/1", "defaults": {"allow-hosts": "localhost", "max-download": "64M", "network-timeout": 20},
       "jobs": [{"id": "good", "input": "\(AdversaryCase.redirect("{localhost}/batch/a.wav"))"},
         {"id": "bad", "input": "\(AdversaryCase.redirect("http://10.0.0.1/x"))"}]}
      """.replacing("/N/", with: "/batch/")
    try Data(lab.filled(text).utf8).write(to: lab.folder.url("m.json"))
    let result = try lab.run([
      "batch", lab.folder.file("m.json"), "-O", lab.folder.file("out"), "--name", "{id}.{ext}",
    ])
    #expect(result.status == 10, "\(result.errors)")
    #expect(result.errors.contains("--allow-hosts 10.0.0.1"), "\(result.errors)")
    #expect(result.errors.contains("1 of 2 done"), "\(result.errors)")
  }
}
