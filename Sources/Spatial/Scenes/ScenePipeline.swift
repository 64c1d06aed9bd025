// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The parts of a prepared ``SceneRenderer`` at work.
///
/// A programme whose channels all rest is convolved as its blocks come. Voices, whose filters may change, take
/// steps of some hops, and all else then goes by their steps. Segments and steps lie at fixed positions of the
/// programme, so the output doesn't depend on how it is cut.
final class ScenePipeline {
  /// Delays that align the onsets of all paths to the ears.
  let timing: SceneTiming

  private let elements: SceneElements
  private let parts: SceneParts
  private let lanes: EarLanes
  /// Objects, and channels that a moving head hears; `nil` when all rest.
  private let steps: VoiceSteps?
  private var received = 0
  private var emitted = 0

  /// A pipeline for `programme`.
  /// - Throws: what ``SceneRenderer/prepare(_:)`` throws.
  init(_ hrtf: HRTFSet, _ programme: Programme, _ options: SceneOptions) throws {
    let elements = try SceneElements(programme, options.positions)
    let parts = try SceneParts(hrtf, elements, rate: programme.sampleRate, options)
    (self.elements, self.parts, timing) = (elements, parts, parts.timing)
    lanes = EarLanes(parts)
    steps = parts.voices.map { VoiceSteps($0, programme, elements, options) }
  }

  /// Consumes `block` and appends what is ready to `output`.
  func process(_ block: ProgrammeBlock, into output: AudioBuffer) {
    received += block.frames
    if let steps {
      steps.take(block) { playStep(steps, into: output) }
    } else {
      playResting(block.audio)
      join(into: output)
    }
  }

  /// Appends the rest, latency and tail included.
  func finish(into output: AudioBuffer) {
    guard received > 0 else { return }
    let total = received + timing.latency + timing.tail
    let end = output.frames + total - emitted
    if let steps {
      while emitted < total {
        steps.fill()
        playStep(steps, into: output)
      }
    } else {
      parts.channels?.finish(into: lanes.channels)
      parts.late?.finish(into: lanes.late)
      parts.bass?.finish(into: lanes.bass)
      lanes.finish(total - emitted, into: output)
    }
    output.truncate(to: end)
  }

  private func playStep(_ steps: VoiceSteps, into output: AudioBuffer) {
    steps.play(into: lanes)
    playResting(steps.input, beside: steps)
    steps.end()
    join(into: output)
  }

  /// Renders `audio` as far as its filters don't change; the low-pass and the late part of a room take what `voices` send there,
  /// too.
  private func playResting(_ audio: AudioBuffer, beside voices: VoiceSteps? = nil) {
    if let channels = parts.channels {
      channels.process(audio, into: lanes.channels)
    } else if voices == nil {
      lanes.silence(audio.frames)
    }
    parts.late?.play(audio, beside: voices, into: lanes.late)
    guard let bass = parts.bass else { return }
    let sources = elements.bass.compactMap { plane in
      audio.channel(plane).baseAddress.map { UnsafePointer($0) }
    }
    bass.process(
      sources + (voices.map { [$0.bass] } ?? []), frames: audio.frames, into: lanes.bass)
  }

  private func join(into output: AudioBuffer) {
    let before = output.frames
    lanes.join(into: output)
    emitted += output.frames - before
  }
}

/// Sums the outputs of all paths to the ears. Each path has its own delay; a queue for each aligns them.
final class EarLanes {
  /// Voices; two planes, as all lanes but ``bass`` have. Silence where nothing goes to the ears but bass.
  let voices = AudioBuffer(channels: 2)
  /// Channels and sound fields at rest.
  let channels = AudioBuffer(channels: 2)
  /// The diffuse bus.
  let diffuse = AudioBuffer(channels: 2)
  /// Samples that go to the ears as they are.
  let straight = AudioBuffer(channels: 2)
  /// Reflections of voices.
  let reflections = AudioBuffer(channels: 2)
  /// Reflections of voices that have never moved.
  let restingReflections = AudioBuffer(channels: 2)
  /// The late part of a room.
  let late = AudioBuffer(channels: 2)
  /// The low-passed LFE channels; one plane.
  let bass = AudioBuffer(channels: 1)

