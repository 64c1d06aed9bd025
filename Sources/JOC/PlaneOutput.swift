// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata
import Signal

/// Writes the planes of a programme and the updates of its objects to blocks, on the downmix's clock.
final class PlaneOutput {
  /// Receive the objects that are mixed, one frame later than the downmix and the bank's delay.
  private(set) var mixed: [UnsafeMutablePointer<Float>]
  /// Sample of the downmix that the next frame begins with; below 0 before its first one.
  private(set) var next = -Int64(ObjectMixer.delay)

  private var programme: JOCProgramme
  private let memory: Buffer<Float>
  private let room: [UnsafeMutablePointer<Float>]
  /// The LFE, as late as the objects.
  private let lfe = Buffer<Float>(0, count: ObjectMixer.delay + ObjectMixer.frame)
  private let silence = Buffer<Float>(0, count: ObjectMixer.frame)
  private var gains: BedGains
  private var fallback: DownmixFallback?

  /// An output that begins at the downmix's first sample.
  init(_ programme: JOCProgramme) {
    self.programme = programme
    memory = Buffer(0, count: CoefficientFrame.mostObjects * ObjectMixer.frame)
    room = (0..<CoefficientFrame.mostObjects).map { [memory] in memory.base + $0 * ObjectMixer.frame
    }
    mixed = Array(room.prefix(programme.mixed))
    gains = BedGains(programme.bedPlanes)
    fallback = programme.downmix.map(DownmixFallback.init)
  }

  /// Whether nothing but the downmix is heard.
  var playsDownmix: Bool { fallback?.isAlone == true }

  /// Writes another programme to the same planes from here on.
  func take(_ programme: JOCProgramme) {
    self.programme = programme
    mixed = Array(room.prefix(programme.mixed))
  }

  /// Takes a frame of the downmix, for where objects are missing; `isWanted` where they are.
  func takeDownmix(_ downmix: AudioBuffer, isWanted: Bool) {
    fallback?.take(downmix)
    // Before anything is written, nothing has to be faded.
    if next == -Int64(ObjectMixer.delay) {
      fallback?.begin(withDownmix: isWanted)
    } else {
      fallback?.isWanted = isWanted
    }
  }

  /// Begins anew behind the last sample, with the downmix.
  func beginAnew() {
    next = -Int64(ObjectMixer.delay)
    fallback?.begin(withDownmix: true)
    lfe.fill(0)
  }

  /// Appends samples of the downmix to `block` as they are.
  func append(_ downmix: AudioBuffer, to block: ProgrammeBlock) {
    if let fallback {
      fallback.append(downmix, to: block.audio)
    } else {
      block.audio.appendSilence(downmix.frames)
    }
  }

  /// Takes a frame of the LFE, `nil` for silence, and the gains of the downmix.
  func takeLFE(_ samples: UnsafeMutablePointer<Float>?, _ gains: UnsafePointer<Float>) {
    lfe.base.update(from: lfe.base + ObjectMixer.frame, count: ObjectMixer.delay)
    let target = lfe.base + ObjectMixer.delay
    for index in 0..<ObjectMixer.frame { target[index] = (samples?[index] ?? 0) * gains[index] }
  }

  /// Appends the frame to `block`, without the samples before the downmix's first one and from `end` on.
  func write(to block: ProgrammeBlock, _ timeline: inout ObjectTimeline, end: Int64) {
    let first = max(0, next)
    let last = min(next + Int64(ObjectMixer.frame), end)
    let skipped = Int(first - next)
    next += Int64(ObjectMixer.frame)
    guard last > first else { return }
    let offset = block.end - first
    let place = block.audio.grow(by: Int(last - first))
    for (plane, source) in programme.sources.enumerated() {
      guard let target = block.audio.channel(plane).baseAddress else { continue }
      // The silence is as long as a frame, and nothing of it need be skipped.
      let begin = source == .silence ? 0 : skipped
      (target + place).update(from: samples(source) + begin, count: Int(last - first))
    }
    var reached = first
    timeline.take(before: last) { update in
      guard update.plane >= programme.bedPlanes else {
        applyGains(block, place + Int(reached - first), Int(update.at - reached))
        reached = update.at
        return gains.take(update)
      }
      var update = update
      update.at += offset
      block.add(update)
    }
    applyGains(block, place + Int(reached - first), Int(last - reached))
    fallback?.mix(into: block.audio, at: place, count: Int(last - first))
  }

