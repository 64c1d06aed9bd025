/// Reads and writes of descriptors that a signal doesn't break off.
///
/// The names aren't libc's `read` and `write`: a type with a method of such a name could reach libc's only
/// through the name of libc's module, which differs between systems.
package enum Descriptor {
  /// Writes all of `bytes`.
  /// - Returns: 0, or the `errno`.
  package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let moved = write(descriptor, rest.baseAddress, rest.count)
        if moved < 0, errno == EINTR { continue }
        guard moved > 0 else { return moved == 0 ? ENOSPC : errno }
        done += moved
      }
      return 0
    }
  }

  /// Reads `count` bytes at `offset` of a file to `target`; fewer only at the file's end.
  /// - Returns: how many were read, or −`errno`.
  package static func readAll(
    _ descriptor: Int32, into target: UnsafeMutableRawPointer, count: Int, at offset: Int64
  ) -> Int {
    var done = 0
    while done < count {
      let got = pread(descriptor, target + done, count - done, off_t(offset) + off_t(done))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return -Int(errno) }
      guard got > 0 else { break }
      done += got
    }
    return done
  }

  /// Reads at most `count` bytes to the front of `room`, or as many as fit.
  /// - Returns: how many were read, 0 at the end, or -1 with the reason in `errno`.
  package static func readSome(
    _ descriptor: Int32, into room: inout [UInt8], atMost count: Int = .max
  ) -> Int {
    while true {
      let got = read(descriptor, &room, min(room.count, count))
      if got >= 0 || errno != EINTR { return got }
    }
  }
}
