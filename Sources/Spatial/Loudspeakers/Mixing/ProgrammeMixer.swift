import AudioCore

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
