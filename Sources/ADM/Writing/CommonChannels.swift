// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Loudspeakers' channels that a pack of the common definitions has, all sounding in the same part of the
/// programme at the same level, so that the pack can be referred to.
///
/// A renderer treats the channels of some common packs by rules of their own (the mapping rules of ITU-R
/// BS.2127), so they must not become channels that only look like them.
struct CommonChannels {
  let pack: ElementID
  /// Its channels, in the order of the tracks.
  let channels: [WrittenChannel]
  /// The part of the programme in which they sound; `nil` for all of it.
  let part: Range<Int64>?
  /// Amplitude of all of them.
  let gain: Double

  /// The pack that `speakers` are, in a programme of `length` samples; `nil` when they are none.
  init?(_ speakers: [WrittenSpeaker], length: Int64) {
    let courses = speakers.compactMap { CommonChannels.course(of: $0, length) }
    guard let first = courses.first, courses.count == speakers.count,
      courses.allSatisfy({ $0 == first }),
      let name = CommonChannels.channel(first.state)?.pack, let pack = ElementID(name),
      let format = CommonDefinitions.packs[pack], format.packs.isEmpty
    else { return nil }
    var known: [WrittenChannel] = []
    for (speaker, course) in zip(speakers, courses) {
      guard CommonChannels.channel(course.state)?.pack == name,
        let id = format.channels.first(where: { CommonChannels.matches(course.state, $0) }),
        !known.contains(where: { $0.id == id })
      else { return nil }
      known.append(WrittenChannel(id: id, name: speaker.name, content: .common))
    }
    guard known.count == format.channels.count else { return nil }
    self.pack = pack
    channels = known
    part = first.part == 0..<length ? nil : first.part
    gain = first.state.gain
  }

  /// The course of a channel: a state that it has in one part of the programme, with silence around it. Equal
  /// ones have the same part and gain.
  private struct Course: Equatable {
    var part: Range<Int64>
    var state: ObjectState

    static func == (first: Course, second: Course) -> Bool {
      first.part == second.part && first.state.gain == second.state.gain
    }
  }

  private static func course(of speaker: WrittenSpeaker, _ length: Int64) -> Course? {
    let blocks = speaker.blocks.filter { $0.start < length }
    let sounding = blocks.indices.filter { blocks[$0].state.gain != 0 }
    guard sounding.count == 1, let index = sounding.first else { return nil }
    let end = index + 1 < blocks.count ? blocks[index + 1].start : length
    return Course(part: blocks[index].start..<end, state: blocks[index].state)
  }

  private static func channel(_ state: ObjectState) -> SpeakerChannel? {
    if case .speaker(let channel) = state.rules.role { return channel }
    return nil
  }

  /// Whether `state` is that of the common channel `id`, apart from its gain and its pack.
  private static func matches(_ state: ObjectState, _ id: ElementID) -> Bool {
    guard let format = CommonDefinitions.channels[id], let block = format.blocks.first,
      let own = channel(state)
    else { return false }
    let place = ObjectPosition.polar(
      Direction(azimuth: block.position.first, elevation: block.position.second),
      distance: block.position.third)
    let labels = format.details(of: block).speaker.labels.map(ItemStates.nominal)
    return state.position == place && own.labels == labels && !state.rules.isHeadLocked
      && state.rules.headphones != .off
      && own.least == SpeakerChannel.Bounds() && own.greatest == SpeakerChannel.Bounds()
  }
}

/// The channels and packs of the common definitions that the loudspeakers of a layout have.
enum CommonBed {
  /// Common channels by the name of their loudspeaker, e.g. `M+030`; the lowest identifier of each.
  private static let channels: [String: ElementID] = {
    var channels: [String: ElementID] = [:]
    for (id, channel) in CommonDefinitions.channels where channel.kind == .directSpeakers {
      for label in channel.details.flatMap(\.speaker.labels) {
        let name = label.split(separator: ":").last.map(String.init) ?? label
        channels[name] = channels[name].map { min($0, id) } ?? id
      }
    }
    return channels
  }()

  /// The common channel of each loudspeaker; `nil` where there is none. No two are equal.
  static func channels(of layout: ChannelLayout) -> [ElementID?] {
    var taken: Set<ElementID> = []
    return layout.speakers.indices.map { index in
      guard let id = channels[label(index, of: layout)], taken.insert(id).inserted else {
        return nil
      }
      return id
    }
  }

  /// The common pack that holds exactly these channels, in any order; `nil` when there is none.
  static func pack(of channels: [ElementID]) -> ElementID? {
    let wanted = Set(channels)
    return CommonDefinitions.packs.values
      .filter { $0.kind == .directSpeakers && $0.packs.isEmpty && Set($0.channels) == wanted }
      .map(\.id).min()
  }

  /// The name of a loudspeaker by ITU-R BS.2051: its layer and azimuth, or that of its LFE channel.
  private static func label(_ index: Int, of layout: ChannelLayout) -> String {
    let speaker = layout.speakers[index]
    if speaker.isLFE {
      let both: Set<Speaker> = [.lowFrequency, .lowFrequency2]
      guard both.isSubset(of: layout.speakers) else { return "LFE" }
      return speaker == .lowFrequency ? "LFEL" : "LFER"
    }
    let direction = layout.direction(at: index)
    let layer =
      switch direction.elevation {
      case ..<0: "B"
      case 0: "M"
      case ..<90: "U"
      default: "T"
      }
    let digits = String(Int(direction.azimuth.magnitude))
    return layer + (direction.azimuth < 0 ? "-" : "+")
      + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
