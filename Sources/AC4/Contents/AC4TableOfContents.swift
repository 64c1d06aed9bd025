// SPDX-License-Identifier: Apache-2.0

/// The table of contents of a frame (`ac4_toc`, TS 103 190-1, 4.2.3.1 and TS 103 190-2, 6.2.1.1).
package struct AC4TableOfContents: Sendable, Equatable {
  /// `bitstream_version`, 0…2.
  package internal(set) var bitstreamVersion = 0
  /// `sequence_counter`: 1…1020, or 0 at a splice.
  package internal(set) var sequenceCounter = 0
  /// `wait_frames`; `nil` when not sent.
  package internal(set) var waitFrames: Int?
  /// Frame rate and sampling rate.
  package internal(set) var frameRate: AC4FrameRate
  /// Whether decoding can start here (`b_iframe_global`).
  package internal(set) var isIFrame = false
  /// `short_program_id`, if sent.
  package internal(set) var programID: Int?
  /// The programme's UUID, 16 bytes, if sent.
  package internal(set) var programUUID: [UInt8]?
  /// The presentations, in the stream's order.
  package internal(set) var presentations: [AC4Presentation] = []
  /// Groups of substreams that they use.
  package internal(set) var groups: [AC4SubstreamGroup] = []
  /// The bytes of the frame that each substream takes up.
  package internal(set) var substreams: [Range<Int>] = []
  /// Length of the table itself in bytes.
  package internal(set) var byteCount = 0
  /// Bit of the frame at which `frame_rate_index` stands.
  var rateField = 0
  /// Bits of the frame in which each presentation states how its codec frames relate to frames.
  var rateFields: [Range<Int>] = []
  /// Bit of the frame at which the table of the substreams' sizes begins.
  var sizeField = 0

  /// Reads the table at the start of a `raw_ac4_frame`.
  /// - Throws: ``AC4Error/damaged(_:)`` where the bits break the syntax,
  ///   ``AC4Error/unsupported(_:)`` for bitstream versions above 2.
  package init(rawFrame: [UInt8]) throws(AC4Error) {
    // A typed error doesn't pass through the standard library's closure.
    let result = rawFrame.withUnsafeBufferPointer { buffer in
      Result { () throws(AC4Error) in try AC4TableOfContents(BitReader(buffer)) }
    }
    self = try result.get()
  }

  init(_ bits: BitReader) throws(AC4Error) {
    // Any rate does: reading the frame replaces it.
    self.init(frameRate: try AC4FrameRate(index: 13, is48kHz: true))
    try read(bits)
  }

  init(frameRate: AC4FrameRate) { self.frameRate = frameRate }

  /// Replaces the table by another frame's, which takes no new memory where the two are alike.
  mutating func read(_ bits: BitReader) throws(AC4Error) {
    var parser = TableOfContentsParser(bits)
    try parser.parse(into: &self)
  }

  /// The channel mode that `presentation` is decoded to: stereo for immersive stereo, else the
  /// largest of its substreams; `nil` when one of them codes objects or it has no audio.
  package func channelMode(of presentation: AC4Presentation) -> AC4ChannelMode? {
    var largest: AC4ChannelMode?
    for index in presentation.groups where groups.indices.contains(index) {
      guard groups[index].isChannelCoded else { return nil }
      for substream in groups[index].substreams {
        guard let mode = substream.channelMode else { continue }
        if mode.rawValue > largest?.rawValue ?? -1 { largest = mode }
      }
    }
    return presentation.isImmersiveStereo && largest != nil ? .stereo : largest
  }

  /// Whether `presentation` uses object audio.
  package func hasObjects(_ presentation: AC4Presentation) -> Bool {
    presentation.groups.contains { groups.indices.contains($0) && !groups[$0].isChannelCoded }
  }

  /// The presentations that a decoder may choose by itself, in order: those that aren't disabled and have audio. The
  /// decoder level that they state doesn't count: objects of level 4 and above have bounds of their own.
  package var selectablePresentations: [Int] {
    presentations.indices.filter {
      let presentation = presentations[$0]
      return !presentation.isEMDFOnly && presentation.isEnabled != false
        && !presentation.groups.isEmpty
    }
  }

  /// The first of ``selectablePresentations``.
  package var defaultPresentation: Int? { selectablePresentations.first }
}

