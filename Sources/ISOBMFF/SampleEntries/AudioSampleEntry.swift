// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The fields all audio sample entries begin with, version 0 (ISO/IEC 14496-12, 12.2.3).
///
/// The rate field has 16 bits before the point. Beyond 65535 Hz the standard's `srat` box needs
/// version 1 entries, which older readers take for QuickTime's; so the field is 0 there, and readers
/// use the codec's own configuration or the track's timescale, which must be the sample rate.
package struct AudioSampleEntry: WritableBox, Equatable {
  /// Four-character code of the coding.
  package var format: String
  /// Channels, 1…65535.
  package var channels: Int
  /// Bits of a sample; 16 for codings that have no such number.
  package var bitsPerSample: Int
  /// Value of the rate field in Hz; written as 0 beyond 65535.
  package var sampleRate: Int
  /// Complete boxes after the fields.
  package var boxes: [UInt8]

  /// An entry of the given fields.
  package init(
    format: String, channels: Int, bitsPerSample: Int = 16, sampleRate: Int, boxes: [UInt8] = []
  ) {
    self.format = format
    self.channels = channels
    self.bitsPerSample = bitsPerSample
    self.sampleRate = sampleRate
    self.boxes = boxes
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) {
    builder.box(format) { box in
      box.zeros(6)
      box.u16(1)
      box.zeros(8)
      box.u16(channels)
      box.u16(bitsPerSample)
      box.zeros(4)
      box.fixed16((0...65_535).contains(sampleRate) ? sampleRate : 0)
      box.append(boxes)
    }
  }
}

