/// How loud a sub-mix is on one layout, as the file says (`layout`, `LoudnessInfo`).
package struct LayoutLoudness: Equatable, Sendable {
  /// Where a mix is played.
  package enum Layout: Equatable, Sendable {
    /// Loudspeakers.
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

  /// Where.
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
  /// Mono.
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