/// A part of the table of contents whose memory is used again by the next frame.
protocol TableEntry {
  init()

  /// Resets all properties to their defaults, but keeps the memory of arrays.
  mutating func clear()
}

/// A presentation: a choice of a stream's substreams that are heard together (`ac4_presentation_info` and
/// `ac4_presentation_v1_info`, TS 103 190-1, 4.2.3.2 and TS 103 190-2, 6.2.1.3).
package struct AC4Presentation: Sendable, Equatable, TableEntry {
  /// `presentation_version`: 0 and 1 channels or objects, 2 immersive stereo.
  package internal(set) var version = 0
  /// `presentation_config`; `nil` for a single substream (group).
  package internal(set) var configuration: Int?
  /// `mdcompat`: the decoder level it needs, 0…7.
  package internal(set) var level = 0
  /// `presentation_id`, if sent.
  package internal(set) var id: Int?
  /// How its codec frames relate to transport frames.
  package internal(set) var frameRate = AC4FrameRateScale()
  /// Its own EMDF container; `nil` when the presentation has none.
  package internal(set) var emdf: AC4EMDFInfo?
  /// `b_enable_presentation`; `nil` when not sent.
  package internal(set) var isEnabled: Bool?
  /// `b_multi_pid`: whether its groups are spread over several elementary streams.
  package internal(set) var isMultiPID: Bool?
  /// Indices into ``AC4TableOfContents/groups``.
  package internal(set) var groups: [Int] = []
  /// `b_pre_virtualized`: whether it is already rendered for headphones.
  package internal(set) var isPreVirtualized = false
  /// Further EMDF containers.
  package internal(set) var additionalEMDF: [AC4EMDFInfo] = []
  /// Whether it has EMDF containers and no audio.
  package internal(set) var isEMDFOnly = false
  /// `b_alternative`: whether it is an alternative presentation.
  package internal(set) var isAlternative = false
  /// Whether its substream can be read without earlier frames (`b_pres_ndot`).
  package internal(set) var isIndependent = false
  /// Index of its own substream with loudness and dynamic range data, if it has one.
  package internal(set) var substream: Int?

  /// Whether it is immersive stereo: a stereo pair made from more channels or objects.
  package var isImmersiveStereo: Bool { version == 2 }

  /// Whether the group at `place` is listed before it already; it is decoded once.
  func repeatsGroup(at place: Int) -> Bool { groups[..<place].contains(groups[place]) }

  mutating func clear() {
    var (groups, emdf) = (groups, additionalEMDF)
    self = AC4Presentation()
    groups.removeAll(keepingCapacity: true)
    emdf.removeAll(keepingCapacity: true)
    self.groups = groups
    additionalEMDF = emdf
  }
}

/// How the codec frames of a presentation relate to the stream's transport frames
/// (`frame_rate_multiply_info` and `frame_rate_fractions_info`, TS 103 190-2, 6.2.1.3 and E.10).
package struct AC4FrameRateScale: Sendable, Equatable {
  /// Codec frames in a transport frame: 1, 2 or 4.
  package internal(set) var factor = 1
  /// Transport frames that one codec frame is spread over: 1, 2 or 4.
  package internal(set) var fraction = 1

  init() {}

  /// Reads both as `dac4` codes them: 0, 1, 2 for 1, 2, 4.
  init(_ bits: inout BitReader) throws(AC4Error) {
    factor = 1 << (try bits.read(2))
    fraction = 1 << (try bits.read(2))
  }

  /// Writes both as `dac4` codes them.
  func write(to bits: inout BitWriter) {
    bits.write(factor.trailingZeroBitCount, 2)
    bits.write(fraction.trailingZeroBitCount, 2)
  }
}

/// Version and key of an EMDF container, in which a stream carries data for other uses (`emdf_info`,
/// TS 103 190-1, 4.2.3.12).
package struct AC4EMDFInfo: Sendable, Equatable {
  /// `emdf_version`.
  package let version: Int
  /// `key_id`.
  package let key: Int
  /// Index of the substream with the payloads, if the stream has it.
  package let substream: Int?
}