  /// The lanes in use, in the order in which they are summed.
  private let ears: [AudioBuffer]
  private let hasBass: Bool
  /// From ears to loudspeakers.
  private let canceller: FastConvolver?
  private let summed = AudioBuffer(channels: 2)
  private let played = AudioBuffer(channels: 2)

  /// Lanes for the paths that `parts` has, with its delays.
  init(_ parts: SceneParts) {
    var ears: [AudioBuffer] = []
    if let paths = parts.voices {
      ears.append(voices)
      if paths.bus != nil { ears += [diffuse, straight] }
    }
    if parts.channels != nil { ears.append(channels) }
    if parts.voices?.room != nil { ears += [reflections, restingReflections] }
    if parts.late != nil { ears.append(late) }
    self.ears = ears.isEmpty ? [voices] : ears
    hasBass = parts.bass != nil
    canceller = parts.canceller.map { canceller in
      let taps = canceller.taps
      return FastConvolver(
        left: [taps[0], taps[1]], right: [taps[2], taps[3]], taps: taps[0].count,
        transformLength: FastConvolver.bestLength(taps: taps[0].count))
    }
    let timing = parts.timing
    for lane in [voices, channels, reflections, restingReflections, late] {
      lane.appendSilence(timing.responseDelay)
    }
    diffuse.appendSilence(timing.diffuseDelay)
    straight.appendSilence(timing.straightDelay)
    bass.appendSilence(timing.bassDelay)
  }

  /// Appends `count` samples of silence where nothing else goes to the ears.
  func silence(_ count: Int) {
    if ears.first === voices { voices.appendSilence(count) }
  }

  /// Appends what all paths have delivered to the two planes of `output`.
  func join(into output: AudioBuffer) {
    guard let canceller else {
      // Straight to the output, without a copy in between: beds at rest go here.
      let start = output.frames
      let count = sum(into: output, most: hasBass ? bass.frames : .max)
      addBass(count, to: output, from: start)
      return
    }
    sum(into: summed, most: .max)
    if summed.frames > 0 {
      let sources = (0..<2).compactMap { summed.channel($0).baseAddress.map { UnsafePointer($0) } }
      canceller.process(sources, frames: summed.frames, into: played)
      summed.removeAll()
    }
    emit(into: output)
  }

  /// Appends at least `count` samples, with silence after what the paths have delivered; nothing comes after them.
  func finish(_ count: Int, into output: AudioBuffer) {
    for lane in hasBass ? ears + [bass] : ears { lane.appendSilence(max(0, count - lane.frames)) }
    join(into: output)
    guard let canceller else { return }
    canceller.finish(into: played)
    played.appendSilence(max(0, count - played.frames))
    emit(into: output)
  }

  /// Appends what came out of the canceller with the bass that belongs to it.
  private func emit(into output: AudioBuffer) {
    let count = hasBass ? min(played.frames, bass.frames) : played.frames
    let start = output.frames
    output.append(played, range: 0..<count)
    played.removeFirst(count)
    addBass(count, to: output, from: start)
  }

  private func addBass(_ count: Int, to output: AudioBuffer, from start: Int) {
    guard hasBass, count > 0 else { return }
    for ear in 0..<2 { EarLanes.add(bass.channel(0), to: output.channel(ear), from: start, count) }
    bass.removeFirst(count)
  }

  /// Appends the sum of all lanes as far as each has come, at most `most` samples; returns how many.
  @discardableResult
  private func sum(into output: AudioBuffer, most: Int) -> Int {
    let count = min(most, ears.map(\.frames).min() ?? 0)
    guard count > 0 else { return 0 }
    let start = output.frames
    output.append(ears[0], range: 0..<count)
    for lane in ears.dropFirst() {
      for ear in 0..<2 {
        EarLanes.add(lane.channel(ear), to: output.channel(ear), from: start, count)
      }
    }
    for lane in ears { lane.removeFirst(count) }
    return count
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

/// Delays in samples that align the onsets of all paths to the ears.
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
