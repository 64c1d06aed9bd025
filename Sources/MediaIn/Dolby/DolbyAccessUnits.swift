// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Joins the syncframes of AC-3 or E-AC-3 to samples of MP4. Each holds the frames of all substreams for
/// 1536 samples of sound (ETSI TS 102 366, F.2 and F.5).
struct DolbyAccessUnits {
  /// An access unit, or a place where no whole frame lies.
  struct Unit: Equatable {
    /// Its frames; empty where it is damaged.
    let bytes: [UInt8]
    /// Samples per channel.
    let samples: Int
    /// Whether bytes lie there that are no frame with a right checksum.
    let isDamaged: Bool

    /// A damaged place, which may have been any number of units.
    static let damaged = Unit(bytes: [], samples: DolbyAccessUnits.samples, isDamaged: true)
  }

  /// Samples per channel of an access unit.
  static let samples = 1536
  /// More than the longest header.
  private static let longestHeader = 256

  private var bytes: [UInt8] = []
  /// Bytes that were taken or passed over.
  private var start = 0
  private var unit: [UInt8] = []
  private var held = 0
  /// Frames of the unit that was completed last.
  private(set) var frames: [DolbySyncframe] = []
  private var gathered: [DolbySyncframe] = []
  /// Frames taken so far.
  private(set) var count = 0
  /// Sample rate of the first frame in Hz; `nil` before it.
  private(set) var sampleRate: Int?

  /// Whether nothing has come that may belong to a frame.
  var isBlank: Bool { sampleRate == nil && start == bytes.count }

  /// Takes the next bytes of the stream and answers the units that are now complete. A unit is complete
  /// when the next one begins.
  mutating func push(_ more: [UInt8]) -> [Unit] {
    bytes += more
    defer {
      bytes.removeFirst(start)
      start = 0
    }
    return cut(isAtEnd: false)
  }

  /// The rest of the stream.
  mutating func finish() -> [Unit] {
    let done = cut(isAtEnd: true)
    return unit.isEmpty ? done : done + [finishUnit()]
  }

  /// Samples of the unit that would come next.
  var pendingSamples: Int { held }

  private mutating func cut(isAtEnd: Bool) -> [Unit] {
    var done: [Unit] = []
    var isLost = false
    while bytes.count - start >= (isAtEnd ? 1 : 8) {
      let frame = DolbySyncframe(Array(bytes[start...].prefix(DolbyAccessUnits.longestHeader)))
      if let frame, frame.size > bytes.count - start, !isAtEnd { break }
      guard let frame, frame.isIntact(bytes[start...]) else {
        if !isLost { done += breakUnit() }
        isLost = true
        skipToCandidate()
        continue
      }
      isLost = false
      if frame.role == .independent, frame.substream == 0 {
        if held >= DolbyAccessUnits.samples { done.append(finishUnit()) }
        held += frame.samples
      }
      count += 1
      sampleRate = sampleRate ?? frame.sampleRate
      gathered.append(frame)
      unit += bytes[start..<(start + frame.size)]
      start += frame.size
    }
    return done
  }

  /// Moves on to the next byte that may begin a frame.
  private mutating func skipToCandidate() {
    start += 1
    while start < bytes.count, bytes[start] != 0x0B { start += 1 }
  }

  /// The unit before a damaged place, and that place. The unit counts as damaged where it has fewer frames than
  /// the one before, since the others may have lain in that place.
  private mutating func breakUnit() -> [Unit] {
    guard !unit.isEmpty else { return [.damaged] }
    guard gathered.count >= frames.count else {
      _ = takeUnit()
      return [.damaged]
    }
    return [finishUnit(), .damaged]
  }

  private mutating func finishUnit() -> Unit {
    frames = gathered
    let samples = min(held, DolbyAccessUnits.samples)
    return Unit(bytes: takeUnit(), samples: samples, isDamaged: false)
  }

  private mutating func takeUnit() -> [UInt8] {
    defer {
      unit = []
      held = 0
      gathered = []
    }
    return unit
  }
}

/// One syncframe of AC-3 or E-AC-3: its size, and the fields that the configuration boxes of MP4 repeat
/// (ETSI TS 102 366, 4.3, 4.4.1 and E.1.3.1).
struct DolbySyncframe: Sendable, Equatable {
  /// Role of an E-AC-3 frame (`strmtyp`).
  enum Role: Sendable, Equatable {
    /// A programme of its own; also any AC-3 frame.
    case independent
    /// More channels for the independent frame before it.
    case dependent
  }

