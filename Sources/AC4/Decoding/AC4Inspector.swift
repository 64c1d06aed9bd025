// SPDX-License-Identifier: Apache-2.0

/// Reads the tables and metadata of a stream frame by frame, without decoding audio.
///
/// Settings come with I-frames; the facts of other frames are complete only after one.
package struct AC4Inspector {
  /// Readers by the index of the presentation.
  private var presentations: [Int: PresentationMetadataReader] = [:]
  /// Readers by the index of the substream.
  private var substreams: [Int: SubstreamMetadataReader] = [:]
  private let books = MetadataBooks()

  /// An inspector at the beginning of a stream.
  package init() {}

  /// The facts of one `raw_ac4_frame`, without those of substreams that can't be read.
  /// - Throws: as ``AC4TableOfContents/init(rawFrame:)``.
  package mutating func inspect(rawFrame: [UInt8]) throws(AC4Error) -> AC4FrameFacts {
    let result = rawFrame.withUnsafeBufferPointer { buffer in
      Result { () throws(AC4Error) in try inspect(BitReader(buffer)) }
    }
    return try result.get()
  }

  private mutating func inspect(_ bits: BitReader) throws(AC4Error) -> AC4FrameFacts {
    let toc = try AC4TableOfContents(bits)
    var facts = AC4FrameFacts(toc: toc, presentations: [])
    for (index, presentation) in toc.presentations.enumerated() {
      facts.presentations.append(describe(bits, toc, presentation, index))
    }
    return facts
  }

  /// The facts of one presentation.
  private mutating func describe(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ presentation: AC4Presentation, _ index: Int
  ) -> AC4PresentationFacts {
    let groups = presentation.groups.indices.compactMap { place -> (Int, AC4SubstreamGroup)? in
      let group = presentation.groups[place]
      guard toc.groups.indices.contains(group), !presentation.repeatsGroup(at: place) else {
        return nil
      }
      return (place, toc.groups[group])
    }
    let list = groups.flatMap(\.1.substreams)
    let mode = toc.channelMode(of: presentation)
    var facts = AC4PresentationFacts(index: index, presentation: presentation, channelMode: mode)
    if presentation.isImmersiveStereo {
      facts.originalMode = list.compactMap(\.channelMode).first
    }
    facts.objects = list.compactMap(\.objects).first
    for (_, group) in groups {
      if let language = group.language, !facts.languages.contains(language) {
        facts.languages.append(language)
      }
      if let content = group.content, !facts.contents.contains(content) {
        facts.contents.append(content)
      }
    }
    facts.metadata = try? presentationMetadata(bits, toc, presentation, index, list.count)
    for (place, group) in groups {
      let role = SubstreamRole(
        configuration: presentation.configuration, place: place, content: group.content)
      for substream in group.substreams {
        facts.substreams.append(
          try? substreamMetadata(bits, toc, substream, presentation.isImmersiveStereo, role))
      }
    }
    return facts
  }

  /// The metadata of the presentation's own substream.
  private mutating func presentationMetadata(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ presentation: AC4Presentation, _ index: Int,
    _ count: Int
  ) throws(AC4Error) -> AC4PresentationMetadata {
    guard let place = presentation.substream, toc.substreams.indices.contains(place) else {
      throw .damaged("a presentation without its substream")
    }
    let range = toc.substreams[place]
    var part = try bits.part(at: range.lowerBound, count: range.count)
    let context = MetadataContext(
      mode: toc.channelMode(of: presentation), syntaxVersion: 1,
      isIFrame: presentation.isIndependent, frameLength: toc.frameRate.codedFrameLength,
      books: books)
    return try presentations[index, default: PresentationMetadataReader()].read(
      &part, presentation, substreams: count, context)
  }

  /// The metadata of an audio substream, which stand behind its audio.
  private mutating func substreamMetadata(
    _ bits: BitReader, _ toc: AC4TableOfContents, _ substream: AC4Substream, _ isStereo: Bool,
    _ role: SubstreamRole
  ) throws(AC4Error) -> AC4SubstreamMetadata {
    guard let place = substream.index, toc.substreams.indices.contains(place) else {
      throw .damaged("a group without its substream")
    }
    let range = toc.substreams[place]
    var part = try bits.part(at: range.lowerBound, count: range.count)
    let size = try AudioSize.read(&part)
    try part.skip(size * 8)
    let context = MetadataContext(
      mode: isStereo ? .stereo : substream.channelMode, syntaxVersion: substream.syntaxVersion,
      isIFrame: substream.isIFrame.first ?? false, isAssociated: role == .associated,
      isDialogue: role == .dialogue, frameLength: toc.frameRate.codedFrameLength, books: books)
    return try substreams[place, default: SubstreamMetadataReader()].read(&part, context)
  }
}

/// The facts of one frame that reports show.
package struct AC4FrameFacts: Sendable, Equatable {
  package internal(set) var toc: AC4TableOfContents
  package internal(set) var presentations: [AC4PresentationFacts]
}

/// The facts of one presentation in one frame that reports show.
package struct AC4PresentationFacts: Sendable, Equatable {
  /// Its place in the table of contents.
  package internal(set) var index: Int
  /// Its entry in the table of contents.
  package internal(set) var presentation: AC4Presentation
  /// The channels that it is decoded to; `nil` for objects.
  package internal(set) var channelMode: AC4ChannelMode?
  /// The channels that an immersive stereo pair was made from; `nil` for others and for objects.
  package internal(set) var originalMode: AC4ChannelMode?
  /// Facts of its objects; `nil` for channels.
  package internal(set) var objects: AC4ObjectFacts?
  /// Languages of its groups, without repetition.
  package internal(set) var languages: [String] = []
  /// Content classifiers of its groups, without repetition.
  package internal(set) var contents: [Int] = []
  /// The metadata of its own substream; `nil` when it has none or they can't be read.
  package internal(set) var metadata: AC4PresentationMetadata?
  /// The metadata of its audio substreams, in order; `nil` where they can't be read.
  package internal(set) var substreams: [AC4SubstreamMetadata?] = []

  /// Dialogue level in dB below full scale, from wherever the stream states it.
  package var dialnorm: Double? {
    metadata?.dialnorm ?? substreams.compactMap { $0?.dialnorm }.first
  }

  /// Measured loudness, from wherever the stream states it.
  package var loudness: AC4Loudness? {
    metadata?.loudness ?? substreams.compactMap { $0?.loudness }.first
  }

  /// Dynamic range settings, from wherever the stream states them.
  package var dynamicRange: AC4DynamicRange? {
    metadata?.dynamicRange ?? substreams.compactMap { $0?.dynamicRange }.first
  }

  /// Dialogue enhancement of the first substream that has any.
  package var dialogueEnhancement: AC4DialogueEnhancement? {
    substreams.compactMap { $0?.dialogueEnhancement }.first
  }
}

/// `audio_size`, with which an `ac4_substream` begins: the length of its audio in bytes
/// (TS 103 190-1, 4.2.5).
enum AudioSize {
  /// Reads the size at the reader's position.
  static func read(_ bits: inout BitReader) throws(AC4Error) -> Int {
    var size = try bits.read(15)
    if try bits.flag() { size += try bits.variableBits(7) << 15 }
    return size
  }
}
