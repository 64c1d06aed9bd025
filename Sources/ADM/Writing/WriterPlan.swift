// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Gives the elements of a programme their identifiers, packs and channels.
struct WriterPlan {
  /// An audioObject for each element.
  private(set) var objects: [WrittenObject] = []
  private let programme: WrittenProgramme
  /// Own channels so far; identifiers of own elements begin at 1001 hexadecimal.
  private var ownChannels = 0
  private var tracks = 0

  /// The plan of `programme`.
  /// - Throws: ``ADMError`` of code `value`, `limit` or `unsupported`.
  init(_ programme: WrittenProgramme) throws(ADMError) {
    self.programme = programme
    try check()
    for element in programme.elements {
      switch element {
      case .bed(let name, let layout): addBed(name, layout)
      case .channels(let name, let speakers): try addChannels(name, speakers)
      case .object(let name, let blocks): try addObject(name, blocks)
      case .scene(let name, let order): try addScene(name, order)
      }
    }
  }

  private func check() throws(ADMError) {
    guard programme.sampleRate > 0, programme.sampleRate <= 384_000, programme.length > 0,
      programme.length / Int64(programme.sampleRate) < 360_000
    else {
      throw ADMError(
        .value,
        "ADM describes programmes of up to 100 h, not of \(programme.length) samples at "
          + "\(programme.sampleRate) Hz")
    }
    let tracks = programme.elements.reduce(0) { $0 + $1.tracks }
    guard (1...0xE000).contains(tracks) else {
      throw ADMError(.limit, "ADM describes 1 to \(0xE000) tracks, not \(tracks)")
    }
  }

  private mutating func ownChannel(
    _ kind: ContentKind, _ name: String, _ content: WrittenChannel.Content
  ) -> WrittenChannel {
    ownChannels += 1
    let digits =
      kind.rawValue.hexadecimal(4, uppercase: true)
      + (ownChannels + 0x1000).hexadecimal(4, uppercase: true)
    return WrittenChannel(id: ElementID(known: "AC_" + digits), name: name, content: content)
  }

  private mutating func append(
    _ kind: ContentKind, _ name: String, _ commonPack: ElementID?, _ channels: [WrittenChannel]
  ) {
    let number = (objects.count + 0x1001).hexadecimal(4, uppercase: true)
    let pack = ElementID(known: "AP_" + kind.rawValue.hexadecimal(4, uppercase: true) + number)
    objects.append(
      WrittenObject(
        id: ElementID(known: "AO_" + number), name: name, pack: commonPack ?? pack,
        hasCommonPack: commonPack != nil, kind: kind, channels: channels,
        tracks: tracks..<tracks + channels.count))
    tracks += channels.count
  }

  private mutating func addBed(_ name: String, _ layout: ChannelLayout) {
    let known = CommonBed.channels(of: layout)
    var channels: [WrittenChannel] = []
    for (index, id) in known.enumerated() {
      let speaker = layout.speakers[index]
      if let id {
        channels.append(WrittenChannel(id: id, name: speaker.name, content: .common))
      } else {
        let state = ObjectState(
          position: .polar(layout.direction(at: index), distance: 1),
          rules: ObjectRules(role: .speaker(SpeakerChannel(isLFE: speaker.isLFE))))
        channels.append(
          ownSpeaker(speaker.name, [WrittenBlock(start: 0, state: state)], speaker.isLFE))
      }
    }
    append(.directSpeakers, name, CommonBed.pack(of: channels.map(\.id)), channels)
  }

  private mutating func ownSpeaker(
    _ name: String, _ blocks: [WrittenBlock], _ isLFE: Bool
  ) -> WrittenChannel {
    let plans = BlockPlan.list(blocks, length: programme.length, rate: programme.sampleRate)
    // Outside all blocks a channel is silent.
    let sounding = plans.filter { $0.state.gain != 0 }
    return ownChannel(
      .directSpeakers, name,
      .speaker(sounding.isEmpty ? Array(plans.prefix(1)) : sounding, isLFE: isLFE))
  }

