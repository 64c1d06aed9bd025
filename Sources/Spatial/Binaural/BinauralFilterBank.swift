import AudioCore
import Platform
import Signal

/// The filters of every channel of a layout at a rate, all of one length and time reference.
///
/// For headphones they end at the ears; for loudspeakers the crosstalk canceller's filters are
/// convolved in, so that playing costs no second stage.
struct BinauralFilterBank: Sendable {
  /// channel × tap, to the left ear or loudspeaker.
  private(set) var left: [[Double]] = []
  /// channel × tap, to the right ear or loudspeaker.
  private(set) var right: [[Double]] = []
  /// Tap of the frontal direction's onset.
  let latency: Int
  /// Taps of every filter.
  let length: Int
  /// Taps before the frontal onset that a main channel's filter needs; the ones before are 0.
  let lead: Int
  /// Taps from there that a main channel's filter needs; the ones after are 0.
  let mainLength: Int
  /// Points of the transforms that suit main channels' filters.
  let transformLength: Int
  /// Channels that aren't LFE.
  let mainChannels: [Int]
  /// LFE channels.
  let bassChannels: [Int]
  /// The filter of LFE channels, the same to both ears, its centre tap at ``latency``; `nil` when
  /// the layout has no LFE channel or LFE is dropped.
  let lowPass: [Double]?
  /// The late part of a room with the gains by which each of ``mainChannels`` feeds it; `nil` without one. ``length`` reaches
  /// to its end.
  let late: (room: LateRoom, gains: [SIMD4<Double>])?

  /// Filters for the channels of `format`; a `span` in degrees makes them for loudspeakers at half
  /// that angle to each side, without one they are for headphones.
  /// - Throws: ``MediaError`` of kind `usage` for positions of channels that the layout lacks and
  ///   angles of the head out of range.
  init(
    _ hrtf: HRTFSet, _ format: AudioFormat, _ options: BinauralOptions, span: Double? = nil
  ) throws {
    let layout = format.layout
    let rate = format.sampleRate
    let directions = try options.positions.directions(in: layout)
    try options.pose.check()
    let designer = HRIRDesigner(hrtf, rate: rate)
    let canceller = span.map { span in
      CrosstalkCanceller(designer, span: span, rate: rate, bandwidth: Double(hrtf.sourceRate) / 2)
    }
    bassChannels = layout.speakers.indices.filter { layout.speakers[$0].isLFE }
    mainChannels = layout.speakers.indices.filter { !layout.speakers[$0].isLFE }
    let gain = bassChannels.isEmpty ? nil : options.lfeGainDB
    let half = gain == nil ? 0 : LFEFilter.half(rate: rate)
    let delay = canceller?.delay ?? 0
    let lead = designer.lead + delay
    let latency = max(lead, half)
    lowPass = gain.map { decibels in
      // The LFE gain is relative to a main channel, so it includes the frontal response's bass.
      let gain = pow(10, decibels / 20) * designer.frontalGain(at: 60)
      return [Double](repeating: 0, count: latency - half)
        + LFEFilter.taps(rate: rate).map { $0 * gain * (canceller?.bassGain ?? 1) }
    }
    self.lead = lead
    self.latency = latency
    let room = options.room.map {
      RoomFilters($0.shoebox, designer, rate: rate, pose: options.pose)
    }
    let pairs = directions.map { direction in
      let pair = designer.pair(at: options.pose.place(of: direction))
      return room?.adding(to: pair, direction) ?? pair
    }
    let tail = pairs.reduce(designer.tail) { max($0, $1.left.count - designer.lead - 1) }
    mainLength = lead + delay + tail + 1
    transformLength = FastConvolver.bestLength(taps: mainLength)
    let mains = mainChannels
    late = (options.roomTail ? options.room : nil).map { model in
      let room = LateRoom(model, designer, rate: rate)
      return (room, mains.map { room.gains(from: UnitVector.of(directions[$0])) })
    }
    let lateTail = late.map { $0.room.taps - lead - 1 } ?? 0
    length = latency + max(delay + tail, half, lateTail) + 1
    let combiner = canceller.map { FilterCombiner($0, pairLength: designer.lead + tail + 1) }
    for (index, speaker) in layout.speakers.enumerated() {
      if speaker.isLFE {
        left.append(place(lowPass ?? [], from: 0))
        right.append(left[index])
      } else {
        let pair = combiner?.speakers(for: pairs[index]) ?? pairs[index]
        left.append(place(pair.left, from: latency - lead))
        right.append(place(pair.right, from: latency - lead))
      }
    }
  }

  private func place(_ taps: [Double], from start: Int) -> [Double] {
    var placed = [Double](repeating: 0, count: length)
    for (index, tap) in taps.enumerated() { placed[start + index] = tap }
    return placed
  }
}

/// Convolves pairs of ear filters with a crosstalk canceller's four filters, by transforms in
/// Double.
final class FilterCombiner {
  private let fft: DoubleFFT
  private let spectra: [Spectrum]
  private let length: Int

  /// A combiner for pairs of `pairLength` taps.
  init(_ canceller: CrosstalkCanceller, pairLength: Int) {
    length = pairLength + 2 * canceller.delay
    let fft = DoubleFFT(length: length)
    self.fft = fft
    spectra = canceller.taps.map { Spectrum($0, fft) }
  }

  /// The filters to both loudspeakers, of all taps of the convolution.
  func speakers(for ears: HRIRDesigner.Pair) -> HRIRDesigner.Pair {
    let left = Spectrum(ears.left, fft)
    let right = Spectrum(ears.right, fft)
    return HRIRDesigner.Pair(
      left: sum(left, spectra[0], right, spectra[1]),
      right: sum(left, spectra[2], right, spectra[3]))
  }

  private func sum(_ a: Spectrum, _ first: Spectrum, _ b: Spectrum, _ second: Spectrum) -> [Double]
  {
    var total = a.multiplied(by: first)
    let other = b.multiplied(by: second)
    for bin in total.re.indices {
      total.re[bin] += other.re[bin]
      total.im[bin] += other.im[bin]
    }
    return Array(total.signal(fft)[0..<length])
  }
}

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
