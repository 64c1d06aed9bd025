// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Renders beds, objects and sound fields to loudspeakers by ITU-R BS.2127-1.
///
/// An object's gains, not its position, go linearly from those of a motion's origin to those of its target.
/// Channels made for loudspeakers jump. The diffuse part of objects is decorrelated, which delays everything by
/// 255 samples; a programme without objects isn't delayed.
package final class LoudspeakerRenderer: Renderer {
  /// The most planes that are taken.
  package static let mostPlanes = 1024

  private let layout: ChannelLayout
  private var mixer: ProgrammeMixer?

  /// A renderer for the channels of `layout`.
  package init(layout: ChannelLayout) { self.layout = layout }

  /// 255 samples for a programme with objects, else 0.
  package var latency: Int { mixer?.canBeDiffuse == true ? DecorrelationBus.latency : 0 }

  /// 256 samples for a programme with objects, else 0.
  package var tail: Int { mixer?.canBeDiffuse == true ? DecorrelationBus.tail : 0 }

  /// Works out the gains of all planes.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout that ITU-R BS.2051 doesn't have, more
  ///   than 1,024 planes, sound fields above order 7, and channels made for headphones when the layout isn't
  ///   stereo.
  package func prepare(_ programme: Programme) throws -> AudioFormat {
    guard programme.planes <= LoudspeakerRenderer.mostPlanes else {
      throw MediaError(
        .unsupportedFeature,
        "the programme holds \(programme.planes) channels and objects, but the loudspeaker renderer "
          + "takes at most \(LoudspeakerRenderer.mostPlanes); leave some out")
    }
    mixer = try ProgrammeMixer(programme, OutputGains(layout))
    return AudioFormat(sampleRate: programme.sampleRate, layout: layout)
  }

  /// Mixes a block.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for an update that makes an object a channel for
  ///   headphones when the layout isn't stereo.
  package func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    guard let mixer else {
      throw MediaError(.internal, "the loudspeaker renderer was used before it was prepared")
    }
    try mixer.process(block, into: output)
  }

  /// Appends what the filters hold.
  package func finish(into output: AudioBuffer) throws { mixer?.finish(into: output) }

  /// Gains (output × input) by which a bed of `source` is rendered to `layout` where no downmix leads there, since
  /// nothing in it belongs to some of the loudspeakers; `nil` where a downmix does, or where ITU-R BS.2051 doesn't have
  /// the layout.
  package static func gains(ofBed source: ChannelLayout, inLarger layout: ChannelLayout)
    -> [[Double]]?
  {
    guard (try? DownmixMatrix(from: source, to: layout)) == nil,
      let rows = (try? OutputGains(layout))?.gains(ofBed: source)
    else { return nil }
    return layout.speakers.indices.map { channel in rows.map { $0.direct[channel] } }
  }
}

/// Mixes the planes of a programme to channels, with the gains that the objects' motions give.
final class ProgrammeMixer {
  private let gains: OutputGains
  private let mixer: PlaneMixer
  /// For each plane its object; `nil` for a plane of a bed or a sound field.
  private let lanes: [ObjectLane?]
  /// Adds the diffuse part; `nil` where none can come.
  private let bus: DecorrelationBus?

  /// A mixer for `programme`.
  /// - Throws: what ``OutputGains`` throws.
  init(_ programme: Programme, _ gains: OutputGains) throws {
    var lanes: [ObjectLane?] = []
    var fixed: [(plane: Int, gains: SpeakerGains)] = []
    for element in programme.elements {
      var rows: [SpeakerGains] = []
      switch element {
      case .bed(let layout): rows = gains.gains(ofBed: layout)
      case .scene(let order): rows = try gains.gains(ofScene: order)
      case .object(_, let start): lanes.append(ObjectLane(plane: lanes.count, start: start))
      }
      for row in rows {
        fixed.append((lanes.count, row))
        lanes.append(nil)
      }
    }
    let hasObjects = lanes.contains { $0 != nil }
    mixer = PlaneMixer(planes: lanes.count, buses: gains.channels * (hasObjects ? 2 : 1))
    bus = hasObjects ? DecorrelationBus(filters: gains.filters) : nil
    (self.gains, self.lanes) = (gains, lanes)
    for (plane, row) in fixed { mixer.rest(plane, row) }
    for lane in lanes.compactMap({ $0 }) { try lane.follow(lane.motion, mixer, gains) }
  }

