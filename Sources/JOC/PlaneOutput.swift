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
  private let memory: FixedBuffer<Float>
  private let room: [UnsafeMutablePointer<Float>]
  /// The LFE, as late as the objects.
  private let lfe = FixedBuffer<Float>(0, count: ObjectMixer.delay + ObjectMixer.frame)
  private let silence = FixedBuffer<Float>(0, count: ObjectMixer.frame)
  private var gains: BedGains
  private var fallback: DownmixFallback?

  /// An output that begins at the downmix's first sample.
  init(_ programme: JOCProgramme) {
    self.programme = programme
    memory = FixedBuffer(0, count: CoefficientFrame.mostObjects * ObjectMixer.frame)
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
