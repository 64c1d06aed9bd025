// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport

/// A hostile server with certificates, and the program that reads from it.
final class AdversaryLab: Sendable {
  let server: HostileServer
  let folder: TemporaryFolder
  /// Whether there are certificates.
  let isSecure: Bool

  /// Starts the server; with certificates, which cost a second, where `isSecure`.
  init(isSecure: Bool = false) throws {
    self.isSecure = isSecure
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.url("files"), withIntermediateDirectories: false)
    let tone = (0..<48_000).map { Int16(8000 * sin(Double($0) * 0.06)) }
    try WAVBytes.pcm16([tone], rate: 48_000).write(to: folder.url("files/a.wav"))
    if isSecure { try AdversaryLab.makeCertificates(in: folder) }
    let names = isSecure ? ["localhost.pem", "elsewhere.example.pem", "self.pem"] : []
    server = try HostileServer(
      folder: folder.file("files"), certificates: names.map(folder.file))
  }

  /// An authority, certificates of it for two names, and one that only its own key has signed.
  private static func makeCertificates(in folder: TemporaryFolder) throws {
    let script = """
      set -e; cd "$1"
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem \
        -addext basicConstraints=critical,CA:TRUE
      openssl req -newkey rsa:2048 -nodes -subj /CN=server -keyout server.key -out server.csr
      for name in localhost elsewhere.example; do
        printf "subjectAltName=DNS:$name\\n" > names
        openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt
        cat server.key server.crt > $name.pem
      done
      openssl req -x509 -key server.key -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost -out self.crt
      cat server.key self.crt > self.pem
      """
    let made = try Tool.run("bash", ["-c", script, "bash", folder.path])
    guard made.status == 0 else { throw ToolFailure(text: made.errors) }
  }

  /// `text` with the marks of servers replaced: `{http}`, `{public}` (the same server behind a proxy, under a name that is
  /// no private address; `{tunnel}` for https, which it refuses), and `{tls}`, `{other}`, `{self}` with their certificates.
  func filled(_ text: String) -> String {
    var result = text.replacing("{http}", with: "http://127.0.0.1:\(server.ports[0])")
      .replacing("{localhost}", with: "http://localhost:\(server.ports[0])")
      .replacing("{public}", with: "http://media.example")
      .replacing("{tunnel}", with: "https://media.example")
      .replacing("{plain}", with: "https://127.0.0.1:\(server.ports[0])")
      .replacing("{folder}", with: folder.path)
    for (index, name) in ["{tls}", "{other}", "{self}"].enumerated() where isSecure {
      result = result.replacing(name, with: "https://localhost:\(server.ports[index + 1])")
    }
    return result
  }

  /// Runs `pinna` with `arguments`, for five minutes at the most; with the server as the proxy where `isProxied`.
  func run(_ arguments: [String], isProxied: Bool = false) throws -> Tool.Result {
    var environment = ["PINNA_CACHE": "off", "no_proxy": "", "http_proxy": ""]
    if isProxied { environment["http_proxy"] = "http://127.0.0.1:\(server.ports[0])" }
    return try Tool.run(
      "timeout", ["300", Product.path] + arguments.map(filled), environment: environment)
  }

  /// Faults in the ends of `cases`. They run at the same time, since most of them only wait.
  func faults(of cases: [AdversaryCase]) -> [String] {
    let found = Mutex<[String]>([])
    let group = DispatchGroup()
    let places = DispatchSemaphore(value: 8)
    for item in cases {
      group.enter()
      Thread.detachNewThread {
        places.wait()
        let fault = (try? self.fault(of: item)) ?? ["\(item.name): it couldn't be tried"]
        found.withLock { $0 += fault }
        places.signal()
        group.leave()
      }
    }
    group.wait()
    return found.withLock { $0.sorted() }
  }

  private func fault(of item: AdversaryCase) throws -> [String] {
    let place = "/\(item.place)/"
    let output = folder.file("\(item.place).wav")
    let options = item.options + (item.command == "render" ? ["-o", output] : [])
    let result = try run(
      [item.command, item.url.replacing("/N/", with: place)] + options, isProxied: item.isProxied)
    let sent = try server.answers(to: place).reduce(0) { $0 + $1.sent }
    var faults: [String] = []
    func demand(_ holds: Bool, _ text: String) {
      if !holds {
        faults.append("\(item.name): \(text); it ended with \(result.status): \(result.errors)")
      }
    }
    demand(result.status == item.status, "exit code \(item.status) was expected")
    demand(
      item.words.isEmpty || result.errors.contains(item.words), "\"\(item.words)\" was expected")
    demand(sent <= item.most, "\(sent) bytes were sent, at most \(item.most) were expected")
    if item.status != 0 {
      demand(result.errors.split(separator: "\n").count == 1, "one sentence was expected")
      demand(!FileManager.default.fileExists(atPath: output), "no output was expected")
    }
    return faults
  }
}
