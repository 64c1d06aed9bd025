// SPDX-License-Identifier: Apache-2.0

/// Runs one ``AudioTap``: keeps the order of its calls, cuts its blocks, and checks what it gives.
///
/// The host is a stage itself, for any block size. Its output still begins with the tap's latency, and
/// may be longer than input, latency and tail together; the pipeline cuts both.
public final class TapHost: AudioStage {
  /// Greatest latency and greatest tail of a tap, in samples: two minutes at 384,000 Hz.
  public static let longestDelay = 46_080_000
  /// Greatest block of a tap, in samples.
  public static let largestBlock = 1 << 20

  /// Name of the tap in messages.
  public let name: String
  /// Exact delay of the output, in samples; 0 before ``prepare(_:)``.
  public private(set) var latency = 0
  /// Samples by which the response outlasts the input; 0 before ``prepare(_:)``.
  public private(set) var tail = 0
  /// Contract that the tap states; valid after ``prepare(_:)``.
  public private(set) var contract = TapContract()
  /// Levels of what went in.
  public private(set) var before = TapLevels()
  /// Levels of what came out.
  public private(set) var after = TapLevels()

  /// All settings of the tap as they came out; valid after ``prepare(_:)``.
  public var settings: [String] { tap.settings }

  /// Remarks of the tap on what it did; complete after `finish`.
  public var remarks: [String] { tap.remarks }

  /// By how much the sound becomes faster.
  package let tempo: Tempo

  private let tap: any AudioTap
  private let stage: Hosted<AudioBuffer>
  private let usualBlocks: TapContract.Blocks?
  private var cutter: BlockCutter<AudioBuffer>?
  private var isOpen = true
  private var channels = 0

  /// A host for `tap`, which is new.
  /// - Parameters:
  ///   - tap: what it runs.
  ///   - name: what messages call it.
  ///   - blocks: the blocks that a tap gets that would take any; `nil` for any.
  public convenience init(_ tap: any AudioTap, name: String, blocks: TapContract.Blocks? = nil) {
    self.init(tap, name: name, blocks: blocks, tempo: .same)
  }

  /// A host for `tap`, which is new, and whose output has another `tempo` than its input.
  package init(
    _ tap: any AudioTap, name: String, blocks: TapContract.Blocks? = nil, tempo: Tempo
  ) {
    self.tap = tap
    self.tempo = tempo
    usualBlocks = blocks
    self.name = name
    stage = Hosted<AudioBuffer>(tap, name: name)
  }

  /// Prepares the tap.
  /// - Throws: ``MediaError`` of kind `internal` on a wrong order of calls, of kind `unsupportedFeature` for
  ///   a tap that changes the format or states impossible figures, or what the tap throws.
  public func prepare(_ format: AudioFormat) throws -> AudioFormat {
    try checkOpen()
    let output = try stage.prepare(format)
    guard output == format else {
      throw refusal("makes \(output) of \(format); a tap keeps rate and channels")
    }
    contract = tap.contract
    (latency, tail) = (tap.latency, tap.tail)
    let delays = 0...TapHost.longestDelay
    guard delays.contains(latency), delays.contains(tail) else {
      throw refusal(
        "states a latency of \(latency) and a tail of \(tail) samples; give 0 to \(TapHost.longestDelay)"
      )
    }
    if let size = contract.blocks.size, !(1...TapHost.largestBlock).contains(size) {
      throw refusal("wants blocks of \(size) samples; give 1 to \(TapHost.largestBlock)")
    }
    channels = format.channels
    let wanted = contract.blocks == .any ? usualBlocks ?? .any : contract.blocks
    cutter = BlockCutter(size: wanted.size, channels: format.channels)
    return output
  }