  private mutating func addChannels(
    _ name: String, _ speakers: [WrittenSpeaker]
  ) throws(ADMError) {
    for speaker in speakers {
      try checkTimes(speaker.blocks, of: speaker.name)
      for block in speaker.blocks { try StateCheck.checkSpeaker(block, of: speaker.name) }
    }
    if let common = CommonChannels(speakers, length: programme.length) {
      append(.directSpeakers, name, common.pack, common.channels)
      objects[objects.count - 1].part = common.part
      objects[objects.count - 1].gain = common.gain
      return
    }
    var channels: [WrittenChannel] = []
    for speaker in speakers {
      var isLFE = false
      if case .speaker(let channel)? = speaker.blocks.first?.state.rules.role {
        isLFE = channel.isLFE
      }
      channels.append(ownSpeaker(speaker.name, speaker.blocks, isLFE))
    }
    append(.directSpeakers, name, nil, channels)
  }

  private func checkTimes(_ blocks: [WrittenBlock], of name: String) throws(ADMError) {
    let begins = blocks.map { WrittenTime(sample: $0.start, lead: $0.lead) }
    guard let first = blocks.first?.start, first >= 0, first < programme.length,
      zip(begins, begins.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw ADMError(
        .value,
        "the object \"\(name)\" needs blocks that begin one after the other, the first one inside the "
          + "programme")
    }
  }

  private mutating func addObject(_ name: String, _ blocks: [WrittenBlock]) throws(ADMError) {
    try checkTimes(blocks, of: name)
    for block in blocks { try StateCheck.check(block.state, of: name) }
    let plans = BlockPlan.list(blocks, length: programme.length, rate: programme.sampleRate)
    append(.objects, name, nil, [ownChannel(.objects, name, .object(plans))])
  }

  private mutating func addScene(_ name: String, _ order: Int) throws(ADMError) {
    guard (1...6).contains(order) else {
      throw ADMError(
        .unsupported, "sound fields can be written with orders 1…6, not with the order \(order)")
    }
    let count = (order + 1) * (order + 1)
    let channels = (1...count).map { number in
      let id = ElementID(known: "AC_0004" + number.hexadecimal(4, uppercase: true))
      return WrittenChannel(
        id: id, name: CommonDefinitions.channels[id]?.name ?? "", content: .common)
    }
    append(
      .hoa, name, ElementID(known: "AP_0004" + order.hexadecimal(4, uppercase: true)), channels)
  }
}

/// An audioObject of the document, with its pack and channels.
struct WrittenObject {
  /// Its identifier.
  var id: ElementID
  /// Its name, which its own pack has too.
  var name: String
  var pack: ElementID
  /// Whether the pack is a common definition.
  var hasCommonPack: Bool
  /// The kind of its channels.
  var kind: ContentKind
  /// A channel for each track.
  var channels: [WrittenChannel]
  /// The part of the programme in which it sounds; `nil` for all of it.
  var part: Range<Int64>?
  /// Amplitude of all its channels.
  var gain = 1.0
  /// Its tracks, from 0.
  var tracks: Range<Int>

  /// The audioTrackUIDs of its tracks.
  var uids: [ElementID] {
    tracks.map { ElementID(known: "ATU_" + ($0 + 1).hexadecimal(8, uppercase: true)) }
  }
}

/// A channel that a track carries, as the document names it.
struct WrittenChannel {
  /// The document's data on a channel.
  enum Content {
    /// Nothing: it is a common definition.
    case common
    /// The blocks of a loudspeaker's channel that no common definition has.
    case speaker([BlockPlan], isLFE: Bool)
    case object([BlockPlan])
  }

  /// Its identifier, `AC_yyyyxxxx`.
  var id: ElementID
  var name: String
  /// Data in the document.
  var content: Content

  /// Whether it is a common definition.
  var isCommon: Bool {
    if case .common = content { return true }
    return false
  }
  /// The digits of its identifier, which its stream and its track format share.
  var digits: Substring { id.text.dropFirst(3) }
  /// The identifier of the format of its track.
  var trackFormat: ElementID { ElementID(known: "AT_\(digits)_01") }
  /// The identifier of its stream.
  var stream: ElementID { ElementID(known: "AS_\(digits)") }
}
