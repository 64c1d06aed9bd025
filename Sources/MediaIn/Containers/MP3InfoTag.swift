import AudioCore
import Platform

/// The tag that LAME and libavformat put into the first frame of an MP3: how many bytes of sound
/// follow, and their checksum.
struct MP3InfoTag {
  /// Offset of the frame that holds the tag.
  let start: Int64
  /// Bytes of that frame.
  let frameSize: Int64
  /// Bytes from ``start`` to the end of the sound.
  let length: Int64
  /// Whether the tag has the checksum that it states for itself.
  let isSound: Bool
  /// The tag's statements on the timeline.
  private let facts: GaplessFacts.InfoFrame

  private let checksum: UInt16

  /// The longest Layer III frame: 144 · 320,000 / 32,000 bytes and one of padding.
  private static let longestFrame = 1441

  /// The frame without sound that the sound of `file` begins with; `nil` when there is none that is whole.
  static func frame(in file: LocalFile) -> InfoFrame? {
    InfoFrame(file.bytes(at: ID3Tag.length(in: file), count: longestFrame))
  }

  /// Looks for the tag in the first frame of `file`; `nil` when there is none that is whole.
  init?(_ file: LocalFile) {
    start = ID3Tag.length(in: file)
    let bytes = file.bytes(at: start, count: MP3InfoTag.longestFrame)
    guard let frame = InfoFrame(bytes), let lame = frame.lame, lame.hasChecksums,
      lame.length > frame.size
    else { return nil }
    frameSize = Int64(frame.size)
    length = lame.length
    checksum = lame.soundChecksum
    facts = frame.facts
    let (stated, field) = (Int(lame.ownChecksum), lame.offset + 34)
    isSound =
      stated == Int(MP3InfoTag.crc(bytes[..<field], 0))
      || stated == MP3InfoTag.sumOfLibAV(bytes[..<frame.size], field: field)
  }

  /// The tag's checksum as libavformat makes it: over 190 bytes wherever tag and frame end, with zeros in the `field`
  /// of the checksum itself and behind the frame. In stereo this is what LAME writes.
  private static func sumOfLibAV(_ frame: ArraySlice<UInt8>, field: Int) -> Int? {
    guard field + 2 <= 190 else { return nil }
    var bytes = frame.prefix(190) + [UInt8](repeating: 0, count: max(0, 190 - frame.count))
    bytes[field] = 0
    bytes[field + 1] = 0
    return Int(crc(bytes, 0))
  }

  /// Samples of the encoder's input, by the numbers of frames, start-up samples and padding; `nil` when the tag doesn't
  /// count the frames, isn't sound itself, or isn't of the sound that is there.
  func programmeSamples(_ file: LocalFile) -> Int64? {
    guard isSound, !isCut(file), !isFollowedByFrame(file), let samples = facts.programmeSamples,
      samples > 0
    else { return nil }
    return samples
  }

  /// Whether more frames follow the sound, as in joined files.
  private func isFollowedByFrame(_ file: LocalFile) -> Bool {
    let next = file.bytes(at: start + length, count: 4)
    return next.count == 4 && MP3Frames.shape(next) != nil
  }

  /// Whether the file ends before the sound does.
  func isCut(_ file: LocalFile) -> Bool { start + length > file.size }

  /// Whether the sound has the checksum that the tag states.
  func fits(_ file: LocalFile) -> Bool {
    var offset = start + frameSize
    let end = start + length
    var sum: UInt16 = 0
    while offset < end {
      let bytes = file.bytes(at: offset, count: Int(min(end - offset, 1 << 20)))
      guard !bytes.isEmpty else { return false }
      sum = MP3InfoTag.crc(bytes[...], sum)
      offset += Int64(bytes.count)
    }
    return sum == checksum
  }

  /// CRC-16 with generator 0x8005, reflected.
  private static func crc(_ bytes: ArraySlice<UInt8>, _ seed: UInt16) -> UInt16 {
    bytes.reduce(seed) { sum, byte in sum >> 8 ^ table[Int((sum ^ UInt16(byte)) & 0xFF)] }
  }

  private static let table: [UInt16] = (0..<256).map { value in
    (0..<8).reduce(UInt16(value)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
