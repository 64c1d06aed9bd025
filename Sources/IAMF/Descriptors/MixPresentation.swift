// SPDX-License-Identifier: Apache-2.0

/// A way to mix elements (`Mix Presentation OBU`).
package struct MixPresentation: Equatable, Sendable {
  /// A name and its value.
  package struct Tag: Equatable, Sendable {
    /// Name of the tag.
    package var name: String
    /// Value of the tag.
    package var value: String
  }

  /// Its number, `mix_presentation_id`.
  package var id: Int
  /// Languages of the annotations (BCP 47).
  package var languages: [String]
  /// Names of the mix, one in each language.
  package var annotations: [String]
  /// Sub-mixes; one in the published profiles.
  package var subMixes: [SubMix]
  /// Tags; `nil` where nothing that can be read as tags stands behind the sub-mixes.
  package var tags: [Tag]?
}

extension MixPresentation {
  /// A mix from its payload. Bytes after the sub-mixes never make it fail.
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

extension MixPresentation {
  /// Writes the mix (`Mix Presentation OBU`).
  func write(to bits: inout BitWriter) {
    bits.leb128(id)
    bits.leb128(languages.count)
    bits.strings(languages)
    bits.strings(annotations)
    bits.leb128(subMixes.count)
    for subMix in subMixes { subMix.write(to: &bits) }
    guard let tags else { return }
    bits.write(tags.count, 8)
    for tag in tags { bits.strings([tag.name, tag.value]) }
  }
}

/// Elements that are summed, and how loud the sum is.
package struct SubMix: Equatable, Sendable {
  /// An element of a mix.
  package struct Element: Equatable, Sendable {
    /// The ``AudioElement``.
    package var id: Int
    /// Names of the element, one in each language of the mix.
    package var annotations: [String]
    package var rendering: RenderingConfig
    package var gain: MixGainDefinition
  }

  /// Elements that are summed.
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

extension SubMix {
  /// Writes what is summed and how loud it is.
  func write(to bits: inout BitWriter) {
    bits.leb128(elements.count)
    for element in elements {
      bits.leb128(element.id)
      bits.strings(element.annotations)
      element.rendering.write(to: &bits)
      element.gain.write(to: &bits)
    }
    outputGain.write(to: &bits)
    bits.leb128(loudness.count)
    for loudness in loudness { loudness.write(to: &bits) }
  }
}

/// How an element is rendered (`RenderingConfig`).
package struct RenderingConfig: Equatable, Sendable {
  /// The rendering of an element of channels for headphones.
  package enum HeadphonesMode: Int, Sendable {
    /// The rendering for two loudspeakers, without HRTF.
    case stereo = 0
    /// HRTF.
    case binaural = 1
    /// HRTF that doesn't follow the head (draft of version 2); like ``binaural`` for a head at rest.
    case headLocked = 2
    /// Reserved; the mix can't be played.
    case reserved = 3
  }

  /// Rendering for headphones; a sound field always gets HRTF.
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

extension RenderingConfig {
  /// Writes how an element is rendered (`RenderingConfig`).
  func write(to bits: inout BitWriter) {
    bits.write(headphonesMode.rawValue, 2)
    bits.write(reserved, 6)
    bits.sized(extensionBytes)
  }
}

/// How loud a sub-mix is on one layout, as the file says (`layout`, `LoudnessInfo`).
package struct LayoutLoudness: Equatable, Sendable {
  /// The layout on which a mix is played.
  package enum Layout: Equatable, Sendable {
    case loudspeakers(SoundSystem)
    /// Headphones.
    case binaural
    /// Loudspeakers of a reserved sound system, or a reserved type, by their numbers.
    case reserved(type: Int, soundSystem: Int)
  }

  /// Loudness of a part of the content.
  package struct Anchor: Equatable, Sendable {
    /// `anchor_element`: 0 unknown, 1 dialogue, 2 album.
    package var element: Int
    /// In LKFS.
    package var loudness: Double
  }

  /// Layout on which the mix is played.
  package var layout: Layout
  /// `info_type`: which of the optional values there are.
  package var infoType: Int
  /// Integrated loudness in LKFS (BS.1770-4).
  package var integrated: Double
  /// Sample peak in dBFS.
  package var digitalPeak: Double
  /// True peak in dBFS.
  package var truePeak: Double?
  /// Loudness of parts of the content.
  package var anchors: [Anchor]
  /// Bytes of values that nobody knows.
  package var extensionBytes: [UInt8]?
}

extension LayoutLoudness {
  init(_ bits: inout BitReader) throws(IAMFError) {
    layout = try LayoutLoudness.layout(&bits)
    infoType = try bits.read(8)
    integrated = try bits.fixed()
    digitalPeak = try bits.fixed()
    if infoType & 1 != 0 { truePeak = try bits.fixed() }
    anchors = []
    if infoType & 2 != 0 {
      for _ in 0..<(try bits.read(8)) {
        anchors.append(Anchor(element: try bits.read(8), loudness: try bits.fixed()))
      }
    }
    if infoType & 0xFC != 0 { extensionBytes = try bits.sizedBytes() }
  }

  private static func layout(_ bits: inout BitReader) throws(IAMFError) -> Layout {
    let type = try bits.read(2)
    let number = try bits.read(4)
    try bits.skip(2)
    if type == 3 { return .binaural }
    guard type == 2, let system = SoundSystem(rawValue: number) else {
      return .reserved(type: type, soundSystem: type == 2 ? number : 0)
    }
    return .loudspeakers(system)
  }

  /// Whether both values are 0, which writers put where they measured nothing.
  package var isPlaceholder: Bool { integrated == 0 && digitalPeak == 0 }

  /// Whether no programme can be that loud.
  package var isImplausible: Bool {
    integrated >= 0 || integrated < -70 || digitalPeak > integrated + 60
  }
}

extension LayoutLoudness {
  /// Writes the layout and how loud the mix is on it (`layout`, `LoudnessInfo`).
  func write(to bits: inout BitWriter) {
    switch layout {
    case .loudspeakers(let system): LayoutLoudness.write(type: 2, system.rawValue, to: &bits)
    case .binaural: LayoutLoudness.write(type: 3, 0, to: &bits)
    case .reserved(let type, let number): LayoutLoudness.write(type: type, number, to: &bits)
    }
    bits.write(infoType, 8)
    bits.fixed(integrated)
    bits.fixed(digitalPeak)
    if infoType & 1 != 0 { bits.fixed(truePeak ?? 0) }
    if infoType & 2 != 0 {
      bits.write(anchors.count, 8)
      for anchor in anchors {
        bits.write(anchor.element, 8)
        bits.fixed(anchor.loudness)
      }
    }
    if infoType & 0xFC != 0 { bits.sized(extensionBytes ?? []) }
  }

  private static func write(type: Int, _ system: Int, to bits: inout BitWriter) {
    bits.write(type, 2)
    bits.write(system, 4)
    bits.write(0, 2)
  }

  /// The loudness of a mix on a layout.
  /// - Parameters:
  ///   - integrated: integrated loudness in LKFS.
  ///   - digitalPeak: sample peak in dBFS.
  ///   - truePeak: true peak in dBFS; `nil` leaves it out.
  package init(_ layout: Layout, integrated: Double, digitalPeak: Double, truePeak: Double?) {
    self.init(
      layout: layout, infoType: truePeak == nil ? 0 : 1, integrated: integrated,
      digitalPeak: digitalPeak, truePeak: truePeak, anchors: [], extensionBytes: nil)
  }
}

/// Loudspeaker layouts that loudness is stated for (`sound_system`; letters of ITU-R BS.2051).
package enum SoundSystem: Int, Sendable, CaseIterable {
  /// Stereo, 0+2+0.
  case a = 0
  /// 5.1, 0+5+0.
  case b = 1
  /// 5.1.2, 2+5+0.
  case c = 2
  /// 5.1.4, 4+5+0.
  case d = 3
  /// 4+5+1.
  case e = 4
  /// 3+7+0.
  case f = 5
  /// 4+9+0.
  case g = 6
  /// 22.2, 9+10+3.
  case h = 7
  /// 7.1, 0+7+0.
  case i = 8
  /// 7.1.4, 4+7+0.
  case j = 9
  /// 7.1.2.
  case surround712 = 10
  /// 3.1.2.
  case surround312 = 11
  case mono = 12
  /// 9.1.6 (version 1.1).
  case surround916 = 13
  /// 7.1.5.4 (draft of version 2).
  case surround7154 = 14

  /// Number of its channels, LFE included.
  package var loudspeakers: Int {
    switch self {
    case .mono: 1
    case .a: 2
    case .b, .surround312: 6
    case .c, .i: 8
    case .d, .e, .surround712: 10
    case .f, .j: 12
    case .g: 14
    case .surround916: 16
    case .surround7154: 17
    case .h: 24
    }
  }
}
