import LibAV
import Platform

/// The headers of files for plain samples, as far as libavformat doesn't hand them on.
///
/// They are read once a file, because a WAV file may have 65,536 chunks before its samples.
struct PlainHeaders {
  /// The header of a WAV file.
  var riff: RIFFHeader?
  /// The header of a Core Audio file.
  var caf: CAFHeader?
  /// The header of an AU file.
  var au: AUHeader?
  /// The header of an AIFF file.
  var aiff: AIFFHeader?

  /// No header, as of a raw stream.
  init() {}

  /// Reads the header that `file` begins with.
  init(_ file: LocalFile) {
    riff = RIFFHeader(file)
    caf = CAFHeader(file)
    au = AUHeader(file)
    aiff = AIFFHeader(file)
  }

  /// How samples lie in their places.
  var bits: SampleBits { riff?.format?.stored ?? caf?.bits ?? SampleBits() }
}

/// The header of an AU file (Sun audio): where its samples end.
struct AUHeader {
  /// Byte after the last sample by the header; `nil` where the header leaves that open (0xFFFFFFFF, or 0
  /// by writers that were stopped).
  let end: Int64?

  /// Reads the header of `file`; `nil` when it isn't of this kind.
  init?(_ file: LocalFile) {
    let head = file.bytes(at: 0, count: 12)
    guard head.count == 12, head.starts(with: ".snd".utf8) else { return nil }
    let number = { (place: Int) in
      head[place..<place + 4].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    }
    let size = number(8)
    end = size == 0xFFFF_FFFF || size == 0 ? nil : number(4) + size
  }
}

/// How many bits of a plain sample's place it fills.
struct SampleBits {
  /// Bits that a sample means; 0 when unknown.
  var valid = 0
  /// Bits of its place in the file; 0 when unknown.
  var place = 0
  /// What makes libavformat read the whole place.
  var patches: [FilePatch] = []

  /// Nothing known.
  init() {}

  /// Samples of `valid` bits in frames of `bytes` bytes and `channels` channels.
  init(valid: Int, bytes: Int, channels: Int) {
    guard channels > 0, bytes > 0, bytes % channels == 0, valid > 0 else { return }
    self.valid = valid
    place = bytes / channels * 8
  }

  /// Whether samples are left-justified in a place of whole bytes more than they need, so that libavformat, which goes by the bits,
  /// would take frames of another size.
  var isShorterThanItsPlace: Bool { [8, 16, 24, 32, 64].contains(place) && valid < place }
}
