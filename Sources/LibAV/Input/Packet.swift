// SPDX-License-Identifier: Apache-2.0
import CFFmpeg

/// One demuxed packet (AVPacket).
package final class Packet {
  var handle: UnsafeMutablePointer<AVPacket>?

  /// An empty packet.
  /// - Throws: ``LibAVError`` when memory is out.
  package init() throws {
    handle = av_packet_alloc()
    guard handle != nil else { throw LibAVError(code: PINNA_ENOMEM) }
  }

  deinit { av_packet_free(&handle) }

  /// Takes `data` as the payload in place of the content.
  /// - Throws: ``LibAVError`` when memory is out.
  func fill(_ data: [UInt8]) throws {
    av_packet_unref(handle)
    guard let handle, av_new_packet(handle, Int32(clamping: data.count)) >= 0 else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    data.withUnsafeBytes { bytes in
      if let base = bytes.baseAddress, let target = handle.pointee.data {
        UnsafeMutableRawPointer(target).copyMemory(from: base, byteCount: bytes.count)
      }
    }
  }

  /// Takes a part of the content as the whole: `data`, at `time` and for `duration` ticks of the same stream.
  /// - Throws: ``LibAVError`` when memory is out.
  package func narrow(to data: [UInt8], time: Int64?, duration: Int64) throws {
    let (stream, place) = (handle?.pointee.stream_index ?? -1, handle?.pointee.pos ?? -1)
    try fill(data)
    handle?.pointee.stream_index = stream
    handle?.pointee.pos = place
    handle?.pointee.pts = time ?? PINNA_NOPTS
    handle?.pointee.duration = duration
  }

  /// Drops the content.
  package func clear() { av_packet_unref(handle) }

  /// Index of the packet's stream.
  package var streamIndex: Int { Int(handle?.pointee.stream_index ?? -1) }

  /// Presentation time in stream ticks.
  package var presentationTime: Int64? {
    handle.flatMap { $0.pointee.pts == PINNA_NOPTS ? nil : $0.pointee.pts }
  }

  /// Sets the presentation time, in stream ticks.
  package func present(at time: Int64) { handle?.pointee.pts = time }

  /// Decoding time in stream ticks.
  package var decodeTime: Int64? {
    handle.flatMap { $0.pointee.dts == PINNA_NOPTS ? nil : $0.pointee.dts }
  }

  /// Byte of the file at which it begins; `nil` when unknown.
  package var position: Int64? {
    handle.flatMap { $0.pointee.pos < 0 ? nil : $0.pointee.pos }
  }

  /// Whether decoding may begin here.
  package var isKey: Bool { (handle?.pointee.flags ?? 0) & AV_PKT_FLAG_KEY != 0 }

  /// Duration in stream ticks; 0 when unknown.
  package var duration: Int64 { handle?.pointee.duration ?? 0 }

  /// Payload bytes.
  package var size: Int { Int(handle?.pointee.size ?? 0) }

  /// Whether the container marks the payload as damaged.
  package var isCorrupt: Bool { (handle?.pointee.flags ?? 0) & AV_PKT_FLAG_CORRUPT != 0 }

  /// Whether the payload is encrypted.
  package var isEncrypted: Bool {
    guard let handle else { return false }
    return av_packet_get_side_data(handle, AV_PKT_DATA_ENCRYPTION_INFO, nil) != nil
  }

  /// Samples at its end that the container says aren't presented.
  package var paddingSamples: Int {
    guard let handle else { return 0 }
    var size = 0
    guard let data = av_packet_get_side_data(handle, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8
    else { return 0 }
    // Two numbers of 32 bits, lowest byte first: samples at the beginning and at the end.
    return (4..<8).reversed().reduce(0) { $0 << 8 | Int(data[$1]) }
  }

  /// A copy of the first `count` payload bytes, or all of them.
  package func bytes(first count: Int = .max) -> [UInt8] {
    guard let handle, let data = handle.pointee.data else { return [] }
    return Array(UnsafeBufferPointer(start: data, count: min(count, size)))
  }

  /// Hands the payload to `body` without copying it.
  package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows
    -> Result
  {
    try body(
      UnsafeBufferPointer(
        start: handle?.pointee.data, count: handle?.pointee.data == nil ? 0 : size))
  }
}
