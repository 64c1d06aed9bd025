import AudioCore
import CFFmpeg
import Platform

/// One connection to a server, over TCP or TLS (AVIOContext of libavformat's tcp and tls).
///
/// libavformat resolves the host again when it isn't an address. Certificates are checked against the host.
package final class RemoteConnection {
  /// A server and how to talk to it.
  package struct Target: Sendable, Equatable {
    /// A name, or an address; IPv6 in brackets.
    package var host: String
    /// The port, 1 to 65535.
    package var port: Int
    /// Whether the connection is encrypted.
    package var isSecure: Bool

    /// A target from its parts.
    package init(host: String, port: Int, isSecure: Bool) {
      (self.host, self.port, self.isSecure) = (host, port, isSecure)
    }
  }

  private static let protocols = "tcp,tls,httpproxy"

  private var handle: UnsafeMutablePointer<AVIOContext>?
  private let watch: TransferWatch

  /// Connects to `target`. `authorities` is a PEM file with certificates to believe. `watch` decides when to give up.
  /// - Throws: ``RemoteFailure``.
  package init(
    _ target: Target, authorities: String?, watch: TransferWatch
  ) throws(RemoteFailure) {
    self.watch = watch
    var values = ["protocol_whitelist": RemoteConnection.protocols]
    if target.isSecure {
      values["tls_verify"] = "1"
      values["ca_file"] = authorities
    }
    guard let options = try? OpenOptions(values) else {
      throw RemoteFailure(cause: .transport, hasAnswered: false, detail: "memory is out")
    }
    // The opaque pointer is unretained: the connection is closed in deinit, before the watch goes.
    var interrupt = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<TransferWatch>.fromOpaque(opaque).takeUnretainedValue().isOver ? 1 : 0
      }, opaque: Unmanaged.passUnretained(watch).toOpaque())
    let url = "\(target.isSecure ? "tls" : "tcp")://\(target.host):\(target.port)"
    LibAVLog.forgetThread()
    watch.begin()
    // Direct: libav's buffer is for one direction only.
    let flags = AVIO_FLAG_READ | AVIO_FLAG_WRITE | AVIO_FLAG_DIRECT
    let code = avio_open2(&handle, url, flags, &interrupt, &options.handle)
    watch.end(bytes: 0)
    guard code >= 0 else { throw failure(code, hasAnswered: false) }
    watch.restart()
  }

  deinit { avio_closep(&handle) }

  /// Sends `bytes`.
  /// - Throws: ``RemoteFailure``.
  package func write(_ bytes: [UInt8]) throws(RemoteFailure) {
    guard let handle else { return }
    watch.begin()
    avio_write(handle, bytes, Int32(clamping: bytes.count))
    avio_flush(handle)
    watch.end(bytes: 0)
    if handle.pointee.error < 0 { throw failure(handle.pointee.error, hasAnswered: false) }
  }

  /// Reads up to `bytes.count` bytes; 0 at the end. `hasAnswered` tells a failure whether there was an answer before.
  /// - Throws: ``RemoteFailure``.
  package func read(
    into bytes: UnsafeMutableRawBufferPointer, hasAnswered: Bool
  ) throws(RemoteFailure) -> Int {
    let target = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    watch.begin()
    let got = avio_read_partial(handle, target, Int32(clamping: bytes.count))
    watch.end(bytes: max(Int(got), 0))
    if got == PINNA_EOF { return 0 }
    guard got >= 0 else { throw failure(got, hasAnswered: hasAnswered) }
    // A server that sends just less than is demanded, but without a pause, isn't asked about by libav.
    if let verdict = watch.isOver ? watch.verdict : nil {
      throw RemoteFailure(cause: verdict, hasAnswered: hasAnswered, detail: "given up")
    }
    return Int(got)
  }

  private func failure(_ code: Int32, hasAnswered: Bool) -> RemoteFailure {
    RemoteFailure(
      cause: watch.verdict ?? .transport, hasAnswered: hasAnswered,
      detail: LibAVLog.threadLines.last.map(RemoteConnection.withoutOrigin)
        ?? "\(LibAVError(code: code))")
  }

  /// A line of the log without the object it came from (`[tcp @ 0x7f…]`).
  private static func withoutOrigin(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.firstRange(of: "] ") else { return line }
    return String(line[end.upperBound...])
  }
}

