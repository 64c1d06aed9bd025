import AudioCore
import Platform

/// The parts of a prepared ``SceneRenderer``, and the step of some hops that they work by.
///
/// Steps lie at fixed positions of the programme, so the output doesn't depend on how it is cut.
final class ScenePipeline {
  /// When each way delivers.
  let timing: SceneTiming

  private let elements: SceneElements
  private let head: HeadView
  private let parts: SceneParts
  private let lanes: EarLanes
  private let stepLanes: StepLanes
  /// Channels of beds that a moving head hears as voices.
  private let fixed: [(plane: Int, voice: ObjectVoice)]
  private var tracks: [ObjectTrack] = []
  private var heard: [ObjectVoice] = []
  /// The step that is being filled.
  private let input: AudioBuffer
  /// Updates of the step that is being filled, with their samples.
  private var updates: [(time: Int, update: ObjectUpdate)] = []
  private var received = 0
  private var emitted = 0
  /// Steps played.
  private var played = 0

  /// A pipeline for `programme`.
  /// - Throws: what ``SceneRenderer/prepare(_:)`` throws.
  init(_ hrtf: HRTFSet, _ programme: Programme, _ options: SceneOptions) throws {
    elements = try SceneElements(programme, options.positions)
    let rate = programme.sampleRate
    let parts = try SceneParts(hrtf, elements, rate: rate, options)
    self.parts = parts
    timing = parts.timing
    head = HeadView(pose: options.pose, trajectory: options.trajectory, rate: rate)
    lanes = EarLanes(
      parts.timing, parts.canceller, hasChannels: parts.channels != nil,
      hasRoom: parts.room != nil, hasLate: parts.late != nil,
      hasBass: parts.bass != nil)
    stepLanes = StepLanes(frames: parts.step)
    fixed =
      head.isStill
      ? []
      : elements.channels.map { channel in
        let voice = parts.makeVoice(at: UnitVector.of(channel.direction))
        return (channel.plane, voice)
      }
    input = AudioBuffer(channels: programme.planes, capacity: parts.step)
  }

  /// Consumes `block` and appends what is ready to `output`.
  func process(_ block: ProgrammeBlock, into output: AudioBuffer) {
    let first = received
    if first == 0 { begin(block) }
    var next = 0
    var position = 0
    while position < block.frames {
      let count = min(parts.step - input.frames, block.frames - position)
      while next < block.updates.count {
        let update = block.updates[next]
        let time = Int(update.at - block.start)
        guard time < position + count else { break }
        next += 1
        // The motion with which a track begins holds what is said about its first sample.
        if first + time > 0 { updates.append((first + time, update)) }
      }
      input.append(block.audio, range: position..<position + count)
      position += count
      received += count
      if input.frames == parts.step { playStep(into: output) }
    }
  }

  /// Appends the rest, latency and tail included.
  func finish(into output: AudioBuffer) {
    guard received > 0 else { return }
    let total = received + timing.latency + timing.tail
    let end = output.frames + total - emitted
    while emitted < total {
      input.appendSilence(parts.step - input.frames)
      playStep(into: output)
    }
    output.truncate(to: end)
  }

  private func begin(_ block: ProgrammeBlock) {
    tracks = elements.objects.compactMap { plane in
      block.motion(of: plane, at: block.start).map { motion in
        ObjectTrack(plane: plane, motion, parts.maker, parts.setting)
      }
    }
    if let filters = parts.roomFilters {
      parts.room?.begin(tracks.compactMap(\.voices.first), filters)
    }
  }

  /// Renders the step in ``input``.
  private func playStep(into output: AudioBuffer) {
    let step = parts.step
    let start = played * step
    stepLanes.clear()
    heard.removeAll(keepingCapacity: true)
    for (plane, voice) in fixed { play(voice, plane, start) }
    for track in tracks { play(track, start) }
    let first = lanes.voices.grow(by: step)
    if let left = lanes.voices.channel(0).baseAddress,
      let right = lanes.voices.channel(1).baseAddress
    {
      (left + first).update(repeating: 0, count: step)
      (right + first).update(repeating: 0, count: step)
      parts.mixer.add(
        heard, start: start, head: head, left: left + first, right: right + first)
    }
    parts.channels?.process(input, into: lanes.channels)
    parts.room?.play(
      heard, start: start, frames: step, into: lanes.reflections, still: lanes.restingReflections)
    playLate(start)
    parts.bus.play(stepLanes, frames: step, into: lanes.diffuse)
    playStraight(step)
    playBass(step)
    input.removeAll()
    updates.removeAll(keepingCapacity: true)
    played += 1
    let before = output.frames
    lanes.join(into: output)
    emitted += output.frames - before
  }

