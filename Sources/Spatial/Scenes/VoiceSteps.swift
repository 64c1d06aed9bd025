// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Plays sounds whose filters may change: objects, and channels of beds under a moving head. It takes steps of some
/// hops.
final class VoiceSteps {
  /// The step that is being filled, all planes of the programme.
  let input: AudioBuffer
  /// Voices that are audible in this step.
  private(set) var heard: [ObjectVoice] = []

  private let parts: VoiceParts
  private let objects: [Int]
  private let head: HeadView
  private let stepLanes: StepLanes
  /// While the head moves, each bed channel is rendered as a voice at a fixed place.
  private let fixed: [(plane: Int, voice: ObjectVoice)]
  private var tracks: [ObjectTrack] = []
  /// Updates of the step that is being filled, with their samples.
  private var updates: [(time: Int, update: ObjectUpdate)] = []
  private var received = 0
  /// Steps played.
  private var played = 0

  /// Steps of `programme`, sorted into `elements`.
  init(
    _ parts: VoiceParts, _ programme: Programme, _ elements: SceneElements, _ options: SceneOptions
  ) {
    self.parts = parts
    objects = elements.objects
    head = HeadView(
      pose: options.pose, trajectory: options.trajectory, rate: programme.sampleRate)
    stepLanes = StepLanes(frames: parts.step)
    fixed =
      head.isStill
      ? []
      : elements.channels.map { channel in
        (channel.plane, parts.makeVoice(at: UnitVector.of(channel.direction)))
      }
    input = AudioBuffer(channels: programme.planes, capacity: parts.step)
  }

  /// Number of the step's first sample.
  var start: Int { played * parts.step }
  /// Samples of a hop, within which filters fade.
  var hop: Int { parts.hop }
  /// The step's samples for the low-pass of LFE channels, from objects.
  var bass: UnsafePointer<Float> { UnsafePointer(stepLanes.bass) }

  /// Consumes `block`; calls `playStep` for each step that is full.
  func take(_ block: ProgrammeBlock, playStep: () -> Void) {
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
      if input.frames == parts.step { playStep() }
    }
  }

  /// Fills the step with silence.
  func fill() { input.appendSilence(parts.step - input.frames) }

  /// Renders the step in ``input`` as far as voices, the diffuse bus and samples for the ears go.
  func play(into lanes: EarLanes) {
    let step = parts.step
    stepLanes.clear()
    heard.removeAll(keepingCapacity: true)
    for (plane, voice) in fixed { play(voice, plane) }
    for track in tracks { play(track) }
    let first = lanes.voices.grow(by: step)
    if let left = lanes.voices.channel(0).baseAddress,
      let right = lanes.voices.channel(1).baseAddress
    {
      (left + first).update(repeating: 0, count: step)
      (right + first).update(repeating: 0, count: step)
      parts.mixer.add(
        heard, start: start, head: head, left: left + first, right: right + first)
    }
    parts.room?.play(
      heard, start: start, frames: step, into: lanes.reflections, still: lanes.restingReflections)
    guard let bus = parts.bus else { return }
    bus.play(stepLanes, frames: step, into: lanes.diffuse)
    playStraight(step, into: lanes.straight)
  }

  /// Goes on to the next step.
  func end() {
    input.removeAll()
    updates.removeAll(keepingCapacity: true)
    played += 1
  }

  private func begin(_ block: ProgrammeBlock) {
    tracks = objects.compactMap { plane in
      block.motion(of: plane, at: block.start).map { motion in
        ObjectTrack(plane: plane, motion, parts.maker, parts.setting)
      }
    }
    if let filters = parts.roomFilters {
      parts.room?.begin(tracks.compactMap(\.voices.first), filters)
    }
  }

  private func play(_ voice: ObjectVoice, _ plane: Int) {
    guard let source = input.channel(plane).baseAddress else { return }
    voice.beginStep()
    voice.add(UnsafePointer(source), count: parts.step, offset: 0, time: start)
    if voice.endStep() { heard.append(voice) }
  }

  /// Plays a track's step, in pieces between its updates.
  private func play(_ track: ObjectTrack) {
    guard let samples = input.channel(track.plane).baseAddress else { return }
    let source = UnsafePointer(samples)
    let start = start
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

  private func playStraight(_ count: Int, into lane: AudioBuffer) {
    let first = lane.grow(by: count)
    for ear in 0..<2 {
      guard let target = lane.channel(ear).baseAddress else { continue }
      (target + first).update(from: stepLanes.straight(ear), count: count)
    }
  }
}

/// The filters and convolvers of voices, made once for a programme.
final class VoiceParts {
  /// Samples of a hop, for which filters are made.
  let hop: Int
  /// Samples that are rendered together: some hops, because what a voice's filters are mixed from hardly
  /// changes from hop to hop and would otherwise be fetched from far memory for each.
  let step: Int
  /// Sums voices.
  let mixer: VoiceMixer
  /// Plays diffuse sound; `nil` without objects, which alone have some.
  let bus: DiffuseBus?
  /// Plays reflections of voices; `nil` without a room.
  let room: ReflectionBus?
  /// Filters of a room around a head at rest; `nil` without a room and with a moving head.
  let roomFilters: RoomFilters?
  /// Works out what objects ask for.
  let maker: SoundMaker
  /// Settings shared by tracks.
  let setting: TrackSetting

  /// Amplitude of the reflections of channels.
  private let reflections: Double

  /// Parts for `elements` at `rate`; `nil` when nothing has filters that change.
  /// - Throws: what ``ReflectionBus`` throws.
  init?(
    _ hrtf: HRTFSet, _ elements: SceneElements, _ plain: HRIRDesigner, _ roomFilters: RoomFilters?,
    rate: Int, _ options: SceneOptions
  ) throws {
    let hasObjects = !elements.objects.isEmpty
    guard hasObjects || options.trajectory != nil else { return nil }
    // Channels turn with the head only, which turns more slowly than objects may fly: half as many filters are enough.
    let hop = HeadTrajectory.hop(rate: rate) / (hasObjects ? 2 : 1)
    var bins = hop
    while 2 * bins < hop + plain.lead + plain.tail { bins *= 2 }
    bins = max(64, bins)
    let mended = HRIRDesigner(hrtf, rate: rate, mended: true)
    let filters = VoiceFilters(ObjectFilters(mended, hrtf, bins: bins), channels: plain)
    let step = 2 * hop
    self.hop = hop
    self.step = step
    self.roomFilters = roomFilters
    mixer = VoiceMixer(filters, hop: hop, step: step)
    bus = hasObjects ? DiffuseBus(mended) : nil
    room = try options.room.map { model in
      try ReflectionBus(model.shoebox, hrtf, rate: rate, hop: hop, options)
    }
    reflections = options.room == nil ? 0 : 1
    maker = SoundMaker(options)
    setting = TrackSetting(
      step: step, history: 2 * bins - hop, jump: Double(rate) / 500,
      makeFilter: { filters.makeFilter() })
  }

  /// A voice that stays at `place`.
  func makeVoice(at place: SIMD3<Double>) -> ObjectVoice {
    let voice = ObjectVoice(
      course: VoiceCourse(place, VoiceShape(reflections: reflections)), gain: GainLine(1),
      history: setting.history, step: step, makeFilter: setting.makeFilter)
    voice.isChannel = true
    return voice
  }
}