  /// Whether objects may be diffuse.
  var canBeDiffuse: Bool { bus != nil }

  /// Mixes `block` and appends what is ready to `output`.
  /// - Throws: what ``OutputGains`` throws.
  func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
    for lane in lanes.compactMap({ $0 }) {
      if let motion = block.motions[lane.plane] { try lane.enter(motion, mixer, gains) }
    }
    let updates = PlaneUpdates(block)
    let diffuseStart = firstDiffuse(in: block)
    var position = 0
    while position < block.frames {
      // Filters begin at a sample that the updates state, so that cuts don't matter.
      if position == diffuseStart { bus?.begin() }
      let limit = position < diffuseStart ? min(diffuseStart, block.frames) : block.frames
      let count = min(PlaneMixer.span, limit - position)
      try mix(block, updates, from: position, count: count)
      deliver(count, to: output)
      position += count
    }
  }

  /// Appends what the filters hold.
  func finish(into output: AudioBuffer) { bus?.finish(into: output) }

  /// The first sample in which an object may be diffuse; behind the block when there is none or it was
  /// before.
  private func firstDiffuse(in block: ProgrammeBlock) -> Int {
    guard let bus, !bus.isActive else { return Int.max }
    let isAtStart = lanes.contains { $0?.isDiffuse == true }
    if isAtStart { return 0 }
    let update = block.updates.first { $0.state.diffuse > 0 || ($0.origin?.diffuse ?? 0) > 0 }
    return update.map { Int($0.at - block.start) } ?? Int.max
  }

  /// Mixes `count` samples, at most ``PlaneMixer/span``, from `position` in the block on.
  private func mix(
    _ block: ProgrammeBlock, _ updates: PlaneUpdates, from position: Int, count: Int
  ) throws {
    mixer.clear(count)
    for (plane, lane) in lanes.enumerated() {
      guard let source = block.audio.channel(plane).baseAddress else { continue }
      guard let lane else {
        mixer.add(source + position, plane: plane, at: 0, count: count)
        continue
      }
      var done = 0
      while done < count {
        let now = position + done
        try lane.take(updates, at: block.start + Int64(now), mixer, gains)
        let next = lane.next(in: updates).map { Int($0.at - block.start) - now } ?? count
        let length = min(count - done, next)
        mix(lane, source + now, at: done, count: length)
        done += length
      }
    }
  }

  /// Mixes `count` samples of one object in which there is no update.
  private func mix(_ lane: ObjectLane, _ source: UnsafePointer<Float>, at start: Int, count: Int) {
    let ramp = lane.rampSamples(upTo: count)
    if ramp > 0 { mixer.addRamp(source, plane: lane.plane, at: start, count: ramp, lane.motion) }
    if ramp < count {
      mixer.add(source + ramp, plane: lane.plane, at: start + ramp, count: count - ramp)
    }
    lane.pass(count)
  }

  private func deliver(_ count: Int, to output: AudioBuffer) {
    if let bus {
      bus.process(
        direct: mixer.sum(0), diffuse: mixer.sum(gains.channels), stride: PlaneMixer.span,
        frames: count, into: output)
      return
    }
    let start = output.grow(by: count)
    for channel in 0..<output.channels {
      guard let target = output.channel(channel).baseAddress else { continue }
      (target + start).update(from: mixer.sum(channel), count: count)
    }
  }
}

