// SPDX-License-Identifier: Apache-2.0
import CCurl
import Essentials
import Platform

/// Connections of one input to its servers (a multi handle of libcurl).
///
/// An open connection is used again by the next request to the same scheme, host and port; a new one goes on with the session
/// of TLS of an earlier one. One transfer uses them at a time, on one thread at a time.
final class WebConnections {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  fileprivate let handle = WebConnections.isReady ? curl_multi_init() : nil
  fileprivate let sessions = WebConnections.isReady ? cc_shared_sessions() : nil
  /// Addresses at which each host was allowed to be so far. A name may have others at each look, and a connection stays.
  private var admitted: [String: Set<IPAddress>] = [:]
  /// The address at which each host was reached last.
  private var reached: [String: IPAddress] = [:]

  deinit {
    curl_multi_cleanup(handle)
    curl_share_cleanup(sessions)
  }

  /// Notes that `host` may be at `addresses`, and returns them in the order to try. One that can't be reached would cost its
  /// patience for each segment of a playlist.
  fileprivate func admit(_ addresses: [IPAddress], of host: String) -> [IPAddress] {
    admitted[host, default: []].formUnion(addresses)
    let known = reached[host]
    return addresses.filter { $0 == known } + addresses.filter { $0 != known }
  }

  /// Whether `host` was allowed to be at `address`, which a connection has reached.
  fileprivate func reach(_ address: IPAddress?, of host: String) -> Bool {
    guard let address, admitted[host]?.contains(address) == true else { return false }
    reached[host] = address
    return true
  }
}

/// A request for a range of bytes.
struct WebRequest {
  /// The URL, with user and password.
  let address: WebAddress
  /// The bytes wanted; an end of `Int64.max` means all the rest.
  let range: Range<Int64>
  /// Addresses at which the host may be; empty where the proxy looks it up.
  let addresses: [IPAddress]
  /// The proxy that it goes through: as it is for http, by a tunnel for https.
  let proxy: WebAddress?
  /// A PEM file with the only certificates to believe; `nil` for those of the system.
  let authorities: String?

  /// The host for libcurl, which gets no other spelling of an address than the usual one.
  var host: String {
    let plain = HostPolicy.plain(address.host)
    return IPAddress(plain)?.authority ?? plain
  }

  /// The URL for libcurl, which sends neither user nor password on its own.
  var url: String { "\(address.scheme)://\(host):\(address.port)\(address.target)" }

  /// Fields of the request, with user and password of the URL for its own host alone.
  var fields: [String] {
    let last = range.upperBound == .max ? "" : String(range.upperBound - 1)
    return [
      "Host: \(address.hostAndPort)", "User-Agent: Pinna", "Accept: */*",
      "Accept-Encoding: identity", "Range: bytes=\(range.lowerBound)-\(last)",
    ] + WebRequest.basic("Authorization", address.credentials)
  }

  /// Fields for the proxy alone.
  var proxyFields: [String] {
    // libcurl would add a field that no standard has.
    ["Proxy-Connection:"] + WebRequest.basic("Proxy-Authorization", proxy?.credentials)
  }

  private static func basic(_ field: String, _ credentials: [UInt8]?) -> [String] {
    credentials.map { ["\(field): Basic \(Data($0).base64EncodedString())"] } ?? []
  }
}

/// One request over ``WebConnections`` and its answer, which is received as it is asked for (an easy handle of libcurl).
///
/// A transfer that is released before its end closes its connection.
final class WebTransfer {
  /// Most bytes of content that wait for being read; libcurl keeps as many again before it lets the server wait.
  private static let room = 64 << 10
  /// Milliseconds after which a wait asks whether to go on waiting.
  private static let waitLimit: Int32 = 100

  private let request: WebRequest
  private let connections: WebConnections
  private let watch: TransferWatch
  private let handle = curl_easy_init()
  private var lists: [LineList] = []
  /// libcurl's words for a failure.
  private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

  private var lines = HTTPHeadLines()
  private var content: [UInt8] = []
  /// Bytes of `content` that have been read.
  private var start = 0
  private var isPaused = false
  /// Whether the server, not only a proxy, is connected.
  private var isConnected = false
  /// Bytes of the answer so far; bytes after its head, as sent and without what chunks have around it.
  private var arrived = 0
  private var (sent, unpacked) = (0, 0)
  /// A reason of Pinna's own to end the transfer.
  private var refusal: RemoteFailure?
  /// libcurl's verdict; `nil` until the transfer is over.
  private var outcome: CURLcode?

  /// Begins `request`. `watch` decides when to give up.
  /// - Throws: ``RemoteFailure``.
  init(
    _ request: WebRequest, over connections: WebConnections, watch: TransferWatch
  ) throws(RemoteFailure) {
    (self.request, self.connections, self.watch) = (request, connections, watch)
    words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    try prepare()
    guard curl_multi_add_handle(connections.handle, handle) == CURLM_OK else {
      throw LineList.outOfMemory
    }
  }

