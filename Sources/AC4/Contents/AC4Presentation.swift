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
