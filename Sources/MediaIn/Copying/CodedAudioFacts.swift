// SPDX-License-Identifier: Apache-2.0
import AC4
import AudioCore
import IAMF
import ISOBMFF
import Signal

/// Facts of a track that is copied, from its first frame and its container.
package struct CodedAudioFacts {
  /// Payload of `dac3`, `dec3`, `dac4`, `mhaC` or `iacb`, or AudioSpecificConfig of AAC; empty where the frames hold it.
  package let configuration: [UInt8]
  /// Channels to state in the sample entry, LFE included.
  package let channels: Int
  /// Sample rate, Hz.
  package let sampleRate: Int
  /// The codec as HLS and MIME types name it (RFC 6381).
  package let codec: String
  /// Complexity index of joint object coding (ETSI TS 103 420, 8.3); 0 for none.
  package let objectComplexity: Int
  /// Dialogue normalisation in dB relative to full scale; `nil` for AC-4, whose header isn't searched.
  package let dialnorm: Int?

  /// The facts of a track whose first frame is `first`.
  /// - Throws: ``MediaError`` when the frame can't be read.
  static func read(
    _ choice: CopyChoice, _ source: any AccessUnitSource, first: [UInt8], path: String
  ) throws -> CodedAudioFacts {
    if let units = source as? IAMFCopyUnits { return CodedAudioFacts(units) }
    switch choice.coding {
    case .aac: return try CodedAudioFacts(aac: choice, source, path)
    case .mpegH(let form): return CodedAudioFacts(mpegH: choice, form, first)
    case .dolby(.ac4): return try CodedAudioFacts(ac4: choice, first, path)
    case .dolby, .iamf: return try CodedAudioFacts(dolby: choice, first, path)
    }
  }

  private init(_ units: IAMFCopyUnits) {
    configuration = ConfigurationBox(configOBUs: units.descriptors).content
    let elements = units.description.playableMixes.first?.elements ?? []
    channels = elements.reduce(0) {
      $0 + (units.description.playableElements[$1.id]?.decodedCount ?? 0)
    }
    sampleRate = Int(units.timescale)
    codec = units.description.codecsText
    objectComplexity = 0
    dialnorm = nil
  }

  private init(aac choice: CopyChoice, _ source: any AccessUnitSource, _ path: String) throws {
    let stored = choice.stream.extradata
    guard let bytes = stored.isEmpty ? (source as? AACUnits)?.configuration : stored,
      bytes.count >= 2
    else {
      throw MediaError(
        .unsupportedCodec, about: path,
        "its AAC states its channels in the frames alone, which MP4 can't; choose another \(setting: .codec)"
      )
    }
    configuration = bytes
    (channels, sampleRate) = (choice.stream.sound.channels, choice.stream.sound.sampleRate)
    // Types from 32 on have their number in the six bits that follow the escape (ISO/IEC 14496-3, 1.6.2.1).
    let type = Int(bytes[0] >> 3)
    codec = "mp4a.40.\(type == 31 ? 32 + (Int(bytes[0] & 7) << 3 | Int(bytes[1] >> 5)) : type)"
    objectComplexity = 0
    dialnorm = nil
  }

  private init(mpegH choice: CopyChoice, _ form: MPEGHSampleEntry.Form, _ first: [UInt8]) {
    let facts = MPEGHConfiguration(mhaC: choice.configuration) ?? MPEGHConfiguration(packets: first)
    configuration = choice.configuration ?? []
    channels = facts?.channels ?? choice.stream.sound.channels
    sampleRate = choice.stream.sound.sampleRate
    // The level is written with its hexadecimal number (ISO/IEC 23008-3, 21.2).
    let level = facts.map {
      ".0x" + $0.level.hexadecimal(2, uppercase: true)
    }
    codec = form.rawValue + (level ?? "")
    objectComplexity = 0
    dialnorm = nil
  }

  private init(dolby choice: CopyChoice, _ first: [UInt8], _ path: String) throws {
    var units = DolbyAccessUnits()
    _ = units.push(first) + units.finish()
    guard let frame = units.frames.first, let made = DolbyConfiguration.payload(units.frames) else {
      throw MediaError(.damaged, about: path, "its first audio frame can't be read")
    }
    configuration = choice.configuration ?? made
    channels = frame.channels
    sampleRate = frame.sampleRate
    codec = choice.coding.name
    objectComplexity = units.frames.compactMap(\.header.objectComplexity).max() ?? 0
    dialnorm = frame.header.dialnorm
  }

  private init(ac4 choice: CopyChoice, _ first: [UInt8], _ path: String) throws {
    do {
      let contents = try AC4TableOfContents(rawFrame: first)
      let description =
        try choice.configuration.map { bytes throws(AC4Error) in
          try AC4SpecificConfiguration(dac4: bytes)
        }
        ?? AC4SpecificConfiguration(rawFrame: first)
      configuration = choice.configuration ?? description.dac4
      codec = description.codecString
      let main = contents.defaultPresentation.map { contents.presentations[$0] }
      channels = main.flatMap { contents.channelMode(of: $0) }?.channels ?? 2
      sampleRate = contents.frameRate.sampleRate
      objectComplexity = 0
      dialnorm = nil
    } catch let error as AC4Error {
      throw MediaError(error.mediaError.kind, "\(path): \(error)")
    }
  }
}

/// Level and channels of a stream of MPEG-H 3D Audio (ISO/IEC 23008-3).
struct MPEGHConfiguration: Equatable {
  /// `mpegh3daProfileLevelIndication` (table 67).
  let level: Int
  /// Channels of the layout that the programme is made for; `nil` where its number isn't one of ISO/IEC 23091-3.
  let channels: Int?

