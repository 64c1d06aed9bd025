import AudioCore

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