  private func play(_ voice: ObjectVoice, _ plane: Int, _ start: Int) {
    guard let source = input.channel(plane).baseAddress else { return }
    voice.beginStep()
    voice.add(UnsafePointer(source), count: parts.step, offset: 0, time: start)
    if voice.endStep() { heard.append(voice) }
  }

  /// Plays a track's step, in pieces between its updates.
  private func play(_ track: ObjectTrack, _ start: Int) {
    guard let samples = input.channel(track.plane).baseAddress else { return }
    let source = UnsafePointer(samples)
    let end = start + parts.step
    var time = start
    var next = 0
    track.beginStep()
    while time < end {
      while next < updates.count, updates[next].update.plane != track.plane { next += 1 }
      let updateTime = next < updates.count ? updates[next].time : end
      let stop = min(end, updateTime, track.pendingTime ?? end)
      if stop > time {
        track.play(source, offset: time - start, count: stop - time, time: time, into: stepLanes)
        time = stop
      }
      guard stop < end else { break }
      if updateTime == stop {
        track.take(updates[next].update, at: stop)
        next += 1
      } else {
        track.resume(at: stop)
      }
    }
    track.endStep(at: end, into: &heard)
  }

  /// Feeds the late part of the room with the step of channels that rest and of all voices.
  private func playLate(_ start: Int) {
    guard let (room, bus) = parts.late else { return }
    bus.clear()
    for channel in elements.channels where head.isStill {
      guard let source = input.channel(channel.plane).baseAddress else { continue }
      let gains = room.gains(from: UnitVector.of(channel.direction))
      bus.add(UnsafePointer(source), count: parts.step, from: gains, to: gains)
    }
    for voice in heard {
      for offset in stride(from: 0, to: parts.step, by: parts.hop) {
        let first = ReflectionBus.image(of: voice, at: start + offset)
        let last = ReflectionBus.image(of: voice, at: start + offset + parts.hop)
        bus.add(
          UnsafePointer(voice.newest + offset), count: parts.hop, offset: offset,
          from: first.gain * room.gains(from: first.place),
          to: last.gain * room.gains(from: last.place))
      }
    }
    bus.play(parts.step, into: lanes.late)
  }

  private func playStraight(_ count: Int) {
    let first = lanes.straight.grow(by: count)
    for ear in 0..<2 {
      guard let target = lanes.straight.channel(ear).baseAddress else { continue }
      (target + first).update(from: stepLanes.straight(ear), count: count)
    }
  }

  private func playBass(_ count: Int) {
    guard let bass = parts.bass else { return }
    let sources = elements.bass.compactMap { plane in
      input.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    bass.process(sources + [UnsafePointer(stepLanes.bass)], frames: count, into: lanes.bass)
  }
}

/// Brings what comes out of the ways to the ears together: each way delivers in its own time and waits for
/// the others.
final class EarLanes {
  /// Voices, static channels, the diffuse bus, samples that go straight to the ears, reflections of voices,
  /// those of voices that have never moved, and the late part of a room; two planes each.
  let voices = AudioBuffer(channels: 2)
  let channels = AudioBuffer(channels: 2)
  let diffuse = AudioBuffer(channels: 2)
  let straight = AudioBuffer(channels: 2)
  let reflections = AudioBuffer(channels: 2)
  let restingReflections = AudioBuffer(channels: 2)
  let late = AudioBuffer(channels: 2)
  /// The low-passed LFE channels; one plane.
  let bass = AudioBuffer(channels: 1)

  private let ears: [AudioBuffer]
  private let hasBass: Bool
  /// From ears to loudspeakers.
  private let canceller: FastConvolver?
  private let summed = AudioBuffer(channels: 2)
  private let played = AudioBuffer(channels: 2)

