import Platform

/// Looks through a file of bare frames for signs that several files were joined to it.
struct NumberedRun {
  /// Places that are looked at.
  private static let probes: Int64 = 8
  /// Bytes at the end that hold a frame.
  private static let tail: Int64 = 262_144

  private let file: LocalFile
  private let number: FrameNumber

  /// A search through `file`, whose frames have these numbers.
  init(_ file: LocalFile, _ number: FrameNumber) {
    self.file = file
    self.number = number
  }

  /// Whether the numbers grow from each place to the next and stay below `samples`, which the header states of the
  /// whole; also `false` where no frame is found, or the header states less than `sample` samples.
  func isOne(of samples: Int64, behind sample: Int64) -> Bool {
    guard samples > sample else { return false }
    let last = file.size - NumberedRun.tail
    let search = FrameSearch(file, number)
    var before: Int64 = -1
    for probe in 1...NumberedRun.probes {
      let place = max(0, last) / NumberedRun.probes * probe
      guard let found = search.frame(from: place)?.sample, found > before, found < samples else {
        // The places of a short file overlap.
        return false
      }
      before = found
    }
    return true
  }
}
