// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// Puts the updates of objects where their samples are in the decoder's output.
///
/// The decoder takes its own delay out, so an update belongs to the sample that its frame states.
final class ObjectTimes {
  /// Whether an object that isn't a channel of the bed has moved or changed its gain so far.
  private(set) var hasMotion = false

  /// The objects for a renderer.
  let programme: ObjectProgramme
  private let rate: AC4FrameRate
  private let codedLength: Int
  private var timeline: ObjectTimeline
  private var gains: BedGains

  /// Times of the objects of `programme`.
  /// - Parameters:
  ///   - rate: the stream's frame rate, which has the ratio of the output's rate to the coded one.
  ///   - codedLength: samples of a codec frame.
  init(_ programme: ObjectProgramme, _ rate: AC4FrameRate, codedLength: Int) {
    (self.programme, self.rate, self.codedLength) = (programme, rate, codedLength)
    timeline = ObjectTimeline(programme.starts, blocks: ObjectTiming.mostBlocks)
    gains = BedGains(programme.bedPlanes)
  }

  /// Takes the updates of codec frame `frame` since the start.
  /// - Parameter portions: the metadata of one substream after the other.
  func add(_ portions: [ObjectPortion], frame: Int64) {
    var first = 0
    for portion in portions {
      for index in 0..<portion.timing.count {
        let block = portion.timing.block(index)
        let time = output(frame * Int64(codedLength) + Int64(block.offset))
        let ramp = Int(output(Int64(block.ramp)))
        for object in 0..<portion.count {
          timeline.add(
            programme.places[first + object], at: time, ramp: ramp, portion.info(object, index))
        }
      }
      first += portion.count
    }
  }

  /// Hands the updates that lie in the newest samples of `block` over to it, and gives its bed its gains.
  /// - Parameters:
  ///   - place: where these samples begin in the block's planes.
  ///   - first: number of the first of them since the start.
  func finish(_ block: ProgrammeBlock, from place: Int, first: Int64) {
    let count = block.frames - place
    guard count > 0 else { return }
    let offset = block.start + Int64(place) - first
    var reached = first
    timeline.take(before: first + Int64(count)) { update in
      // An update before the decoder's first sample holds from that on.
      let time = max(update.at, first)
      guard update.plane >= programme.bedPlanes else {
        applyGains(block, place + Int(reached - first), Int(time - reached))
        reached = time
        return gains.take(update)
      }
      hasMotion = true
      var update = update
      update.at = time + offset
      block.add(update)
    }
    applyGains(block, place + Int(reached - first), count - Int(reached - first))
  }

  /// Drops the updates before sample `end` since the start.
  func drop(before end: Int64) { timeline.take(before: end) { _ in } }

  /// Forgets all frames.
  func reset() {
    timeline.beginAnew()
    gains = BedGains(programme.bedPlanes)
  }

  /// Samples of the output that so many coded ones last, rounded down.
  private func output(_ coded: Int64) -> Int64 {
    coded * Int64(rate.resampleUp) / Int64(rate.resampleDown)
  }

  private func applyGains(_ block: ProgrammeBlock, _ place: Int, _ count: Int) {
    for plane in 0..<programme.bedPlanes {
      guard let base = block.audio.channel(plane).baseAddress else { continue }
      gains.apply(plane, to: base + place, count: count)
    }
  }
}

/// The objects of a presentation for a renderer: the elements, and the plane of each decoded signal.
struct ObjectProgramme {
  /// A bed of all channels, where there are any, then each dynamic object.
  let elements: [Programme.Element]
  /// The plane of each decoded signal, one substream after the other.
  let places: [Int]
  /// Planes of the bed; those of dynamic objects follow.
  let bedPlanes: Int
  /// Decibels by which the first frame lets dialogue be raised; `nil` where no object is dialogue.
  let dialogueLimit: Double?
  /// State of each plane's object in which the programme begins; bed channels are at full level.
  let starts: [ObjectState]

  /// The programme of substreams with these codings.
  /// - Parameter first: what the first frame says.
  /// - Throws: ``AC4Error/unsupported(_:)`` for two bed channels of one loudspeaker.
  init(_ codings: [ObjectCoding], first: ObjectFirstFrame) throws(AC4Error) {
    let channels = codings.flatMap(\.channels)
    let speakers = channels.compactMap { $0?.speaker }
    let layout = ChannelLayout(speakers)
    guard layout.count == speakers.count else {
      throw .unsupported("two bed channels of one loudspeaker")
    }
    var elements: [Programme.Element] = layout.count == 0 ? [] : [.bed(layout)]
    var starts = [ObjectState](repeating: ObjectState(), count: layout.count)
    var places: [Int] = []
    for (index, channel) in channels.enumerated() {
      if let speaker = channel?.speaker {
        places.append(layout.speakers.firstIndex(of: speaker) ?? 0)
        continue
      }
      let info = first.infos.indices.contains(index) ? first.infos[index] : nil
      let start = info.map { ObjectStates.state($0, before: ObjectStates.initial) }
      let state = start ?? ObjectStates.initial
      places.append(starts.count)
      elements.append(.object(name: "Object \(starts.count - layout.count + 1)", start: state))
      starts.append(state)
    }
    (self.elements, self.places, self.starts) = (elements, places, starts)
    bedPlanes = layout.count
    dialogueLimit = first.dialogueLimit
  }
}

/// The data of a presentation's first frame on its objects.
struct ObjectFirstFrame {
  /// Data of the first update on each decoded signal; `nil` where the frame has none.
  var infos: [ObjectInfo?] = []
  /// Decibels by which the stream lets dialogue be raised at most; `nil` where no object is dialogue.
  var dialogueLimit: Double?
}
