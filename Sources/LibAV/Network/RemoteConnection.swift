import AudioCore
import CFFmpeg

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
