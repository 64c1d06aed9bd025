import AudioCore
import Signal

/// Writes the planes of a programme and the updates of its objects to blocks, on the downmix's clock.
final class PlaneOutput {
  /// Receive the objects that are mixed, one frame later than the downmix and the bank's delay.
  let mixed: [UnsafeMutablePointer<Float>]
  /// Sample of the downmix that the next frame begins with; below 0 before its first one.
  private(set) var next = -Int64(ObjectMixer.delay)

  private let programme: JOCProgramme
  private let memory: FixedBuffer<Float>
  /// The LFE, as late as the objects.
  private let lfe = FixedBuffer<Float>(0, count: ObjectMixer.delay + ObjectMixer.frame)
  private var gains: BedGains

  /// An output that begins at the downmix's first sample.
  init(_ programme: JOCProgramme) {
    self.programme = programme
    memory = FixedBuffer(0, count: programme.mixed * ObjectMixer.frame)
    mixed = (0..<programme.mixed).map { [memory] in memory.base + $0 * ObjectMixer.frame }
    gains = BedGains(programme.bedPlanes)
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
      (target + place).update(from: samples(source) + skipped, count: Int(last - first))
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
  }

  private func samples(_ source: JOCProgramme.Source) -> UnsafeMutablePointer<Float> {
    switch source {
    case .lfe: lfe.base
    case .mixed(let object): mixed[object]
    }
  }

  private func applyGains(_ block: ProgrammeBlock, _ place: Int, _ count: Int) {
    for plane in 0..<programme.bedPlanes {
      guard let base = block.audio.channel(plane).baseAddress else { continue }
      gains.apply(plane, to: base + place, count: count)
    }
  }
}
