// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// One transfer over http or https, read from front to end, redirections included (RFC 9110).
final class WebResource {
  /// The state that all transfers of an input share.
  struct Session {
    /// Policy of the hosts that may be used.
    var hosts: HostPolicy
    /// The proxy of the environment.
    var proxy = WebProxy()
    /// A PEM file with certificates to believe.
    var authorities: String?
    /// Connections that are open.
    let connections = WebConnections()
    /// Makes what decides when to give up; there is one for each request.
    var watch: () -> TransferWatch
  }

  /// The names of compressions, which nobody asked for; x-gzip and x-compress hold theirs.
  private static let compressions = ["gzip", "deflate", "compress", "br", "zstd"]

  /// Most redirections that are followed; browsers follow 20, the program curl 50.
  static let redirections = 10

  /// Bytes of the whole resource; `nil` when the server doesn't state it.
  let size: Int64?
  /// End of this answer's bytes in the whole; `nil` where it doesn't say so.
  let partEnd: Int64?
  /// Validators that distinguish this content from an earlier or later one at the same place.
  let validators: [String]
  /// The media type the server names, without parameters, lower case.
  let mediaType: String?
  /// The address after all redirections.
  let location: WebAddress

  private let transfer: WebTransfer
  /// Bytes of this answer that haven't come, where it states a length.
  private(set) var missing: Int64 = 0

  /// Sends the request for the bytes of `address` in `range` and waits for the answer. An end of `Int64.max` means all
  /// the rest.
  /// - Throws: ``RemoteFailure``; ``MediaError`` for hosts that may not be used.
  init(
    _ address: WebAddress, range: Range<Int64>, from origin: HostPolicy.Origin, session: Session
  ) throws {
    var place = address
    var origin = origin
    for _ in 0...WebResource.redirections {
      let addresses = try session.hosts.admit(place, from: origin)
      let proxy = session.proxy.applies(to: HostPolicy.plain(place.host)) ? session.proxy : nil
      let request = WebRequest(
        address: place, range: range, addresses: proxy == nil ? addresses : [],
        proxy: proxy?.address, authorities: session.authorities)
      let transfer = try WebTransfer(request, over: session.connections, watch: session.watch())
      let head = try transfer.head()
      if let target = try WebResource.redirection(head, from: place) {
        (place, origin) = (target, .redirect)
        continue
      }
      size = try WebResource.size(of: head, range)
      partEnd = head.status == 206 ? try head.contentRange().range.upperBound : nil
      validators = head.validators
      mediaType = head.mediaType
      location = place
      missing = try head.length() ?? 0
      self.transfer = transfer
      return
    }
    throw RemoteFailure.malformed("it redirects more than \(WebResource.redirections) times")
  }

  /// Reads up to `bytes.count` bytes; 0 at the end, or where the connection ended before.
  /// - Throws: ``RemoteFailure``.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    let got = try transfer.read(into: bytes)
    missing = max(0, missing - Int64(got))
    return got
  }

  /// Address that an answer redirects to; `nil` when it doesn't. User and password go along to the same server only.
  private static func redirection(_ head: HTTPHead, from place: WebAddress) throws -> WebAddress? {
    guard [301, 302, 303, 307, 308].contains(head.status) else { return nil }
    guard let text = head["location"], !text.isEmpty else {
      throw RemoteFailure.malformed("it redirects, but doesn't say where to")
    }
    guard let target = place.resolving(text) else {
      let shown = WebSecrets.hidden(reference: text).prefix(200)
      throw RemoteFailure.malformed("it redirects to \"\(shown)\", which isn't http or https")
    }
    guard place.scheme == "http" || target.scheme == "https" else {
      throw RemoteFailure.malformed(
        "it redirects from https to \(target.publicText), which isn't encrypted")
    }
    return target.carryingCredentials(of: place)
  }

  /// Checks that an answer holds what `range` asked for, and returns the size of the whole; `nil` when it isn't stated.
  private static func size(of head: HTTPHead, _ range: Range<Int64>) throws -> Int64? {
    // Other words than those of compressions stand there by mistake, for example aws-chunked.
    let coding = (head["content-encoding"] ?? "").lowercased()
    if WebResource.compressions.contains(where: coding.contains) {
      throw RemoteFailure.malformed(
        "the content is compressed (\(coding.prefix(40))), which wasn't asked for")
    }
    let length = try head.length()
    switch head.status {
    case 200:
      if range.lowerBound > 0 {
        throw RemoteFailure(cause: .noRanges, hasAnswered: true, detail: "no ranges")
      }
      return length
    case 206:
      let (sent, size) = try head.contentRange()
      guard sent.lowerBound == range.lowerBound else {
        throw RemoteFailure.malformed(
          "it sends bytes from \(sent.lowerBound) on instead of \(range.lowerBound)")
      }
      if let length, length != Int64(sent.count) {
        throw RemoteFailure.malformed("Content-Length and Content-Range contradict each other")
      }
      return size
    default: throw RemoteFailure(cause: .status(head.status), hasAnswered: true, detail: "")
    }
  }
}
