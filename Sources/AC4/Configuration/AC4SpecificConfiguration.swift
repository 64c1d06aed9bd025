// SPDX-License-Identifier: Apache-2.0

/// The content of a `dac4` box (`ac4_dsi_v1`, TS 103 190-2, E.6).
package struct AC4SpecificConfiguration: Sendable, Equatable {
  /// `bitstream_version`.
  package var bitstreamVersion: Int
  /// Whether the stream belongs to the 48 kHz family (`fs_index`).
  package var is48kHz: Bool
  /// `frame_rate_index`.
  package var frameRateIndex: Int
  /// `short_program_id`, if given.
  package var programID: Int?
  /// The programme's UUID, 16 bytes, if given.
  package var programUUID: [UInt8]?
  /// Bit rate of the stream.
  package var bitRate: AC4BitRate
  /// The presentations, the preferred one first.
  package var presentations: [AC4PresentationDescription]

  /// Reads the content of a `dac4` box (without the box header).
  /// - Throws: ``AC4Error/damaged(_:)`` where the bits break the syntax,
  ///   ``AC4Error/unsupported(_:)`` for other versions of the layout than 1.
  package init(dac4: [UInt8]) throws(AC4Error) {
    let result = dac4.withUnsafeBufferPointer { buffer in
      Result { () throws(AC4Error) in
        var bits = BitReader(buffer)
        return try AC4SpecificConfiguration(&bits)
      }
    }
    self = try result.get()
  }

  private init(_ bits: inout BitReader) throws(AC4Error) {
    let layout = try bits.read(3)
    guard layout == 1 else { throw .unsupported("dac4 of version \(layout)") }
    bitstreamVersion = try bits.read(7)
    is48kHz = try bits.flag()
    frameRateIndex = try bits.read(4)
    let count = try bits.read(9)
    if bitstreamVersion > 1, try bits.flag() {
      programID = try bits.read(16)
      if try bits.flag() { programUUID = try bits.bytes(16) }
    }
    bitRate = try AC4BitRate(&bits)
    try bits.align(from: 0)
    presentations = []
    for _ in 0..<count {
      let version = try bits.read(8)
      var size = try bits.read(8)
      // Longer entries have two more bytes of length.
      if size == 255 { size += try bits.read(16) }
      presentations.append(
        try AC4SpecificConfiguration.entry(version, try bits.bytes(size)))
    }
  }

  /// The entry of one presentation; other versions than 1 and 2 aren't taken apart.
  private static func entry(
    _ version: Int, _ content: [UInt8]
  ) throws(AC4Error) -> AC4PresentationDescription {
    guard version == 1 || version == 2 else {
      var entry = AC4PresentationDescription()
      entry.version = version
      entry.opaque = content
      return entry
    }
    let result = content.withUnsafeBufferPointer { buffer in
      Result { () throws(AC4Error) in
        var bits = BitReader(buffer)
        return try PresentationDescriptionCoding.read(version: version, &bits)
      }
    }
    return try result.get()
  }

  /// The configuration of a stream with this table of contents.
  ///
  /// As the format's own writers do, it marks immersive stereo presentations as rendered for headphones, and
  /// adds a copy of version 1 behind each for older players.
  /// - Parameters:
  ///   - toc: table of contents of an I-frame.
  ///   - hasDialogueEnhancement: whether its substreams carry dialogue enhancement data.
  ///   - isImmersive: `immersive_audio_indicator` of its presentation substream.
  /// - Throws: ``AC4Error/unsupported(_:)`` for bitstream versions 0 and 1 and for channel modes
  ///   above 10.
  package init(
    toc: AC4TableOfContents, hasDialogueEnhancement: Bool, isImmersive: Bool
  ) throws(AC4Error) {
    guard toc.bitstreamVersion == 2 else {
      throw .unsupported("dac4 for bitstream version \(toc.bitstreamVersion)")
    }
    bitstreamVersion = toc.bitstreamVersion
    is48kHz = toc.frameRate.is48kHz
    frameRateIndex = toc.frameRate.index
    programID = toc.programID
    programUUID = toc.programUUID
    // `wait_frames` implies `bit_rate_mode`: 0 is constant, 7 variable, anything between is average.
    bitRate = AC4BitRate(mode: toc.waitFrames.map { $0 == 0 ? 1 : $0 == 7 ? 3 : 2 } ?? 0)
    presentations = []
    for presentation in toc.presentations {
      var entry = try AC4PresentationDescription(presentation, in: toc)
      entry.indicators = AC4PresentationIndicators(
        hasDialogueEnhancement: hasDialogueEnhancement, isImmersive: isImmersive)
      guard presentation.isImmersiveStereo else {
        presentations.append(entry)
        continue
      }
      var older = entry
      older.version = 1
      entry.isPreVirtualized = true
      presentations += [entry, older]
    }
    // `n_presentations` has nine bits.
    guard presentations.count < 512 else { throw .damaged("\(presentations.count) presentations") }
  }

  /// The configuration of a stream that has this I-frame.
  ///
  /// Whatever the frame's metadata are, it states that dialogue can be enhanced and doesn't state immersive
  /// audio: the format's own multiplexer does so, and its boxes are reproduced byte for byte.
  /// - Throws: as ``init(toc:hasDialogueEnhancement:isImmersive:)`` and
  ///   ``AC4TableOfContents/init(rawFrame:)``.
  package init(rawFrame: [UInt8]) throws(AC4Error) {
    try self.init(
      toc: try AC4TableOfContents(rawFrame: rawFrame), hasDialogueEnhancement: true,
      isImmersive: false)
  }

  /// The content of the `dac4` box.
  package var dac4: [UInt8] {
    var bits = BitWriter()
    bits.write(1, 3)
    bits.write(bitstreamVersion, 7)
    bits.write(is48kHz)
    bits.write(frameRateIndex, 4)
    bits.write(presentations.count, 9)
    if bitstreamVersion > 1 {
      bits.write(optional: programID, 16)
      if programID != nil {
        bits.write(programUUID != nil)
        bits.write(programUUID ?? [])
      }
    }
    bitRate.write(to: &bits)
    bits.align()
    for presentation in presentations {
      let content = PresentationDescriptionCoding.bytes(of: presentation)
      bits.write(presentation.version, 8)
      bits.write(min(content.count, 255), 8)
      if content.count >= 255 { bits.write(content.count - 255, 16) }
      bits.write(content)
    }
    return bits.bytes
  }

  /// The codec string of RFC 6381, `ac-4.` with bitstream version, presentation version and level of
  /// the first presentation (TS 103 190-2, E.13).
  package var codecString: String {
    let first = presentations.first
    let fields = [bitstreamVersion, first?.version ?? 0, first?.level ?? 0]
    return "ac-4" + fields.map { "." + ($0 & 0xFF).hexadecimal(2) }.joined()
  }
}

/// The bit rate that `dac4` states (`ac4_bitrate_dsi`, TS 103 190-2, E.7).
package struct AC4BitRate: Sendable, Equatable {
  /// `bit_rate_mode`: 0 unknown, 1 constant, 2 average, 3 variable.
  package var mode: Int
  /// `bit_rate` in bits per second; 0 when unknown.
  package var bitsPerSecond: Int
  /// `bit_rate_precision`: the largest deviation in bits per second; 2³² − 1 when unknown.
  package var precision: Int

  /// An unknown rate of a known mode.
  package init(mode: Int) {
    self.mode = mode
    bitsPerSecond = 0
    precision = Int(UInt32.max)
  }

  init(_ bits: inout BitReader) throws(AC4Error) {
    mode = try bits.read(2)
    bitsPerSecond = try bits.read(32)
    precision = try bits.read(32)
  }

  func write(to bits: inout BitWriter) {
    bits.write(mode, 2)
    bits.write(bitsPerSecond, 32)
    bits.write(precision, 32)
  }
}