  /// Lanes with the delays of `timing`; without static channels, a room, its late part or LFE nothing waits for them.
  init(
    _ timing: SceneTiming, _ canceller: CrosstalkCanceller?, hasChannels: Bool, hasRoom: Bool,
    hasLate: Bool, hasBass: Bool
  ) {
    ears =
      [voices, diffuse, straight] + (hasChannels ? [channels] : [])
      + (hasRoom ? [reflections, restingReflections] : []) + (hasLate ? [late] : [])
    self.hasBass = hasBass
    self.canceller = canceller.map { canceller in
      let taps = canceller.taps
      return FastConvolver(
        left: [taps[0], taps[1]], right: [taps[2], taps[3]], taps: taps[0].count,
        transformLength: FastConvolver.bestLength(taps: taps[0].count))
    }
    voices.appendSilence(timing.responseDelay)
    channels.appendSilence(timing.responseDelay)
    reflections.appendSilence(timing.responseDelay)
    restingReflections.appendSilence(timing.responseDelay)
    late.appendSilence(timing.responseDelay)
    diffuse.appendSilence(timing.diffuseDelay)
    straight.appendSilence(timing.straightDelay)
    bass.appendSilence(timing.bassDelay)
  }

  /// Appends what all ways have delivered to the two planes of `output`.
  func join(into output: AudioBuffer) {
    guard canceller != nil || hasBass else {
      sum(into: output)
      return
    }
    sum(into: canceller == nil ? played : summed)
    if let canceller, summed.frames > 0 {
      let sources = (0..<2).compactMap { summed.channel($0).baseAddress.map { UnsafePointer($0) } }
      canceller.process(sources, frames: summed.frames, into: played)
      summed.removeAll()
    }
    let count = hasBass ? min(played.frames, bass.frames) : played.frames
    let start = output.frames
    output.append(played, range: 0..<count)
    played.removeFirst(count)
    guard hasBass else { return }
    for ear in 0..<2 { EarLanes.add(bass.channel(0), to: output.channel(ear), from: start, count) }
    bass.removeFirst(count)
  }

  private func sum(into output: AudioBuffer) {
    let count = ears.map(\.frames).min() ?? 0
    guard count > 0 else { return }
    let start = output.frames
    output.append(ears[0], range: 0..<count)
    for lane in ears.dropFirst() {
      for ear in 0..<2 {
        EarLanes.add(lane.channel(ear), to: output.channel(ear), from: start, count)
      }
    }
    for lane in ears { lane.removeFirst(count) }
  }

  private static func add(
    _ source: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutableBufferPointer<Float>,
    from start: Int, _ count: Int
  ) {
    guard let from = source.baseAddress, let to = target.baseAddress.map({ $0 + start }) else {
      return
    }
    for index in 0..<count { to[index] += from[index] }
  }
}

/// When each way to the ears delivers, so that all onsets fall on the same sample.
struct SceneTiming {
  /// Samples by which output lags input.
  let latency: Int
  /// Samples by which the response outlasts the input after that.
  let tail: Int
  /// Samples by which the responses' output, whose onset has a lead of its own, is delayed.
  let responseDelay: Int
  /// Samples by which the diffuse bus's output is delayed.
  let diffuseDelay: Int
  /// Samples by which what goes straight to the ears is delayed.
  let straightDelay: Int
  /// Samples by which the low-pass's output is delayed.
  let bassDelay: Int

  /// Timing for responses with `lead` taps before and `tail` taps after their onset, filters of channels and
  /// rooms that have at most `longest` taps after it, a crosstalk canceller
  /// that delays by `cancellerDelay` and rings as long, and a low-pass of 2 × `bassHalf` + 1 taps, `nil`
  /// for none. Objects may be diffuse, and the decorrelators need time.
  init(
    lead: Int, tail: Int, longest: Int, cancellerDelay: Int, bassHalf: Int?, hasObjects: Bool
  ) {
    let diffuse = hasObjects ? DiffuseBus.delay : 0
    let latency = max(lead + diffuse + cancellerDelay, bassHalf ?? 0)
    let decorrelated = hasObjects ? DiffuseBus.length - DiffuseBus.delay + tail : 0
    let ringing = max(tail, longest, decorrelated)
    self.latency = latency
    self.tail = max(ringing + cancellerDelay, bassHalf ?? 0)
    straightDelay = latency - cancellerDelay
    responseDelay = straightDelay - lead
    diffuseDelay = responseDelay - diffuse
    bassDelay = latency - (bassHalf ?? 0)
  }
}