/// The motion of one object, and the states whose gains the mixer holds.
final class ObjectLane {
  /// Plane of the object.
  let plane: Int
  /// The motion at the sample that comes next.
  private(set) var motion: ObjectMotion
  /// Updates of the block that were taken.
  private var taken = 0
  /// State whose gains are the mixer's origin; `nil` before the first.
  private var origin: ObjectState?
  /// State whose gains are the mixer's target; `nil` before the first.
  private var target: ObjectState?

  /// A lane for the object in `plane`.
  init(plane: Int, start: ObjectState) {
    self.plane = plane
    motion = ObjectMotion(restingIn: start)
  }

  /// Whether an end of the motion is diffuse.
  var isDiffuse: Bool { motion.target.diffuse > 0 || motion.origin.diffuse > 0 }

  /// Enters a block that begins with `motion`.
  func enter(_ motion: ObjectMotion, _ mixer: PlaneMixer, _ gains: OutputGains) throws {
    taken = 0
    try follow(motion, mixer, gains)
  }

  /// The update of the block that comes next.
  func next(in updates: PlaneUpdates) -> ObjectUpdate? { updates.update(taken, of: plane) }

  /// Takes the updates at sample `position`, which is the next one.
  func take(
    _ updates: PlaneUpdates, at position: Int64, _ mixer: PlaneMixer, _ gains: OutputGains
  ) throws {
    let before = taken
    var motion = motion
    while let update = next(in: updates), update.at <= position {
      motion = update.motion(after: motion)
      taken += 1
    }
    if taken > before { try follow(motion, mixer, gains) }
  }

  /// Passes `count` samples.
  func pass(_ count: Int) { motion = motion.advanced(by: count) }

  /// Samples from the next one on, at most `count`, in which the ramp isn't over. Channels for loudspeakers
  /// and ears take their new gains at once.
  func rampSamples(upTo count: Int) -> Int {
    guard !motion.isResting, case .source = motion.target.rules.role else { return 0 }
    let rest = motion.ramp - motion.lead - Double(motion.elapsed)
    var samples = rest < Double(count) ? max(0, Int(rest.rounded(.up))) : count
    // The difference is rounded; the sum decides, as it does in the motion itself.
    while samples > 0, isOver(after: samples - 1) { samples -= 1 }
    while samples < count, !isOver(after: samples) { samples += 1 }
    return samples
  }

  /// Continues with `motion` and gives the mixer the gains it lacks.
  func follow(_ motion: ObjectMotion, _ mixer: PlaneMixer, _ gains: OutputGains) throws {
    self.motion = motion
    if !motion.isResting, origin != motion.origin {
      if target == motion.origin {
        mixer.moveTargetToOrigin(plane)
      } else {
        mixer.start(plane, try gains.gains(of: motion.origin))
      }
      origin = motion.origin
    }
    if target != motion.target {
      mixer.rest(plane, try gains.gains(of: motion.target))
      target = motion.target
    }
  }

  private func isOver(after samples: Int) -> Bool {
    Double(motion.elapsed + samples) + motion.lead >= motion.ramp
  }
}

/// The updates of a block, plane by plane.
struct PlaneUpdates {
  private let updates: [ObjectUpdate]
  /// Numbers of the updates by plane, then in their own order.
  private var order: [Int]
  /// For each plane the first of `order`, and the end behind the last plane.
  private var first: [Int]

  /// The updates of `block`.
  init(_ block: ProgrammeBlock) {
    updates = block.updates
    first = [Int](repeating: 0, count: block.audio.channels + 1)
    for update in updates { first[update.plane + 1] += 1 }
    for plane in 0..<block.audio.channels { first[plane + 1] += first[plane] }
    order = [Int](repeating: 0, count: updates.count)
    var next = first
    for (number, update) in updates.enumerated() {
      order[next[update.plane]] = number
      next[update.plane] += 1
    }
  }

  /// Update `number` of a plane, from 0; `nil` behind the last one.
  func update(_ number: Int, of plane: Int) -> ObjectUpdate? {
    let place = first[plane] + number
    return place < first[plane + 1] ? updates[order[place]] : nil
  }
}
