import AudioCore
import Essentials
import LibAV
import Platform

/// One transfer over http or https, read from front to end, redirections included (RFC 9110, RFC 9112).
final class WebResource {
  /// The state that all transfers of an input share.
  struct Session {
    /// Policy of the hosts that may be used.
    var hosts: HostPolicy
    /// The proxy of the environment.
    var proxy = WebProxy()
    /// A PEM file with certificates to believe.
    var authorities: String?
    /// The address of each host that answered last.
    let reached = ReachedAddresses()
    /// Makes what decides when to give up; there is one for each connection.
    var watch: () -> TransferWatch
  }

  /// The names of compressions, which nobody asked for; x-gzip and x-compress hold theirs.
  private static let compressions = ["gzip", "deflate", "compress", "br", "zstd"]

  /// Most redirections that are followed; browsers follow 20, libavformat 8.
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

  private let reader: HTTPReader

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
      let (reader, head) = try WebResource.ask(place, range, at: addresses, session)
      if let target = try WebResource.redirection(head, from: place) {
        (place, origin) = (target, .redirect)
        continue
      }
      size = try WebResource.size(of: head, range)
      partEnd = head.status == 206 ? try head.contentRange().range.upperBound : nil
      validators = head.validators
      mediaType = head.mediaType
      location = place
      reader.begin(try head.framing())
      self.reader = reader
      return
    }
    throw RemoteFailure.malformed("it redirects more than \(WebResource.redirections) times")
  }

  /// Reads up to `bytes.count` bytes; 0 at the end, or where the connection ended before.
  /// - Throws: ``RemoteFailure``.
  func read(into bytes: UnsafeMutableRawBufferPointer) throws -> Int {
    try reader.read(into: bytes)
  }

  /// Bytes of this answer that haven't come, where it states a length.
  var missing: Int64 { reader.missing }

  private static func ask(
    _ address: WebAddress, _ range: Range<Int64>, at addresses: [IPAddress], _ session: Session
  ) throws -> (HTTPReader, HTTPHead) {
    let isProxied =
      address.scheme == "http" && session.proxy.applies(to: HostPolicy.plain(address.host))
    let proxy = isProxied ? session.proxy.address : nil
    let connection = try connect(to: proxy ?? address, proxy == nil ? addresses : [], session)
    try connection.write(request(address, range, proxy))
    var hasAnswered = false
    let reader = HTTPReader { room in
      let got = try connection.connection.read(into: room, hasAnswered: hasAnswered)
      hasAnswered = true
      return got
    }
    let head = try reader.head()
    connection.watch.restart()
    return (reader, head)
  }

  private struct Connected {
    let connection: RemoteConnection
    let watch: TransferWatch
    func write(_ bytes: [UInt8]) throws(RemoteFailure) { try connection.write(bytes) }
  }

  /// Connects to `address`. Without encryption, the connection goes to one of `addresses`, so that a name can't become
  /// another address after it was looked at. With it, libavformat needs the name, and the certificate decides.
  private static func connect(
    to address: WebAddress, _ addresses: [IPAddress], _ session: Session
  ) throws -> Connected {
    let isSecure = address.scheme == "https"
    // One that can't be reached would cost its patience for each segment of a playlist.
    let known = session.reached[address.host]
    let numbers =
      isSecure ? [] : addresses.map(\.authority).sorted { one, _ in one == known }
    var failure: RemoteFailure?
    for host in numbers.isEmpty ? [address.host] : numbers {
      let watch = session.watch()
      do throws(RemoteFailure) {
        let target = RemoteConnection.Target(host: host, port: address.port, isSecure: isSecure)
        let connection = try RemoteConnection(
          target, authorities: session.authorities, watch: watch)
        session.reached[address.host] = host
        return Connected(connection: connection, watch: watch)
      } catch {
        if error.cause == .cancelled { throw error }
        failure = error
      }
    }
    throw failure ?? RemoteFailure(cause: .transport, hasAnswered: false, detail: "no address")
  }

  /// The request, with user and password of `address` for its own host alone.
  private static func request(
    _ address: WebAddress, _ range: Range<Int64>, _ proxy: WebAddress?
  ) -> [UInt8] {
    let last = range.upperBound == .max ? "" : String(range.upperBound - 1)
    var lines = [
      "GET \(proxy == nil ? address.target : address.textWithoutCredentials) HTTP/1.1",
      "Host: \(address.hostAndPort)", "User-Agent: Pinna", "Accept: */*",
      "Accept-Encoding: identity", "Range: bytes=\(range.lowerBound)-\(last)", "Connection: close",
    ]
    if let credentials = address.credentials {
      lines.append("Authorization: Basic \(Data(credentials).base64EncodedString())")
    }
    if let credentials = proxy?.credentials {
      lines.append("Proxy-Authorization: Basic \(Data(credentials).base64EncodedString())")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
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
    let framing = try head.framing()
    switch head.status {
    case 200:
      if range.lowerBound > 0 {
        throw RemoteFailure(cause: .noRanges, hasAnswered: true, detail: "no ranges")
      }
      if case .length(let length) = framing { return length }
      return nil
    case 206:
      let (sent, size) = try head.contentRange()
      guard sent.lowerBound == range.lowerBound else {
        throw RemoteFailure.malformed(
          "it sends bytes from \(sent.lowerBound) on instead of \(range.lowerBound)")
      }
      if case .length(let length) = framing, length != Int64(sent.count) {
        throw RemoteFailure.malformed("Content-Length and Content-Range contradict each other")
      }
      return size
    default: throw RemoteFailure(cause: .status(head.status), hasAnswered: true, detail: "")
    }
  }
}

