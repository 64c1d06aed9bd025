import AudioCore
import CFFmpeg

/// One transfer over http or https, read from front to end (AVIOContext of libavformat's http).
///
/// Only http, https and what they need below them can be opened, redirections included.
/// Certificates are checked.
package final class RemoteResource {
  /// Seconds without a byte after which a transfer counts as stalled.
  package static let patience = 20.0
  private static let protocols = "http,https,tcp,tls,httpproxy"

  private var handle: UnsafeMutablePointer<AVIOContext>?
  private let watch: TransferWatch

  /// Sends the request for `url` and waits for the answer. `range` asks for these bytes only; an
  /// end of `Int64.max` means all the rest. `authorities` is a PEM file with certificates to believe.
  /// - Throws: ``RemoteFailure``.
  package init(
    url: String, range: Range<Int64>, authorities: String? = nil,
    patience: Double = RemoteResource.patience, isCancelled: @escaping () -> Bool
  ) throws(RemoteFailure) {
    watch = TransferWatch(patience: patience, isCancelled: isCancelled)
    var values = [
      "protocol_whitelist": RemoteResource.protocols, "user_agent": "Pinna", "icy": "0",
      "tls_verify": "1", "offset": "\(range.lowerBound)",
      "end_offset": range.upperBound == .max ? "0" : "\(range.upperBound)",
    ]
    values["ca_file"] = authorities
    let options = OpenOptions(values)
    // The opaque pointer is unretained: the transfer is closed in deinit, before the watch goes.
    var interrupt = AVIOInterruptCB(
      callback: { opaque in
        guard let opaque else { return 0 }
        return Unmanaged<TransferWatch>.fromOpaque(opaque).takeUnretainedValue().isOver ? 1 : 0
      }, opaque: Unmanaged.passUnretained(watch).toOpaque())
    LibAVLog.forgetThread()
    let code = avio_open2(&handle, url, AVIO_FLAG_READ, &interrupt, &options.handle)
    guard code >= 0 else { throw failure(code, hasAnswered: false) }
    watch.noteLife()
  }

  deinit { avio_closep(&handle) }

  /// Bytes of the whole resource; `nil` when the server doesn't state it.
  package var size: Int64? {
    let size = avio_size(handle)
    return size >= 0 ? size : nil
  }

  /// The media type the server names, without parameters, lower case.
  package var mediaType: String? {
    option("mime_type").map {
      $0.split(separator: ";").first.map(String.init)?.lowercased() ?? ""
    }
  }

  /// The address after all redirections.
  package var location: String? { option("location") }

  /// Reads up to `bytes.count` bytes; 0 at the end.
  /// - Throws: ``RemoteFailure``; also for an end before the size that the server named.
  package func read(into bytes: UnsafeMutableRawBufferPointer) throws(RemoteFailure) -> Int {
    let target = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    watch.noteLife()
    let got = avio_read_partial(handle, target, Int32(clamping: bytes.count))
    if got == PINNA_EOF { return 0 }
    guard got >= 0 else { throw failure(got, hasAnswered: true) }
    return Int(got)
  }

  private func option(_ name: String) -> String? {
    var text: UnsafeMutablePointer<UInt8>?
    guard av_opt_get(handle, name, AV_OPT_SEARCH_CHILDREN, &text) >= 0, let text else { return nil }
    defer { av_free(text) }
    return String(cString: text)
  }

  private func failure(_ code: Int32, hasAnswered: Bool) -> RemoteFailure {
    let lines = LibAVLog.threadLines
    let cause = watch.verdict ?? RemoteResource.cause(code, lines)
    return RemoteFailure(
      cause: cause, hasAnswered: hasAnswered,
      detail: lines.last.map(RemoteResource.withoutOrigin) ?? "\(LibAVError(code: code))")
  }

  /// A line of the log without the object it came from (`[tcp @ 0x7f…]`).
  private static func withoutOrigin(_ line: String) -> String {
    guard line.hasPrefix("["), let end = line.firstRange(of: "] ") else { return line }
    return String(line[end.upperBound...])
  }

  /// The cause of a code. libav's codes name few statuses; its log names the rest.
  private static func cause(_ code: Int32, _ lines: [String]) -> RemoteFailure.Cause {
    let known: [Int32: Int] = [
      PINNA_HTTP_BAD_REQUEST: 400, PINNA_HTTP_UNAUTHORIZED: 401, PINNA_HTTP_FORBIDDEN: 403,
      PINNA_HTTP_NOT_FOUND: 404, PINNA_HTTP_TOO_MANY_REQUESTS: 429, PINNA_HTTP_OTHER_4XX: 0,
      PINNA_HTTP_SERVER_ERROR: 500,
    ]
    if let status = known[code] { return .status(lines.compactMap(status(in:)).last ?? status) }
    // When the first byte that comes isn't the one it asked for, libavformat returns EPERM; from
    // FFmpeg 8.1 on it returns EIO and says so in its log only.
    let isElsewhere =
      code == PINNA_EPERM
      || code == PINNA_EIO && lines.contains { $0.contains("Unexpected offset") }
    return isElsewhere ? .noRanges : .transport
  }

  private static func status(in line: String) -> Int? {
    guard let mark = line.firstRange(of: "HTTP error ") else { return nil }
    return Int(line[mark.upperBound...].prefix { $0.isNumber })
  }
}
