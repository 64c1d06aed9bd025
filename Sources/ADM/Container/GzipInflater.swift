import CZlib

/// Takes apart a gzip stream (RFC 1952) that may not become longer than a limit.
struct GzipInflater {
  /// Bytes of one step; what counting needs.
  private static let step = 1 << 16

  /// Bytes that may come out.
  let limit: Int

  /// The bytes that `compressed` stands for. They are counted before room for them is asked for.
  /// - Throws: ``ADMError`` of code `limit` or `container`.
  func inflate(_ compressed: ArraySlice<UInt8>) throws(ADMError) -> [UInt8] {
    let count = try run(compressed) { _ in }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    _ = try run(compressed) { result.append(contentsOf: $0) }
    return result
  }

  /// Calls `take` with each piece of the result, and returns how many bytes there are.
  private func run(
    _ compressed: ArraySlice<UInt8>, take: (UnsafeBufferPointer<UInt8>) -> Void
  ) throws(ADMError) -> Int {
    var stream = z_stream()
    // 16 more than the largest window: the stream has gzip's header, not zlib's.
    let opened = inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opened == Z_OK else {
      throw ADMError(.container, "the bxml chunk can't be inflated: zlib reports \(opened)")
    }
    defer { inflateEnd(&stream) }
    var count = 0
    let outcome = compressed.withUnsafeBufferPointer { source -> Int32 in
      // zlib's interface has no const, but it doesn't write to its input.
      stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.avail_in = UInt32(clamping: source.count)
      return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: GzipInflater.step) { room in
        while true {
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(GzipInflater.step)
          let outcome = CZlib.inflate(&stream, Z_NO_FLUSH)
          let filled = GzipInflater.step - Int(stream.avail_out)
          count += filled
          guard outcome == Z_OK || outcome == Z_STREAM_END else { return outcome }
          guard count <= limit else { return Z_OK }
          take(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(room)[..<filled]))
          if outcome == Z_STREAM_END { return outcome }
          // No room was left unused and nothing was made: the stream is cut.
          if filled == 0, stream.avail_in == 0 { return Z_BUF_ERROR }
        }
      }
    }
    guard count <= limit else {
      throw ADMError(.limit, "the bxml chunk inflates to more than \(limit) bytes")
    }
    guard outcome == Z_STREAM_END else {
      throw ADMError(
        .container,
        "the bxml chunk is no whole gzip stream: zlib reports \(outcome) after \(count) bytes")
    }
    return count
  }
}
