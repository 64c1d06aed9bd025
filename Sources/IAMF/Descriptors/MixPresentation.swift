/// A way to mix elements (`Mix Presentation OBU`).
package struct MixPresentation: Equatable, Sendable {
  /// A name and its value.
  package struct Tag: Equatable, Sendable {
    /// What it is called.
    package var name: String
    /// What it says.
    package var value: String
  }

  /// Its number, `mix_presentation_id`.
  package var id: Int
  /// Languages of the annotations (BCP 47).
  package var languages: [String]
  /// What it is called, in each language.
  package var annotations: [String]
  /// What is mixed; one in the published profiles.
  package var subMixes: [SubMix]
  /// Tags; `nil` where nothing that can be read as tags stands behind the sub-mixes.
  package var tags: [Tag]?
}

extension MixPresentation {
  /// A mix from its payload. What stands behind the sub-mixes never makes it fail.
  /// - Throws: ``IAMFError`` where it ends early.
  init(_ bits: inout BitReader) throws(IAMFError) {
    id = try bits.leb128()
    let labels = try bits.count(of: "labels")
    languages = try bits.strings(labels)
    annotations = try bits.strings(labels)
    subMixes = []
    let count = try bits.count(of: "sub-mixes")
    guard count > 0 else { throw .malformed("a mix without sub-mixes") }
    for _ in 0..<count { subMixes.append(try SubMix(&bits, labels: labels)) }
    if bits.bytesLeft > 0 { tags = try? MixPresentation.tags(&bits) }
  }

  private static func tags(_ bits: inout BitReader) throws(IAMFError) -> [Tag] {
    var tags: [Tag] = []
    for _ in 0..<(try bits.read(8)) {
      tags.append(Tag(name: try bits.string(), value: try bits.string()))
    }
    return tags
  }

  /// The language of what is heard (ISO 639-2, or `und` or `mul`); the first of several.
  package var contentLanguage: String? {
    tags?.first { $0.name == "content_language" }?.value
  }
}

/// Elements that are summed, and how loud the sum is.
package struct SubMix: Equatable, Sendable {
  /// An element of a mix.
  package struct Element: Equatable, Sendable {
    /// The ``AudioElement``.
    package var id: Int
    /// What it is called, in each language of the mix.
    package var annotations: [String]
    /// How it is rendered.
    package var rendering: RenderingConfig
    /// Its gain.
    package var gain: MixGainDefinition
  }

  /// What is summed.
  package var elements: [Element]
  /// The gain of the sum.
  package var outputGain: MixGainDefinition
  /// How loud it is on some layouts.
  package var loudness: [LayoutLoudness]
}

extension SubMix {
  init(_ bits: inout BitReader, labels: Int) throws(IAMFError) {
    elements = []
    let count = try bits.count(of: "elements")
    guard count > 0 else { throw .malformed("a sub-mix without elements") }
    for _ in 0..<count {
      elements.append(
        Element(
          id: try bits.leb128(), annotations: try bits.strings(labels),
          rendering: try RenderingConfig(&bits), gain: try MixGainDefinition(&bits)))
    }
    outputGain = try MixGainDefinition(&bits)
    loudness = []
    for _ in 0..<(try bits.count(of: "layouts")) { loudness.append(try LayoutLoudness(&bits)) }
  }
}

/// How an element is rendered (`RenderingConfig`).
package struct RenderingConfig: Equatable, Sendable {
  /// What headphones get of an element of channels.
  package enum HeadphonesMode: Int, Sendable {
    /// What two loudspeakers get, without HRTF.
    case stereo = 0
    /// HRTF.
    case binaural = 1
    /// HRTF that doesn't follow the head (draft of version 2); like ``binaural`` for a head at rest.
    case headLocked = 2
    /// Reserved; the mix can't be played.
    case reserved = 3
  }

  /// What headphones get; a sound field always gets HRTF.
  package var headphonesMode: HeadphonesMode
  /// Six bits that the draft of version 2 uses.
  package var reserved: Int
  /// Bytes that the draft of version 2 uses; passed over.
  package var extensionBytes: [UInt8]
}

extension RenderingConfig {
  init(_ bits: inout BitReader) throws(IAMFError) {
    headphonesMode = HeadphonesMode(rawValue: try bits.read(2)) ?? .reserved
    reserved = try bits.read(6)
    extensionBytes = try bits.sizedBytes()
  }
}