  /// Sends a block through the tap.
  /// - Throws: ``MediaError`` of kind `damaged` when the tap gives a value that is no number, of kind
  ///   `unsupportedFeature` when its latency changes, or what the tap throws.
  public func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try checkOpen()
    before.add(input)
    try send(input, into: output)
  }

  /// Drains the tap.
  /// - Throws: as ``process(_:into:)``, and ``MediaError`` of kind `verificationFailed` when the tap gave more or fewer
  ///   samples than its input, its latency and its tail come to.
  public func finish(into output: AudioBuffer) throws {
    try checkOpen()
    if contract.needsSilence {
      let silence = AudioBuffer(channels: channels)
      var left = latency + tail
      while left > 0 {
        silence.removeAll()
        silence.appendSilence(min(left, 8192))
        try send(silence, into: output)
        left -= silence.frames
      }
    }
    try cutter?.flush { rest in
      if case .fixed(let size) = contract.blocks { rest.appendSilence(size - rest.frames) }
      try run(rest, into: output)
    }
    let start = output.frames
    try stage.finish(into: output)
    try check(output, from: start)
    try checkLength()
  }

  /// Samples that are missing or too many would make every later one doubtful.
  private func checkLength() throws {
    guard before.frames > 0 else { return }
    let least = tempo.frames(before.frames) + Int64(latency)
    // A last block that was filled up gives more, which is cut.
    let filled: Int64 = if case .fixed(let size) = contract.blocks { Int64(size) - 1 } else { 0 }
    // Samples that a tap which is sent silence adds when its input ends are cut, too.
    let most =
      contract.maySoundOn
      ? Int64.max : least + Int64(tail) * (contract.needsSilence ? 2 : 1) + filled
    guard (least...most).contains(after.frames) else {
      throw MediaError(
        .verificationFailed, about: name,
        "gave \(after.frames) samples for \(before.frames), a latency of \(latency) and a tail of \(tail); "
          + "correct its latency or tail")
    }
  }

  /// Closes the tap; later calls do nothing.
  public func close(_ end: TapEnd) {
    guard isOpen else { return }
    isOpen = false
    tap.close(end)
  }

  private func send(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try cutter?.push(input) { try run($0, into: output) }
  }

  private func run(_ block: AudioBuffer, into output: AudioBuffer) throws {
    let start = output.frames
    try stage.process(block, into: output)
    guard tap.latency == latency else {
      throw refusal(
        "changed its latency from \(latency) to \(tap.latency) samples in mid-stream, so nothing after it would "
          + "be in its place")
    }
    try check(output, from: start)
  }

  private func check(_ output: AudioBuffer, from start: Int) throws {
    let first = after.frames
    after.add(output, from: start)
    guard !after.isFinite else { return }
    let plane = (0..<output.channels).compactMap { channel in
      output.channel(channel)[start...].firstIndex { !$0.isFinite }
    }.min()
    let sample = first + Int64((plane ?? start) - start) - Int64(latency)
    throw MediaError(
      .damaged, about: name,
      "gives a value that is no number at sample \(max(0, sample)); correct it or leave it out")
  }

  private func checkOpen() throws {
    guard isOpen else { throw MediaError(.internal, about: name, "was used after it was closed") }
  }

  private func refusal(_ what: String) -> MediaError {
    MediaError(.unsupportedFeature, about: name, what)
  }
}

/// Peak and mean level of sound on one side of a tap.
public struct TapLevels: Sendable, Hashable {
  /// Samples of each channel.
  public private(set) var frames: Int64 = 0
  private var peakBits: UInt32 = 0
  private var energy = 0.0
  private var samples: Int64 = 0

  /// Levels of nothing.
  public init() {}

  /// Largest magnitude; full scale is 1.
  public var peak: Float { Float(bitPattern: peakBits) }

  /// Mean square over all channels.
  public var meanSquare: Double { samples > 0 ? energy / Double(samples) : 0 }

  /// Whether all samples were numbers.
  var isFinite: Bool { peakBits < Float.infinity.bitPattern }

  /// Adds the frames of `buffer` from number `start` on.
  public mutating func add(_ buffer: AudioBuffer, from start: Int = 0) {
    let count = buffer.frames - start
    guard count > 0 else { return }
    frames += Int64(count)
    for channel in 0..<buffer.channels {
      guard let base = buffer.channel(channel).baseAddress else { continue }
      add(UnsafeBufferPointer(start: base + start, count: count))
    }
  }

  /// Adds the levels of other sound.
  public mutating func add(_ other: TapLevels) {
    frames += other.frames
    peakBits = max(peakBits, other.peakBits)
    energy += other.energy
    samples += other.samples
  }

  /// Magnitudes of numbers, infinity and what is no number are ordered as their bits are, without the sign; eight
  /// lanes let the compiler use vectors.
  private mutating func add(_ plane: UnsafeBufferPointer<Float>) {
    guard let base = plane.baseAddress else { return }
    var peaks = SIMD8<UInt32>(repeating: peakBits)
    var sums = SIMD8<Float>.zero
    let whole = plane.count / 8 * 8
    var index = 0
    var total = 0.0
    while index < whole {
      // Sums stay short, so that single precision is enough for them.
      let end = min(whole, index + 1024)
      while index < end {
        let values = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD8<Float>.self)
        let bits = unsafeBitCast(values, to: SIMD8<UInt32>.self) & 0x7FFF_FFFF
        peaks = pointwiseMax(peaks, bits)
        sums += values * values
        index += 8
      }
      total += Double(sums.sum())
      sums = .zero
    }
    peakBits = peaks.max()
    for index in whole..<plane.count {
      peakBits = max(peakBits, base[index].bitPattern & 0x7FFF_FFFF)
      total += Double(base[index] * base[index])
    }
    energy += total
    samples += Int64(plane.count)
  }
}

/// By how much sound is made faster: positions and lengths are divided by it.
package struct Tempo: Sendable, Hashable {
  /// The sound keeps its speed.
  package static let same = Tempo(1)

  /// The factor; 2 halves the length.
  package let factor: Double

  /// A tempo with this `factor`, greater than 0.
  package init(_ factor: Double) { self.factor = factor }

  /// Whether it changes anything.
  package var isSame: Bool { factor == 1 }

  /// This tempo and `other` one behind the other.
  package func followed(by other: Tempo) -> Tempo { Tempo(factor * other.factor) }

  /// Length of `count` samples afterwards, or a position after so many: the nearest whole number, saturated to 62 bits.
  package func frames(_ count: Int64) -> Int64 {
    guard !isSame else { return count }
    return Int64(max(-0x1p62, min(0x1p62, Double(count) / factor)).rounded())
  }

  /// Place of `time`, counted from the beginning of the sound, afterwards, to a sample of `rate` a second.
  package func time(_ time: MediaTime, rate: Int) -> MediaTime {
    isSame ? time : MediaTime(ticks: frames(time.samples(at: rate)), rate: Int64(rate))
  }
}
