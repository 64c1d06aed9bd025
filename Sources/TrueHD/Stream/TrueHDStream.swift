// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A stream by its first major sync: its rate, its presentations, and whether it has objects.
package struct TrueHDStream: Equatable, Sendable {
  /// One of the versions of the programme that a stream holds.
  package struct Presentation: Equatable, Sendable {
    /// Number, 0…3.
    package let index: Int
    /// Channels that the stream states; `nil` where only the restart headers tell.
    package let channels: Int?
    /// Loudspeaker of each channel in the stream's order; `nil` for a channel without one, as those of objects.
    package let speakers: [Speaker?]
    /// Presentation below it that is the same; `nil` where there is none.
    package let copies: Int?
    /// Presentation that holds it as a mix; `nil` where it stands for itself.
    package let partOf: Int?
    /// Level of dialogue in dB below full scale; `nil` where none is stated. It isn't applied.
    package let dialogueNorm: Int?
    /// Level of the mixing room in dB SPL; `nil` where none is stated.
    package let mixLevel: Int?
  }

  /// The preference that a caller has among presentations.
  package enum Preference: Sendable, Hashable {
    /// Objects; without them the largest mix to channels.
    case objects
    /// The largest mix to channels.
    case bed
    /// The mix to two channels.
    case stereo
  }

  /// The first major sync.
  package let sync: MajorSync
  /// Presentations that the stream has, by their numbers.
  package let presentations: [Presentation]

  /// Samples a second.
  package var sampleRate: Int { sync.sampleRate }
  /// Samples of an access unit.
  package var unitLength: Int { sync.unitLength }
  /// Objects that can move, by the stream's own statement; 0 without any.
  package var objects: Int { sync.masks[3] == 0 ? 0 : sync.extra?.objects ?? 0 }
  /// Whether presentation 3 needs metadata of objects to be played.
  package var hasObjects: Bool {
    sync.masks[3] != 0 && sync.hasMetadata && sync.extra?.needsMetadata == true
  }

  /// The stream that begins with `unit`.
  /// - Throws: ``TrueHDError`` for a unit without major sync, a damaged one, and a stream that can't be decoded.
  package init(firstUnit unit: UnsafeBufferPointer<UInt8>) throws(TrueHDError) {
    let parts = try AccessUnit(unit, substreams: 0, UnitChecks())
    guard let sync = parts.sync else { throw .damaged("a unit before the first major sync") }
    self.init(sync)
  }

  /// The stream with this major sync.
  package init(_ sync: MajorSync) {
    self.sync = sync
    presentations = (0..<4).filter { sync.masks[$0] != 0 }.map { Presentation($0, sync) }
  }

  /// The presentation that suits `preference`; 0 is always there.
  ///
  /// Objects count only where their metadata can be played; a presentation 3 of nothing but loudspeakers is a mix to channels,
  /// and the largest one.
  package func choice(_ preference: Preference) -> Int {
    guard preference != .stereo else { return 0 }
    let last = presentations.last { $0.index < 3 }?.index ?? 0
    guard sync.masks[3] != 0, let extra = sync.extra, extra.spatialFormat == nil else {
      return last
    }
    if extra.needsMetadata { return preference == .objects && hasObjects ? 3 : last }
    return extra.content == 1 ? 3 : last
  }

  /// Loudspeakers of a presentation that has so many channels; all `nil` where the stream names another number.
  package func speakers(_ presentation: Int, channels: Int) -> [Speaker?] {
    ChannelNames.speakers(sync, presentation, channels: channels)
  }
}

extension TrueHDStream.Presentation {
  init(_ index: Int, _ sync: MajorSync) {
    self.index = index
    let names = ChannelNames.stated(sync, index)
    channels = index == 3 ? sync.extra?.channels : names?.count
    speakers = channels.map { ChannelNames.speakers(sync, index, channels: $0) } ?? []
    let mask = sync.masks[index]
    copies = (0..<index).first { sync.masks[$0] == mask }
    partOf =
      copies != nil
      ? nil
      : (0..<4).first { sync.masks[$0] & mask == mask && sync.masks[$0] != mask }
    let levels = [sync.meaning?.stereo, sync.meaning?.six, sync.meaning?.eight]
    if index == 3 {
      (dialogueNorm, mixLevel) = (sync.extra?.dialogueNorm, sync.extra.map { $0.mixLevel + 70 })
    } else {
      dialogueNorm = levels[index]?.dialogueNorm
      mixLevel = levels[index].map { $0.mixLevel + 70 }
    }
  }
}

/// The loudspeakers of a presentation's channels.
enum ChannelNames {
  /// Loudspeakers that the stream states for a presentation; `nil` where it states none.
  static func stated(_ sync: MajorSync, _ presentation: Int) -> [Speaker?]? {
    guard sync.format == .trueHD else {
      let isWhole = presentation > 0 || sync.masks[1] == 0
      guard isWhole else { return [.frontLeft, .frontRight] }
      return ChannelGroups.arrangements.indices.contains(sync.arrangement)
        ? ChannelGroups.arrangements[sync.arrangement] : nil
    }
    switch presentation {
    case 0: return sync.modifiers[0] == 3 ? nil : [.frontLeft, .frontRight]
    case 1: return taken(ChannelGroups.six, sync.sixAssignment)
    case 2:
      let isRestricted = sync.flags & 0x800 != 0
      return taken(
        isRestricted ? ChannelGroups.eightRestricted : ChannelGroups.eight, sync.eightAssignment)
    default:
      guard let extra = sync.extra else { return nil }
      return extra.hasLFEOnly ? [.lowFrequency] : taken(ChannelGroups.bed, extra.bed)
    }
  }

  /// The loudspeaker of each of `channels` channels; `nil` for objects, and for channels that the stream names otherwise.
  static func speakers(_ sync: MajorSync, _ presentation: Int, channels: Int) -> [Speaker?] {
    let unknown: [Speaker?] = Array(repeating: nil, count: channels)
    if presentation == 0, channels <= 2 {
      return channels == 1 ? [.frontCenter] : [.frontLeft, .frontRight]
    }
    // Encoders have put the channels of presentation 1 into a single substream.
    let isSix = presentation == 0 && sync.format == .trueHD
    let names = stated(sync, isSix ? 1 : presentation) ?? []
    if presentation == 3, names.count < channels, sync.format == .trueHD {
      return names + unknown.dropFirst(names.count)
    }
    return names.count == channels ? names : unknown
  }

  private static func taken(_ groups: [[Speaker?]], _ bits: Int) -> [Speaker?] {
    groups.indices.filter { bits >> $0 & 1 == 1 }.flatMap { groups[$0] }
  }
}