/// The address at which each host of an input was reached last.
final class ReachedAddresses {
  private var addresses: [String: String] = [:]

  /// The address of `host`; `nil` before it was reached.
  subscript(_ host: String) -> String? {
    get { addresses[host] }
    set { addresses[host] = newValue }
  }
}

extension RemoteFailure {
  /// A transfer that ended early although the server closed it in order.
  static func short(_ received: Int64, of wanted: Int64) -> RemoteFailure {
    RemoteFailure(
      cause: .transport, hasAnswered: true,
      detail: "only \(received) of \(wanted) bytes arrived")
  }

  /// The failure as an error. A failure that may pass has kind `unavailable`; one that will come again is
  /// a missing or unreadable input.
  func error(_ address: WebAddress, _ range: Range<Int64>?) -> MediaError {
    let name = address.publicText
    let host = address.hostAndPort
    switch cause {
    case .status(404), .status(410):
      return MediaError(
        .inputMissing, about: name,
        "the server doesn't have it (\(RemoteFailure.status(cause))); "
          + "check the URL")
    case .status where isTransient:
      return MediaError(
        .unavailable, about: name,
        "the server still answers \(RemoteFailure.status(cause)) after several tries; "
          + "try again later")
    case .status(200..<300):
      return MediaError(
        .inputUnreadable, about: name,
        "the server sends no content (\(RemoteFailure.status(cause))); check the URL")
    case .status:
      return MediaError(
        .inputUnreadable, about: name,
        "the server refuses it (\(RemoteFailure.status(cause))); check URL and access")
    case .noRanges:
      return MediaError(
        .inputUnreadable, about: name,
        "the server can't send parts of a file, which this needs; download it and give "
          + "its path")
    case .malformed:
      return MediaError(
        .inputUnreadable, about: name,
        "\(host) doesn't answer as it should: \(detail); check the URL or ask whoever runs it")
    case .stalled:
      return MediaError(
        .unavailable, about: name,
        "\(host) sent nothing or too little for too long; try again later, or raise "
          + "\(setting: .networkTimeout)")
    case .overdue:
      return MediaError(
        .unavailable, about: name,
        "fetching this input takes longer than a day; download it and give its path")
    case .cancelled:
      return MediaError(.interrupted, about: name, "stopped before it was done")
    case .transport where hasAnswered:
      return MediaError(
        .unavailable, about: name,
        "the transfer broke off after several tries (\(detail)); try again later")
    case .transport:
      return MediaError(
        .inputUnreadable, about: name, "\(host) can't be reached (\(detail)); check URL and network"
      )
    }
  }

  private static func status(_ cause: Cause) -> String {
    if case .status(let code) = cause { return "HTTP \(code)" }
    return "HTTP"
  }
}
