import AudioCore

/// Applies a filter bank: main channels through short filters, LFE channels together through one
/// long filter, the sum to both ears.
///
/// The short filters need small transforms only. The main channels' output waits until the
/// low-pass and the late part of a room, which have larger blocks, have caught up.
final class LayoutConvolver {
  private let mains: any ChannelConvolver
  private let mainChannels: [Int]
  private let bass: MonoConvolver?
  private let bassChannels: [Int]
  /// Main channels' part, both ears, waiting for the bass.
  private let waiting = AudioBuffer(channels: 2, capacity: 1 << 15)
  private let low = AudioBuffer(channels: 1, capacity: 1 << 15)
  private let late: (bus: LateBus, gains: [SIMD4<Double>])?
  private let echoes = AudioBuffer(channels: 2)
  private let delay: Int
  private let length: Int
  private var received = 0
  private var emitted = 0

  /// A convolver for `bank`, its main channels' filters replaced by those of `moving` if there is
  /// one.
  /// - Throws: ``MediaError`` of kind `internal` when no transform can be made.
  init(_ bank: BinauralFilterBank, moving: MovingFilters? = nil) throws {
    mainChannels = bank.mainChannels
    bassChannels = bank.lowPass == nil ? [] : bank.bassChannels
    delay = bank.latency - bank.lead
    length = bank.length
    let span = delay..<min(bank.length, delay + bank.mainLength)
    if let moving {
      mains = try MovingConvolver(moving, taps: span.count)
    } else {
      mains = FastConvolver(
        left: mainChannels.map { Array(bank.left[$0][span]) },
        right: mainChannels.map { Array(bank.right[$0][span]) }, taps: span.count,
        transformLength: bank.transformLength)
    }
    bass = bank.lowPass.map { MonoConvolver(taps: $0) }
    late = bank.late.map { (LateBus($0.room, frames: 1024), $0.gains) }
    waiting.appendSilence(bass == nil && late == nil ? 0 : delay)
    echoes.appendSilence(late == nil ? 0 : delay)
  }

  /// Consumes `input` and appends what is ready to the two planes of `output`.
  func process(_ input: AudioBuffer, into output: AudioBuffer) {
    received += input.frames
    let sources = pointers(input, mainChannels)
    guard bass != nil || late != nil else {
      mains.process(sources, frames: input.frames, into: output)
      return
    }
    mains.process(sources, frames: input.frames, into: waiting)
    bass?.process(pointers(input, bassChannels), frames: input.frames, into: low)
    playLate(sources, input.frames)
    let ready = min(
      waiting.frames, bass == nil ? .max : low.frames, late == nil ? .max : echoes.frames)
    emit(ready, into: output)
  }

  /// Appends what is left.
  func finish(into output: AudioBuffer) {
    guard bass != nil || late != nil else {
      mains.finish(into: output)
      return
    }
    guard received > 0 else { return }
    mains.finish(into: waiting)
    bass?.finish(into: low)
    late?.bus.finish(into: echoes)
    let rest = received + length - 1 - emitted
    for lane in [waiting, low, echoes] { lane.appendSilence(max(0, rest - lane.frames)) }
    emit(rest, into: output)
  }

  /// Feeds the late part of the room with the main channels.
  private func playLate(_ sources: [UnsafePointer<Float>], _ count: Int) {
    guard let (bus, gains) = late else { return }
    var position = 0
    while position < count {
      let part = min(bus.frames, count - position)
      bus.clear()
      for (source, gains) in zip(sources, gains) {
        bus.add(source + position, count: part, from: gains, to: gains)
      }
      bus.play(part, into: echoes)
      position += part
    }
  }

  private func pointers(_ input: AudioBuffer, _ channels: [Int]) -> [UnsafePointer<Float>] {
    channels.compactMap { input.channel($0).baseAddress.map { UnsafePointer($0) } }
  }

  private func emit(_ count: Int, into output: AudioBuffer) {
    guard count > 0 else { return }
    let start = output.frames
    output.append(waiting, range: 0..<count)
    for ear in 0..<2 {
      guard let target = output.channel(ear).baseAddress.map({ $0 + start }) else { continue }
      if bass != nil { LayoutConvolver.add(low.channel(0), to: target, count) }
      if late != nil { LayoutConvolver.add(echoes.channel(ear), to: target, count) }
    }
    waiting.removeFirst(count)
    low.removeFirst(min(count, low.frames))
    echoes.removeFirst(min(count, echoes.frames))
    emitted += count
  }

  private static func add(
    _ source: UnsafeMutableBufferPointer<Float>, to target: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    guard let source = source.baseAddress else { return }
    for index in 0..<count { target[index] += source[index] }
  }
}