  /// Channels of the layouts 1…20 (ISO/IEC 23091-3, table 9).
  private static let channels = [
    1, 2, 3, 4, 5, 6, 8, 2, 3, 4, 7, 8, 24, 8, 12, 10, 12, 14, 12, 14,
  ]

  /// Reads the payload of `mhaC` (20.5); `nil` for one that is missing or cut.
  init?(mhaC bytes: [UInt8]?) {
    guard let bytes, bytes.count >= 5 else { return nil }
    level = Int(bytes[1])
    channels = MPEGHConfiguration.channels(Int(bytes[2]))
  }

  /// Finds the configuration among the MHAS packets of a sample (14.2); `nil` where it has none.
  init?(packets bytes: [UInt8]) {
    let found = bytes.withUnsafeBufferPointer { buffer -> Int? in
      var bits = BitReader<Never>(buffer)
      while bits.remaining > 0 {
        let type = MPEGHConfiguration.escaped(&bits, 3, 8, 8)
        _ = MPEGHConfiguration.escaped(&bits, 2, 8, 32)
        let length = MPEGHConfiguration.escaped(&bits, 11, 24, 24)
        guard !bits.isExhausted, length <= bits.remaining / 8 else { return nil }
        // PACTYP_MPEGH3DACFG begins with the level.
        if type == 1, length > 0 { return bits.read(8) }
        bits.skip(8 * length)
      }
      return nil
    }
    guard let found else { return nil }
    (level, channels) = (found, nil)
  }

  private static func channels(_ layout: Int) -> Int? {
    (1...channels.count).contains(layout) ? channels[layout - 1] : nil
  }

  /// `escapedValue`: a number whose fields follow each other as long as each is full (ISO/IEC 23003-3, 5.2).
  private static func escaped(
    _ bits: inout BitReader<Never>, _ first: Int, _ second: Int, _ third: Int
  ) -> Int {
    var value = bits.read(first)
    guard value == 1 << first - 1 else { return value }
    let more = bits.read(second)
    value += more
    guard more == 1 << second - 1 else { return value }
    return value + bits.read(third)
  }
}

/// Payloads of the configuration boxes of AC-3 and E-AC-3 tracks, derived from the bitstream
/// (ETSI TS 102 366, F.4 and F.6; ETSI TS 103 420, 8.3).
struct DolbyConfiguration {
  private struct Bits {
    var bytes: [UInt8] = []
    private var used = 0

    mutating func write(_ value: Int, _ count: Int) {
      for bit in stride(from: count - 1, through: 0, by: -1) {
        if used % 8 == 0 { bytes.append(0) }
        if value >> bit & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(used % 8) }
        used += 1
      }
    }
  }

  /// Payload of `dac3` or `dec3`; `nil` when `frames`, those of one access unit, are none.
  static func payload(_ frames: [DolbySyncframe]) -> [UInt8]? {
    guard let first = frames.first else { return nil }
    return first.isEnhanced ? dec3(frames, first) : dac3(first)
  }

  private static func dac3(_ frame: DolbySyncframe) -> [UInt8] {
    var bits = Bits()
    bits.write(frame.rateCode, 2)
    bits.write(frame.identification, 5)
    bits.write(frame.header.serviceMode, 3)
    bits.write(frame.channelMode, 3)
    bits.write(frame.hasLFE ? 1 : 0, 1)
    bits.write(frame.bitRateCode, 5)
    bits.write(0, 5)
    return bits.bytes
  }

  private static func dec3(_ frames: [DolbySyncframe], _ first: DolbySyncframe) -> [UInt8] {
    // A substream may take several frames in a unit; each is described once.
    var programmes: [(frame: DolbySyncframe, dependents: [DolbySyncframe])] = []
    for frame in frames {
      if frame.role == .independent {
        if !programmes.contains(where: { $0.frame.substream == frame.substream }) {
          programmes.append((frame, []))
        }
      } else if let last = programmes.indices.last,
        !programmes[last].dependents.contains(where: { $0.substream == frame.substream })
      {
        programmes[last].dependents.append(frame)
      }
    }
    let samples = frames.filter { $0.role == .independent && $0.substream == 0 }
      .reduce(0) { $0 + $1.samples }
    let size = frames.reduce(0) { $0 + $1.size }
    var bits = Bits()
    bits.write(size * 8 * first.sampleRate / max(1, samples) / 1000, 13)
    bits.write(programmes.count - 1, 3)
    for programme in programmes { write(programme.frame, programme.dependents, to: &bits) }
    if let complexity = frames.compactMap(\.header.objectComplexity).max(), complexity > 0 {
      bits.write(1, 8)
      bits.write(complexity, 8)
    }
    return bits.bytes
  }

  private static func write(
    _ frame: DolbySyncframe, _ dependents: [DolbySyncframe], to bits: inout Bits
  ) {
    bits.write(frame.rateCode, 2)
    bits.write(frame.identification, 5)
    bits.write(0, 1)
    bits.write(0, 1)
    bits.write(frame.header.serviceMode, 3)
    bits.write(frame.channelMode, 3)
    bits.write(frame.hasLFE ? 1 : 0, 1)
    bits.write(0, 3)
    bits.write(dependents.count, 4)
    guard !dependents.isEmpty else { return bits.write(0, 1) }
    // Bit k of chan_loc is location 5 + k of chanmap, whose first location is its highest bit; the
    // last is the second LFE channel.
    var places = 0
    for map in dependents.compactMap(\.header.channelMap) {
      for place in 0..<8 where map >> (10 - place) & 1 == 1 { places |= 1 << place }
      if map >> 1 & 1 == 1 { places |= 1 << 8 }
    }
    bits.write(places, 9)
  }
}
