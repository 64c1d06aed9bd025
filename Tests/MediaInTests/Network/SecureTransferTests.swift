// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Transfers over https from a server whose authority only a file names.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(
    if: LoopbackServer.isPresent && Tool.isInstalled("openssl"), "python3 or openssl is not here"))
struct SecureTransferTests {
  private let folder: TemporaryFolder
  private let server: LoopbackServer
  private let content: [UInt8]

  init() throws {
    LibAVLog.install()
    folder = try TemporaryFolder()
    try SecureTransferTests.makeCertificates(in: folder)
    content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let files = folder.url("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data(content).write(to: files.appendingPathComponent("a.bin"))
    server = try LoopbackServer(folder: files.path, certificate: folder.file("server.pem"))
  }

  /// An authority, and a server's key with the certificate that the authority signed for `localhost` and
  /// `media.example`, which no server of names knows.
  private static func makeCertificates(in folder: TemporaryFolder) throws {
    let script = """
      set -e; cd "$1"
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem \
        -addext basicConstraints=critical,CA:TRUE
      openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr
      printf 'subjectAltName=DNS:localhost,DNS:media.example\n' > names
      openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt
      cat server.key server.crt > server.pem
      """
    let made = try Tool.run("bash", ["-c", script, "bash", folder.path])
    try #require(made.status == 0)
  }

  private func fetch(believing file: String?) throws -> [UInt8] {
    let address = try #require(WebAddress(server.base + "a.bin"))
    var bounds = InputBounds()
    bounds.authorities = file.map(folder.file)
    let policy = ResourceLoader.Policy(tries: 2, firstPause: 0.01, patience: 20)
    let loader = ResourceLoader(policy: policy, bounds: bounds, isCancelled: { false })
    return try loader.bytes(.web(address), limit: 1 << 20, from: .user).bytes
  }

  @Test("content arrives over https when a file names the server's authority")
  func anAuthorityThatIsNamedIsBelieved() throws {
    #expect(try fetch(believing: "ca.pem") == content)
  }

  @Test("an unnamed certificate authority isn't believed") func othersArent() throws {
    let unknown = #expect(throws: MediaError.self) { try fetch(believing: nil) }
    #expect(unknown?.message.contains("certificate") == true)
    let missing = #expect(throws: MediaError.self) { try fetch(believing: "missing.pem") }
    #expect(missing?.kind == .inputMissing)
  }

  /// Reads over https from `host`, which a lookup finds at `numbers`.
  private func read(
    _ host: String, at numbers: [String], from origin: HostPolicy.Origin = .user, times: Int = 1
  ) throws -> [UInt8] {
    let url = server.base.replacing("localhost", with: host) + "a.bin?keep"
    let address = try #require(WebAddress(url))
    let session = WebResource.Session(
      hosts: HostPolicy(listed: [], resolve: { _ in numbers.compactMap { IPAddress($0) } }),
      authorities: folder.file("ca.pem"),
      watch: { TransferWatch(patience: 20, isCancelled: { false }) })
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    var count = 0
    for _ in 0..<times {
      let resource = try WebResource(address, range: 0..<Int64.max, from: origin, session: session)
      count = 0
      while true {
        let got = try bytes.withUnsafeMutableBytes { room in
          try resource.read(into: UnsafeMutableRawBufferPointer(rebasing: room[count...]))
        }
        if got == 0 { break }
        count += got
      }
    }
    return Array(bytes.prefix(count))
  }

  @Test("over https the connection goes to the address that was looked at, and to no other")
  func connectionsGoWhereTheyMay() throws {
    #expect(try read("media.example", at: ["127.0.0.1"], times: 3) == content)
    #expect(Set(server.requests.map(\.connection)).count == 1 && server.requests.count == 3)
    // One that can't be reached is passed over.
    #expect(try read("Media.Example.", at: ["127.0.0.2", "127.0.0.1"]) == content)
    // The system would find this name at 127.0.0.1.
    let elsewhere = #expect(throws: RemoteFailure.self) {
      try read("localhost", at: ["127.0.0.2"])
    }
    #expect(elsewhere?.hasAnswered == false)
    let refused = #expect(throws: MediaError.self) {
      try read("media.example", at: ["127.0.0.1"], from: .playlist)
    }
    #expect(refused?.message.contains("is a private address") == true)
    let other = #expect(throws: RemoteFailure.self) { try read("other.example", at: ["127.0.0.1"]) }
    #expect(other?.detail.contains("certificate") == true)
    #expect(server.requests.count == 4)
  }
}
