import Platform

/// Looks for frames in the bytes of a file by the numbers in their headers.
struct FrameSearch {
  /// Bytes read at a time.
  private static let step: Int64 = 65_536
  /// Bytes that are searched for a frame: more than most frames have.
  private static let window: Int64 = 1 << 20

  private let file: LocalFile
  private let number: FrameNumber

  /// A search through `file`, whose frames have these numbers.
  init(_ file: LocalFile, _ number: FrameNumber) {
    self.file = file
    self.number = number
  }

  /// The first frame that begins at byte `place` or behind: its byte, and the number of its first sample.
  func frame(from place: Int64) -> (byte: Int64, sample: Int64)? {
    for start in stride(from: place, to: place + FrameSearch.window, by: Int(FrameSearch.step)) {
      // A header may reach into the next bytes.
      let bytes = file.bytes(
        at: start, count: Int(FrameSearch.step) + FrameNumber.longestHeader)
      for index in bytes.indices.prefix(Int(FrameSearch.step))
      where number.mayBegin(with: bytes[index]) {
        if let sample = number.sample(bytes[index...]) { return (start + Int64(index), sample) }
      }
    }
    return nil
  }

  /// The byte of a frame shortly before the one with `sample`, by bisection; `nil` when only the one at byte `begin`
  /// is found.
  func byte(before sample: Int64, from begin: Int64) -> Int64? {
    var (low, high) = (begin, file.size)
    while high - low > FrameSearch.step {
      let middle = low + (high - low) / 2
      if let found = frame(from: middle), found.byte < high, found.sample <= sample {
        low = found.byte
      } else {
        high = middle
      }
    }
    return low > begin ? low : nil
  }
}