/// Decides when libav has to give up a transfer: the job is cancelled, too little comes, or it takes too long in all.
///
/// Only time that is spent waiting for the server counts, except for the end of all.
package final class TransferWatch {
  /// Bytes that a server has to send in each second on average, or it counts as stalled. Sound of 8 kbit/s has this rate.
  package static let leastRate = 1024.0

  /// Why the transfer was given up.
  private(set) var verdict: RemoteFailure.Cause?

  private let patience: Double
  private let end: Double
  private let now: () -> Double
  private let isCancelled: () -> Bool
  /// When the wait began that goes on now; `nil` between waits.
  private var began: Double?
  /// Seconds waited, and bytes received, in this span of `patience` seconds.
  private var waited = 0.0
  private var received = 0.0

  /// Gives up when a span of `patience` seconds brought less than ``leastRate``, and at `end`, a time of `now`.
  package init(
    patience: Double, end: Double = .infinity,
    now: @escaping () -> Double = { SystemClock.steady }, isCancelled: @escaping () -> Bool
  ) {
    self.patience = patience
    self.end = end
    self.now = now
    self.isCancelled = isCancelled
  }

  /// Begins a span in which nothing has come yet.
  package func restart() { (waited, received) = (0, 0) }

  /// Notes that a wait begins.
  func begin() { began = now() }

  /// Notes that a wait has ended, and how many bytes came.
  func end(bytes: Int) {
    waited += began.map { now() - $0 } ?? 0
    began = nil
    received += Double(bytes)
    if waited > patience, received >= TransferWatch.leastRate * patience { restart() }
  }

  /// Whether to give up now; libav asks about ten times a second while it waits.
  var isOver: Bool {
    if verdict != nil { return true }
    let now = now()
    let wait = began.map { now - $0 } ?? 0
    if isCancelled() {
      verdict = .cancelled
    } else if now > end {
      verdict = .overdue
    } else if wait > patience
      || waited + wait > patience && received < TransferWatch.leastRate * patience
    {
      // However much came before, a wait of this length brought nothing.
      verdict = .stalled
    }
    return verdict != nil
  }
}

/// Why a transfer over http or https failed.
package struct RemoteFailure: Error, Sendable, Equatable {
  /// Kinds of failure, as far as the decision about another attempt depends on them.
  package enum Cause: Sendable, Equatable {
    /// The server answers with this status (RFC 9110, 15).
    case status(Int)
    /// The server ignores the byte range of the request.
    case noRanges
    /// The answer breaks HTTP's rules, or isn't one that was asked for; the detail says how.
    case malformed
    /// Too little came for as long as was allowed.
    case stalled
    /// The input has taken longer than all of it may.
    case overdue
    /// The job was cancelled.
    case cancelled
    /// No connection, or it broke.
    case transport
  }

  package let cause: Cause
  /// Whether the server had answered the request before.
  package let hasAnswered: Bool
  /// Description of the failure, in libav's words or Pinna's.
  package let detail: String

  /// A failure from its cause.
  package init(cause: Cause, hasAnswered: Bool, detail: String) {
    self.cause = cause
    self.hasAnswered = hasAnswered
    self.detail = detail
  }

  /// Whether the same request may succeed later.
  package var isTransient: Bool {
    switch cause {
    // 408 Request Timeout and 429 Too Many Requests may pass, as errors of the server (5xx) may.
    case .status(let code): return code >= 500 || code == 408 || code == 429
    case .stalled, .transport: return true
    case .noRanges, .malformed, .overdue, .cancelled: return false
    }
  }
}