  /// Size of the frame in bytes.
  let size: Int
  /// Samples per channel: 256 times its blocks.
  let samples: Int
  /// Sample rate in Hz.
  let sampleRate: Int
  let role: Role
  /// `substreamid`; 0 for AC-3.
  let substream: Int
  /// `fscod`.
  let rateCode: Int
  /// `bsid`.
  let identification: Int
  /// `acmod`.
  let channelMode: Int
  /// `lfeon`.
  let hasLFE: Bool
  /// Index of the bit rate: `frmsizecod` without its lowest bit; 0 for E-AC-3.
  let bitRateCode: Int
  /// The rest of the header.
  let header: DolbyHeader

  /// Whether it is E-AC-3.
  var isEnhanced: Bool { header.isEnhanced }

  /// Full-bandwidth channels and LFE.
  var channels: Int { [2, 1, 2, 3, 3, 4, 4, 5][channelMode] + (hasLFE ? 1 : 0) }

  /// Whether all of the frame that begins `bytes` is there with a right checksum (6.10.1; all of it but the sync word).
  func isIntact(_ bytes: ArraySlice<UInt8>) -> Bool {
    size >= DolbySyncframe.leastSize && size <= bytes.count
      && Checksums.dolby.of(bytes.prefix(size).dropFirst(2)) == 0
  }

  /// Bytes that the fields below lie in; E-AC-3 could state fewer.
  private static let leastSize = 8
  private static let rates = [48_000, 44_100, 32_000]
  /// Bit rates in kbit/s by index (table 4.13).
  static let bitRates = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// Reads the frame that begins `bytes`; `nil` when none does.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= DolbySyncframe.leastSize, bytes[0] == 0x0B, bytes[1] == 0x77,
      let header = DolbyHeader(Array(bytes.prefix(256)))
    else { return nil }
    let identification = Int(bytes[5] >> 3)
    let frame = bytes.withUnsafeBufferPointer { buffer -> DolbySyncframe? in
      var bits = BitReader<Never>(UnsafeBufferPointer(rebasing: buffer.prefix(16)))
      bits.skip(16)
      return header.isEnhanced
        ? DolbySyncframe(enhanced: &bits, identification, header)
        : DolbySyncframe(plain: &bits, identification, header)
    }
    guard let frame else { return nil }
    self = frame
  }

  private init?(
    enhanced bits: inout BitReader<Never>, _ identification: Int, _ header: DolbyHeader
  ) {
    self.header = header
    self.identification = identification
    let type = bits.read(2)
    role = type == 1 ? .dependent : .independent
    substream = bits.read(3)
    size = (bits.read(11) + 1) * 2
    rateCode = bits.read(2)
    let code = bits.read(2)
    // At half rates (`fscod` 3) the next two bits are `fscod2`, the rate, and the frame always has six blocks.
    let blocks = rateCode == 3 ? 6 : [1, 2, 3, 6][code]
    guard type != 3, rateCode != 3 || code != 3 else { return nil }
    sampleRate = rateCode == 3 ? DolbySyncframe.rates[code] / 2 : DolbySyncframe.rates[rateCode]
    samples = blocks * 256
    channelMode = bits.read(3)
    hasLFE = bits.flag()
    bitRateCode = 0
  }

  private init?(
    plain bits: inout BitReader<Never>, _ identification: Int, _ header: DolbyHeader
  ) {
    self.header = header
    self.identification = identification
    bits.skip(16)
    rateCode = bits.read(2)
    let sizeCode = bits.read(6)
    guard rateCode < 3, sizeCode < 38 else { return nil }
    bitRateCode = sizeCode >> 1
    // Words of 16 bits in 1536 samples. At 44.1 kHz that isn't a whole number: the lowest bit of
    // `frmsizecod` marks frames with one word more.
    let rate = DolbySyncframe.rates[rateCode]
    let words = DolbySyncframe.bitRates[bitRateCode] * 96_000 / rate
    size = 2 * (words + (rateCode == 1 ? sizeCode & 1 : 0))
    // `bsid` 9 and 10 halve and quarter the sample rate.
    let shift = max(8, identification) - 8
    sampleRate = rate >> shift
    samples = 1536
    role = .independent
    substream = 0
    bits.skip(5 + 3)
    channelMode = bits.read(3)
    if channelMode & 1 != 0 && channelMode != 1 { bits.skip(2) }
    if channelMode & 4 != 0 { bits.skip(2) }
    if channelMode == 2 { bits.skip(2) }
    hasLFE = bits.flag()
  }
}