  private func samples(_ source: JOCProgramme.Source) -> UnsafeMutablePointer<Float> {
    switch source {
    case .lfe: lfe.base
    case .mixed(let object): mixed[object]
    case .silence: silence.base
    }
  }

  private func applyGains(_ block: ProgrammeBlock, _ place: Int, _ count: Int) {
    for plane in 0..<programme.bedPlanes {
      guard let base = block.audio.channel(plane).baseAddress else { continue }
      gains.apply(plane, to: base + place, count: count)
    }
  }
}

extension ObjectTimeline {
  /// Samples with which libavcodec's decoder begins before the programme; times of metadata count from the
  /// programme's first sample.
  private static let leadIn: Int64 = 256

  /// A timeline of objects of E-AC-3 that begin in `starts`.
  init(_ starts: [ObjectState]) { self.init(starts, blocks: ObjectFrame.mostBlocks) }

  /// Adds the updates of a frame.
  /// - Parameters:
  ///   - start: the frame's first sample.
  ///   - delay: samples by which its payload is later (`smploffst`).
  ///   - objects: number of each plane's object; `nil` for a plane without one.
  mutating func add(_ frame: ObjectFrame, start: Int64, delay: Int, objects: [Int?]) {
    add(frame, from: start + ObjectTimeline.leadIn + Int64(delay), objects: objects)
  }
}

/// Plays the downmix itself where objects are missing, with a cross-fade there and back.
///
/// The downmix waits here until the samples of the same time are written, and sounds as it is coded: the gain
/// that objects get (`joc_clipgain`) isn't meant for it.
struct DownmixFallback {
  /// Samples of a cross-fade, those of one access unit. Both sides hold the same programme, so their
  /// amplitudes add up.
  static let fade = ObjectMixer.frame

  /// Whether the downmix is to be heard.
  var isWanted = true
  /// Samples of the fade that are done: 0 for objects alone, ``fade`` for the downmix alone.
  private var step = DownmixFallback.fade
  private let planes: [Int]
  private let waiting: AudioBuffer
  private let shares = Buffer<Float>(0, count: ObjectMixer.frame)

  /// A fallback to the planes of the downmix's channels.
  init(_ planes: [Int]) {
    self.planes = planes
    waiting = AudioBuffer(channels: planes.count, capacity: 4 * ObjectMixer.frame)
  }

  /// Whether nothing but the downmix is heard.
  var isAlone: Bool { step == DownmixFallback.fade }

  /// Begins with what is wanted, without a fade.
  mutating func begin(withDownmix isWanted: Bool) {
    self.isWanted = isWanted
    step = isWanted ? DownmixFallback.fade : 0
  }

  /// Takes the next samples of the downmix.
  func take(_ downmix: AudioBuffer) { waiting.append(downmix) }

  /// Brings the downmix into `count` samples of `audio` from `place` on, at most ``ObjectMixer/frame``.
  mutating func mix(into audio: AudioBuffer, at place: Int, count: Int) {
    defer { waiting.removeFirst(count) }
    guard isWanted || step > 0 else { return }
    for index in 0..<count {
      step = min(DownmixFallback.fade, max(0, step + (isWanted ? 1 : -1)))
      shares.base[index] = Float(step) / Float(DownmixFallback.fade)
    }
    for plane in 0..<audio.channels {
      guard let base = audio.channel(plane).baseAddress else { continue }
      for index in 0..<count { base[place + index] *= 1 - shares.base[index] }
    }
    for (channel, plane) in planes.enumerated() {
      guard let base = audio.channel(plane).baseAddress,
        let source = waiting.channel(channel).baseAddress
      else { continue }
      for index in 0..<count { base[place + index] += shares.base[index] * source[index] }
    }
  }

  /// Appends samples of the downmix to `audio` as they are.
  func append(_ downmix: AudioBuffer, to audio: AudioBuffer) {
    let place = audio.frames
    audio.appendSilence(downmix.frames)
    for (channel, plane) in planes.enumerated() {
      guard let base = audio.channel(plane).baseAddress,
        let source = downmix.channel(channel).baseAddress
      else { continue }
      (base + place).update(from: source, count: downmix.frames)
    }
  }
}