/// A PCM track's sample entry: `ipcm` or `fpcm` with `pcmC` (ISO/IEC 23003-5, 5.1 to 5.3).
package struct PCMSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - isFloat: floating point (32 or 64 bits) instead of integers (16, 24 or 32 bits).
  ///   - bits: bits of one channel's sample.
  ///   - isLittleEndian: order of a sample's bytes.
  ///   - channels: channels, 1…65535.
  ///   - sampleRate: Hz; the track's timescale must be the same.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for other numbers of bits.
  package init(
    isFloat: Bool, bits: Int, isLittleEndian: Bool, channels: Int, sampleRate: Int,
    boxes: [UInt8] = []
  ) throws {
    guard (isFloat ? [32, 64] : [16, 24, 32]).contains(bits) else {
      throw BoxError("pcmC", "\(isFloat ? "float" : "integer") samples of \(bits) bits")
    }
    var builder = BoxBuilder()
    builder.fullBox("pcmC") { box in
      box.u8(isLittleEndian ? 1 : 0)
      box.u8(bits)
    }
    entry = AudioSampleEntry(
      format: isFloat ? "fpcm" : "ipcm", channels: channels, bitsPerSample: bits,
      sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}

/// A FLAC track's sample entry: `fLaC` with `dfLa` (Encapsulation of FLAC in ISO Base Media File
/// Format, 3.3.1 and 3.3.2). Channels, bits and rate are those of STREAMINFO (RFC 9639, 8.2).
package struct FLACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - streamInfo: body of the STREAMINFO block, 34 bytes.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for another length or a rate of 0.
  package init(streamInfo: [UInt8], boxes: [UInt8] = []) throws {
    guard streamInfo.count == 34 else {
      throw BoxError("dfLa", "STREAMINFO of \(streamInfo.count) bytes instead of 34")
    }
    let fields = streamInfo.bigEndian32(at: 10)
    let sampleRate = Int(fields >> 12)
    guard sampleRate > 0 else { throw BoxError("dfLa", "STREAMINFO without a sample rate") }
    var builder = BoxBuilder()
    builder.fullBox("dfLa") { box in
      // Last metadata block, type 0.
      box.u8(0x80)
      box.u24(streamInfo.count)
      box.append(streamInfo)
    }
    entry = AudioSampleEntry(
      format: "fLaC", channels: Int(fields >> 9 & 7) + 1,
      bitsPerSample: Int(fields >> 4 & 31) + 1,
      sampleRate: FLACSampleEntry.expressible(sampleRate), boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// The rate, halved until 16 bits hold it, or 65535 when it can't be halved: the standard's
  /// "regular division", 48000 for 96 and 192 kHz.
  private static func expressible(_ rate: Int) -> Int {
    var rate = rate
    while rate > 65_535 {
      guard rate % 2 == 0 else { return 65_535 }
      rate /= 2
    }
    return rate
  }
}

/// An Apple Lossless track's sample entry: `alac` around a box of the same name (Apple Lossless
/// Format "Magic Cookie" Description).
package struct ALACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - cookie: ALACSpecificConfig of 24 bytes, or the 36-byte box around it.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for another length or a rate of 0.
  package init(cookie: [UInt8], boxes: [UInt8] = []) throws {
    let isBoxed = cookie.count == 36 && cookie[4..<8].elementsEqual("alac".utf8)
    guard isBoxed || cookie.count == 24 else {
      throw BoxError("alac", "magic cookie of \(cookie.count) bytes instead of 24 or 36")
    }
    let configuration = Array(cookie.suffix(24))
    let sampleRate = Int(configuration.bigEndian32(at: 20))
    guard sampleRate > 0 else { throw BoxError("alac", "magic cookie without a sample rate") }
    var builder = BoxBuilder()
    builder.fullBox("alac") { $0.append(configuration) }
    entry = AudioSampleEntry(
      format: "alac", channels: Int(configuration[9]), bitsPerSample: Int(configuration[5]),
      sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}

/// An AAC track's sample entry: `mp4a` with `esds` (ISO/IEC 14496-14, 5.6; the descriptors are
/// ISO/IEC 14496-1, 7.2.6).
package struct AACSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - configuration: AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1), 2…1024 bytes.
  ///   - channels: channels, 1…65535.
  ///   - sampleRate: Hz.
  ///   - averageBitRate: bits a second; 0 when it varies or is unknown.
  ///   - peakBitRate: most bits in any second; the average when 0.
  ///   - boxes: whole boxes to follow, e.g. a ``ChannelLayoutBox``.
  /// - Throws: ``BoxError`` for an impossible configuration.
  package init(
    configuration: [UInt8], channels: Int, sampleRate: Int, averageBitRate: Int = 0,
    peakBitRate: Int = 0, boxes: [UInt8] = []
  ) throws {
    guard (2...1024).contains(configuration.count) else {
      throw BoxError("esds", "AudioSpecificConfig of \(configuration.count) bytes")
    }
    var builder = BoxBuilder()
    builder.fullBox("esds") { box in
      AACSampleEntry.descriptor(3, in: &box) { stream in
        // ES_ID 0 and no flags, as files ask for.
        stream.zeros(3)
        AACSampleEntry.descriptor(4, in: &stream) { decoder in
          // MPEG-4 audio; an audio stream, not upstream, reserved bit set.
          decoder.u8(0x40)
          decoder.u8(0x15)
          // The decoder's input buffer: 6144 bits a channel (ISO/IEC 14496-3, 4.5.3.1).
          decoder.u24(min(max(channels, 1), 64) * 768)
          decoder.u32(max(peakBitRate, averageBitRate))
          decoder.u32(averageBitRate)
          AACSampleEntry.descriptor(5, in: &decoder) { $0.append(configuration) }
        }
        // Synchronisation as MP4 files predefine it.
        AACSampleEntry.descriptor(6, in: &stream) { $0.u8(2) }
      }
    }
    entry = AudioSampleEntry(
      format: "mp4a", channels: channels, sampleRate: sampleRate, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }

  /// A descriptor with its length in four bytes, the form every reader knows.
  private static func descriptor(
    _ tag: UInt8, in builder: inout BoxBuilder, _ body: (inout BoxBuilder) -> Void
  ) {
    var inner = BoxBuilder()
    body(&inner)
    builder.u8(tag)
    for shift in [21, 14, 7] { builder.u8(0x80 | (inner.bytes.count >> shift & 0x7F)) }
    builder.u8(inner.bytes.count & 0x7F)
    builder.append(inner.bytes)
  }
}

/// An Opus track's sample entry: `Opus` with `dOps` (Encapsulation of Opus in ISO Base Media File
/// Format, 4.3.1 and 4.3.2), made from an OpusHead (RFC 7845, 5.1).
package struct OpusSampleEntry: WritableBox, Equatable {
  /// Samples at 48 kHz to be dropped at the start.
  package let preSkip: Int
  private let entry: AudioSampleEntry

  /// An entry for a stream.
  /// - Parameters:
  ///   - head: OpusHead with its signature, as Ogg files and libav have it.
  ///   - boxes: whole boxes to follow.
  /// - Throws: ``BoxError`` when it is no OpusHead of version 1 or its mapping is cut off.
  package init(head: [UInt8], boxes: [UInt8] = []) throws {
    guard head.count >= 19, head.starts(with: "OpusHead".utf8), head[8] >> 4 == 0 else {
      throw BoxError("dOps", "no OpusHead of version 1")
    }
    let channels = Int(head[9])
    let family = head[18]
    let mapping = family == 0 ? [] : Array(head[19...].prefix(2 + channels))
    guard channels > 0, family != 0 || channels <= 2, family == 0 || mapping.count == 2 + channels
    else { throw BoxError("dOps", "OpusHead with \(channels) channels and a wrong mapping") }
    preSkip = Int(head[10]) | Int(head[11]) << 8
    var builder = BoxBuilder()
    builder.box("dOps") { box in
      box.u8(0)
      box.u8(channels)
      // Fields of OpusHead, which is little-endian.
      for field in [10..<12, 12..<16, 16..<18] { box.append(head[field].reversed()) }
      box.u8(family)
      box.append(mapping)
    }
    entry = AudioSampleEntry(
      format: "Opus", channels: channels, sampleRate: 48_000, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}

/// The sample entry of an IAMF track: `iamf` with `iacb` (Immersive Audio Model and Formats 1.1, 6). Channel count and
/// rate are 0, because the descriptors state them.
package struct IAMFSampleEntry: WritableBox, Equatable {
  private let entry: AudioSampleEntry

  /// An entry for a sequence.
  /// - Parameters:
  ///   - configuration: the content of `iacb`.
  ///   - boxes: whole boxes to follow.
  package init(configuration: [UInt8], boxes: [UInt8] = []) {
    var builder = BoxBuilder()
    builder.box("iacb") { $0.append(configuration) }
    entry = AudioSampleEntry(
      format: "iamf", channels: 0, sampleRate: 0, boxes: builder.bytes + boxes)
  }

  /// Appends the whole entry.
  package func append(to builder: inout BoxBuilder) { entry.append(to: &builder) }
}
