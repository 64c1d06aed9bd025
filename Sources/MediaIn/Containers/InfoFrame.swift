import AudioCore

/// The frame without sound that encoders put in front of that of an MP3: Xing's header, as a rule with LAME's extension
/// (gabriel.mp3-tech.org/mp3infotag.html), or that of Fraunhofer's encoder (VBRI).
struct InfoFrame {
  /// The extension of Xing's header by LAME and libavformat.
  struct Extension {
    /// Its offset in the frame.
    let offset: Int
    /// Samples that the encoder put in front, and with which it filled up the last frame.
    let delay, padding: Int
    /// Bytes from the frame's beginning to the end of the sound.
    let length: Int64
    /// Whether its writer is one that states true checksums.
    let hasChecksums: Bool
    /// Checksum of the bytes between the frame and the end of the sound, and of the frame itself.
    let soundChecksum, ownChecksum: UInt16
  }

  /// Samples by which any decoder of layer III is late (528 of the filter bank, and one more), which LAME's numbers don't
  /// contain.
  private static let decoderDelay = 529

  /// Bytes of the frame.
  let size: Int
  /// Samples of each frame.
  let samplesPerFrame: Int
  /// Frames that follow; `nil` where it doesn't count them.
  private(set) var frames: Int64?
  /// LAME's extension; `nil` without one.
  private(set) var lame: Extension?

  /// Reads the frame that `bytes` begin with; `nil` where they don't hold a whole one, or it is one of sound.
  init?(_ bytes: [UInt8]) {
    guard bytes.count > 4, let shape = MP3Frames.shape(bytes), bytes.count >= shape.size else {
      return nil
    }
    (size, samplesPerFrame) = (shape.size, shape.samples)
    let frame = bytes[..<size]
    let place = 4 + shape.side
    if InfoFrame.holds("Xing", frame, at: place) || InfoFrame.holds("Info", frame, at: place) {
      readXing(frame, at: place)
    } else if InfoFrame.holds("VBRI", frame, at: 36) {
      // Version, delay, quality, bytes and frames. How its writers count the delay isn't documented.
      frames = InfoFrame.number(frame, 36 + 14, 4).flatMap { $0 > 0 ? $0 : nil }
    } else {
      return nil
    }
  }

  private mutating func readXing(_ frame: ArraySlice<UInt8>, at place: Int) {
    let flags = InfoFrame.number(frame, place + 4, 4) ?? 0
    var offset = place + 8
    if flags & 1 != 0 {
      frames = InfoFrame.number(frame, offset, 4).flatMap { $0 > 0 ? $0 : nil }
    }
    // Frames, bytes, table of places, quality.
    for (bit, count) in [(1, 4), (2, 4), (4, 100), (8, 4)] where flags & Int64(bit) != 0 {
      offset += count
    }
    // Other encoders fill the fields after the encoder's name with zeros or values of their own.
    guard ["LAME", "Lavf", "Lavc"].contains(where: { InfoFrame.holds($0, frame, at: offset) }),
      let ends = InfoFrame.number(frame, offset + 21, 3),
      let length = InfoFrame.number(frame, offset + 28, 4),
      let sums = InfoFrame.number(frame, offset + 32, 4)
    else { return }
    lame = Extension(
      offset: offset, delay: Int(ends >> 12), padding: Int(ends & 0xFFF), length: length,
      hasChecksums: ["LAME3.", "Lav"].contains { InfoFrame.holds($0, frame, at: offset) },
      soundChecksum: UInt16(sums >> 16), ownChecksum: UInt16(sums & 0xFFFF))
  }

  /// The frame's statements on the timeline. The decoder's delay comes on top of the encoder's, and the decode ends as much before the
  /// padding does.
  var facts: GaplessFacts.InfoFrame {
    GaplessFacts.InfoFrame(
      priming: lame.map { Int64($0.delay + InfoFrame.decoderDelay) },
      padding: lame.map { Int64(max(0, $0.padding - InfoFrame.decoderDelay)) },
      frames: frames, samplesPerFrame: Int64(samplesPerFrame))
  }

  private static func holds(_ name: String, _ frame: ArraySlice<UInt8>, at place: Int) -> Bool {
    frame.dropFirst(place).starts(with: name.utf8)
  }

  private static func number(_ frame: ArraySlice<UInt8>, _ place: Int, _ count: Int) -> Int64? {
    guard place + count <= frame.count else { return nil }
    return frame[place..<place + count].reduce(0) { $0 << 8 | Int64($1) }
  }
}