  deinit {
    if let handle {
      curl_multi_remove_handle(connections.handle, handle)
      curl_easy_cleanup(handle)
    }
    words.deallocate()
  }

  /// Bytes of content that wait for being read.
  var waiting: Int { content.count - start }

  /// Waits for the head of the answer.
  /// - Throws: ``RemoteFailure``.
  func head() throws(RemoteFailure) -> HTTPHead {
    try advance { lines.head != nil }
    guard let head = lines.head else { throw WebTransfer.broken("the header") }
    watch.restart()
    return head
  }

  /// Reads up to `room.count` bytes of the content; 0 at its end, also where it is shorter than stated.
  /// - Throws: ``RemoteFailure``.
  func read(into room: UnsafeMutableRawBufferPointer) throws(RemoteFailure) -> Int {
    guard !room.isEmpty else { return 0 }
    if waiting == 0 {
      content.removeAll(keepingCapacity: true)
      start = 0
      try advance { !content.isEmpty }
    }
    let count = min(room.count, waiting)
    room.copyBytes(from: content[start..<start + count])
    start += count
    return count
  }

  private func prepare() throws(RemoteFailure) {
    guard let handle else { throw LineList.outOfMemory }
    for (option, value) in [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)),
      (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1),
      (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1), (CURLOPT_BUFFERSIZE, WebTransfer.room),
      // 0 would be libcurl's own limit, and 32 bits are kept.
      (CURLOPT_CONNECTTIMEOUT_MS, Int(min(max(watch.patience * 1000, 1), 1e9))),
    ] { cc_number(handle, option, value) }
    let proxy = request.proxy.map { "http://\($0.host):\($0.port)" }
    // Empty texts keep libcurl from asking the environment.
    for (option, text) in [
      (CURLOPT_URL, request.url), (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_PROXY, proxy ?? ""), (CURLOPT_NOPROXY, ""),
    ] { try check(cc_text(handle, option, text)) }
    if let authorities = request.authorities {
      try check(cc_text(handle, CURLOPT_CAINFO, authorities))
      // The folder of the system's certificates would be believed besides.
      try check(cc_text(handle, CURLOPT_CAPATH, nil))
    }
    try set(CURLOPT_HTTPHEADER, request.fields)
    try set(CURLOPT_PROXYHEADER, request.proxyFields)
    try pin()
    cc_share(handle, connections.sessions)
    cc_words(handle, words)
    listen()
  }

  private func check(_ code: CURLcode) throws(RemoteFailure) {
    if code != CURLE_OK { throw failure(code) }
  }

  /// Keeps libcurl from looking the host up: it gets the addresses that were allowed.
  private func pin() throws(RemoteFailure) {
    guard !request.addresses.isEmpty else { return }
    let addresses = connections.admit(request.addresses, of: request.host)
    guard IPAddress(request.host) == nil, !request.host.hasPrefix("[") else { return }
    let list = addresses.map(\.authority).joined(separator: ",")
    try set(CURLOPT_RESOLVE, ["\(request.host):\(request.address.port):\(list)"])
  }

  private func set(_ option: CURLoption, _ lines: [String]) throws(RemoteFailure) {
    let list = try LineList(lines)
    lists.append(list)
    cc_lines(handle, option, list.head)
  }

  /// The owner is unretained: the handle goes in `deinit`, and calls nobody afterwards.
  private func listen() {
    cc_listeners(
      handle, Unmanaged.passUnretained(self).toOpaque(),
      { bytes, _, count, owner in
        WebTransfer.of(owner)?.take(line: UnsafeRawBufferPointer(start: bytes, count: count)) ?? 0
      },
      { bytes, _, count, owner in
        WebTransfer.of(owner)?.take(content: UnsafeRawBufferPointer(start: bytes, count: count))
          ?? 0
      },
      { owner, remote, _, _, _ in
        let isAllowed = WebTransfer.of(owner)?.connected(to: remote.map { String(cString: $0) })
        return isAllowed == true ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      },
      { _, kind, _, count, owner in
        WebTransfer.of(owner)?.note(kind, count)
        return 0
      })
  }

  private static func of(_ owner: UnsafeMutableRawPointer?) -> WebTransfer? {
    owner.map { Unmanaged<WebTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func take(line: UnsafeRawBufferPointer) -> Int {
    do throws(RemoteFailure) {
      try lines.add(Array(line))
      return line.count
    } catch {
      refusal = error
      return 0
    }
  }

  private func take(content bytes: UnsafeRawBufferPointer) -> Int {
    guard content.isEmpty || content.count + bytes.count <= WebTransfer.room else {
      isPaused = true
      return Int(CURL_WRITEFUNC_PAUSE)
    }
    content += bytes
    unpacked += bytes.count
    return bytes.count
  }

  /// Whether the connection, new or used again, may get the request. Its making and the answer have a patience each.
  private func connected(to remote: String?) -> Bool {
    isConnected = true
    watch.restart()
    watch.begin()
    if request.addresses.isEmpty { return true }
    if connections.reach(remote.flatMap { IPAddress($0) }, of: request.host) { return true }
    refusal = RemoteFailure(
      cause: .transport, hasAnswered: false,
      detail: "it is at \(remote ?? "an address") now, which wasn't allowed")
    return false
  }

  private func note(_ kind: curl_infotype, _ count: Int) {
    guard isConnected, kind == CURLINFO_HEADER_IN || kind == CURLINFO_DATA_IN else { return }
    arrived += count
    guard kind == CURLINFO_DATA_IN else { return }
    // All that was sent before is unpacked by now. Without extensions a byte of content brings less than 32 of a chunk.
    if sent - unpacked > HTTPHeadLines.limit + 32 * unpacked {
      refusal = .malformed("the chunks' extensions have no end")
    }
    sent += count
  }

  /// Lets libcurl work until `isEnough` or the transfer's end.
  private func advance(until isEnough: () -> Bool) throws(RemoteFailure) {
    let before = arrived
    watch.begin()
    work()
    while !isEnough(), outcome == nil, refusal == nil, !watch.isOver {
      curl_multi_poll(connections.handle, nil, 0, WebTransfer.waitLimit, nil)
      work()
    }
    watch.end(bytes: arrived - before)
    if let refusal { throw refusal }
    // A server that sends just less than is demanded, but without a pause, isn't waited for above.
    if watch.isOver, let verdict = watch.verdict {
      throw RemoteFailure(cause: verdict, hasAnswered: arrived > 0, detail: "given up")
    }
    if !isEnough(), let outcome, outcome != CURLE_OK, !isShort(outcome) { throw failure(outcome) }
  }

  private func work() {
    guard outcome == nil else { return }
    if isPaused, content.isEmpty {
      isPaused = false
      curl_easy_pause(handle, CURLPAUSE_CONT)
    }
    var count: Int32 = 0
    curl_multi_perform(connections.handle, &count)
    while let message = curl_multi_info_read(connections.handle, &count)?.pointee {
      // Only this transfer is under way; one before it was taken out with its messages.
      guard message.msg == CURLMSG_DONE, message.easy_handle == handle else { continue }
      outcome = message.data.result
    }
  }

  /// Whether the end came before the stated one, which the reader of the content finds out.
  private func isShort(_ code: CURLcode) -> Bool {
    code == CURLE_PARTIAL_FILE && (try? lines.head?.length()) != nil
  }

  private func failure(_ code: CURLcode) -> RemoteFailure {
    let said = String(cString: words)
    let text = said.isEmpty ? String(cString: curl_easy_strerror(code)) : said
    switch code {
    case CURLE_COULDNT_CONNECT where cc_system_error(handle) != 0:
      let reason = String(cString: strerror(cc_system_error(handle)))
      return RemoteFailure(cause: .transport, hasAnswered: false, detail: reason)
    case CURLE_OPERATION_TIMEDOUT:
      return RemoteFailure(cause: .stalled, hasAnswered: false, detail: text)
    case CURLE_PARTIAL_FILE: return WebTransfer.broken("a chunk")
    case CURLE_GOT_NOTHING: return WebTransfer.broken("the header")
    case CURLE_UNSUPPORTED_PROTOCOL: return HTTPHead.noAnswer
    case CURLE_WEIRD_SERVER_REPLY where text.lowercased().contains("content-length"):
      return .malformed("the Content-Length isn't a length")
    case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2: return .malformed(text)
    case CURLE_BAD_CONTENT_ENCODING:
      return .malformed("it has a transfer coding that wasn't asked for")
    // So libcurl calls a line that is too long for it; from 8.6 on, CURLE_TOO_LARGE.
    case CURLE_OUT_OF_MEMORY where lines.head == nil, CURLcode(rawValue: 100):
      return .malformed("the header has no end")
    case CURLE_RECV_ERROR where text.lowercased().contains("chunk"):
      return .malformed("a chunk's length is wrong")
    default: return RemoteFailure(cause: .transport, hasAnswered: arrived > 0, detail: text)
    }
  }

  private static func broken(_ part: String) -> RemoteFailure {
    RemoteFailure(
      cause: .transport, hasAnswered: true, detail: "the connection ended inside of \(part)")
  }
}

/// Lines for libcurl, and their owner.
private final class LineList {
  static let outOfMemory = RemoteFailure(
    cause: .transport, hasAnswered: false, detail: "memory is out")

  private(set) var head: UnsafeMutablePointer<curl_slist>?

  init(_ lines: [String]) throws(RemoteFailure) {
    for line in lines {
      guard let longer = curl_slist_append(head, line) else { throw LineList.outOfMemory }
      head = longer
    }
  }

  deinit { curl_slist_free_all(head) }
}
