// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// The null test: TEST minus REF, at lag 0 and at the best alignment. Gain, polarity and
/// channel order are reported separately.
package struct NullComparator: LayerComparator {
  private let format: AudioFormat
  private let alignment: Alignment
  /// Samples that TEST has more than REF.
  private let surplus: Int64
  private var atZero: NullSums
  private var atBest: NullSums

  /// A comparator for files in `format` with this alignment, of which TEST has `surplus` samples more.
  package init(format: AudioFormat, alignment: Alignment, surplus: Int64 = 0) {
    self.format = format
    self.alignment = alignment
    self.surplus = surplus
    atZero = NullSums(sources: Array(0..<format.channels))
    atBest = NullSums(sources: alignment.sources)
  }

  /// Adds a pair of blocks as they lie in the files.
  package mutating func addUnaligned(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    atZero.add(old, new, count: count)
  }

  /// Adds a pair of blocks at the best lag, channels in the order of the files.
  package mutating func addAligned(_ old: AudioBuffer, _ new: AudioBuffer, count: Int) {
    atBest.add(old, new, count: count)
  }

  /// Fails on a residual above the limit and on every lag, swap, inversion or gain that explains one.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    let gain = Decibels.boundedLevel(commonGain)
    return LayerResult(
      .null,
      figures: [
        ComparisonFigure("residual", atZero.residual, "dB", limit: tolerance.residual),
        ComparisonFigure("lag", Double(alignment.lag), "samples", limit: 0),
        ComparisonFigure("gain", gain, "dB", limit: tolerance.gain),
        ComparisonFigure("residualAligned", atBest.residualAfterGain, "dB"),
        ComparisonFigure("largestDifference", Double(atZero.largest)),
      ],
      rule: "the residual must stay below its limit, without lag, swap, inversion or gain",
      fault: fault(tolerance))
  }

  /// Gain over all channels, linear.
  private var commonGain: Double {
    let cross = atBest.channels.reduce(0) { $0 + $1.cross }
    return atBest.reference > 0 ? cross / atBest.reference : 1
  }

  /// Whether TEST and REF have so much in common that a lag, an order and a gain mean something.
  package var areRelated: Bool {
    let test = atBest.channels.reduce(0) { $0 + $1.test }
    return atBest.reference == 0 || test == 0 || atBest.afterGain < 0.95 * test
  }

  private func fault(_ tolerance: ComparisonTolerance) -> ComparisonFault? {
    guard areRelated else { return foreign(tolerance) }
    let lost = missing
    var clauses: [String] = []
    var explains: Set<ComparisonLayer> = []
    if !lost.isEmpty {
      clauses.append("\(lost.map(name).joined(separator: ", ")) missing (silent in TEST)")
      explains = [.levels, .spectrum, .interaural]
    }
    let amount = Decimals.samples(Int64(clamping: alignment.lag.magnitude), format.sampleRate)
    let shift = "TEST is \(amount) \(alignment.lag > 0 ? "late" : "early")"
    // A beginning that is longer or shorter is named by the length.
    let isLonger = alignment.lag != 0 && Int64(alignment.lag) == surplus
    if alignment.lag != 0, !isLonger { clauses.append(shift) }
    let order = [swapped(lost)].compactMap { $0 }
    let gains = levels(tolerance, lost)
    let parts = silences + offsets
    // A gain leaves another change of the spectrum to be named.
    let isGainAll = atBest.residualAfterGain <= max(-40, tolerance.residual)
    if !gains.isEmpty { explains.formUnion(isGainAll ? [.levels, .spectrum] : [.levels]) }
    if !order.isEmpty || !parts.isEmpty { explains.formUnion([.levels, .spectrum, .interaural]) }
    if gains.contains(where: { !$0.hasPrefix("TEST") }) { explains.insert(.interaural) }
    clauses += order + gains + parts
    if !clauses.isEmpty {
      return ComparisonFault(.cause, clauses.joined(separator: ", "), explains: explains)
    }
    if isLonger { return ComparisonFault(.difference, shift) }
    guard atZero.residual > tolerance.residual else { return nil }
    return place(tolerance)
  }

  /// The fault of two files of which no lag, order and gain makes one out of the other.
  private func foreign(_ tolerance: ComparisonTolerance) -> ComparisonFault? {
    guard atZero.residual > tolerance.residual else { return nil }
    let changes = offsets + silences
    // A constant part may be all that they don't have in common.
    let isOffset = offsets.count > 0 && offsetShare > 0.9
    guard !isOffset else {
      return ComparisonFault(
        .cause, changes.joined(separator: ", "), explains: [.levels, .spectrum, .interaural])
    }
    let other =
      "TEST is another sound, or REF changed throughout or moved by seconds: they have next to nothing in common"
    return ComparisonFault(.effect, ([other] + changes).joined(separator: ", "))
  }

  /// Part of the difference that constant parts make, 0…1.
  private var offsetShare: Double {
    let count = Double(max(1, atBest.count))
    let constant = atBest.channels.reduce(0) { sum, channel in
      let moved = (channel.testSum - channel.referenceSum) / count
      return sum + count * moved * moved
    }
    return atBest.difference > 0 ? constant / atBest.difference : 0
  }

  /// Channels whose constant part explains most of the difference.
  private var offsets: [String] {
    let count = Double(max(1, atBest.count))
    let moved = atBest.channels.indices.compactMap { index -> (Int, Double, Double)? in
      let sums = atBest.channels[index]
      let (old, new) = (sums.referenceSum / count, sums.testSum / count)
      // −80 dB re full scale; what is lower is rounding.
      guard (new - old).magnitude > 1e-4,
        count * (new - old) * (new - old) > 0.5 * sums.difference
      else { return nil }
      return (index, old, new)
    }
    guard let first = moved.first else { return [] }
    func words(_ names: String, _ old: Double, _ new: Double) -> String {
      "the DC offset of \(names) is \(Decimals.text(new, 4)) of full scale instead of "
        + Decimals.text(old, 4)
    }
    let isCommon =
      moved.count == atBest.channels.count
      && moved.allSatisfy {
        max(($0.1 - first.1).magnitude, ($0.2 - first.2).magnitude) < 1e-3
      }
    if isCommon { return [words("TEST", first.1, first.2)] }
    return moved.map { words(name($0.0), $0.1, $0.2) }
  }

  /// Ends and beginnings at which REF is well heard and TEST is silent, in times of TEST. Less than 50 ms may be a fade.
  private var silences: [String] {
    guard let old = atBest.heard, let new = atBest.sounding else { return [] }
    let (rate, late) = (format.sampleRate, max(0, Int64(alignment.lag)))
    let least = Int64(rate / 20)
    var clauses: [String] = []
    if new.lowerBound - old.lowerBound > least {
      clauses.append("TEST is silent before \(Decimals.place(new.lowerBound + late, rate))")
    }
    if old.upperBound - new.upperBound > least {
      clauses.append("TEST is silent from \(Decimals.place(new.upperBound + 1 + late, rate)) on")
    }
    return clauses
  }

  /// Channels that sound in REF and not in TEST.
  private var missing: [Int] {
    atBest.channels.indices.filter {
      // REF is above −120 dB re full scale, and TEST is more than 90 dB below it.
      let sums = atBest.channels[$0]
      return alignment.sources[$0] == $0 && sums.reference > 1e-12 * Double(atBest.count)
        && sums.test < 1e-9 * sums.reference
    }
  }

  private func name(_ channel: Int) -> String {
    format.layout.speakers.indices.contains(channel)
      ? format.layout.speakers[channel].name : "channel \(channel + 1)"
  }

  private func swapped(_ lost: [Int]) -> String? {
    let moved = alignment.sources.indices.filter { alignment.sources[$0] != $0 }
    guard !moved.isEmpty else { return nil }
    if moved.count == 2 {
      return "\(name(moved[0])) and \(name(moved[1])) are swapped"
    }
    let list = moved.map { "\(name($0)) lies in \(name(alignment.sources[$0]))" }
    return "the channels are in another order: \(list.joined(separator: ", "))"
  }

  /// Inversions and gains that explain what differs.
  private func levels(_ tolerance: ComparisonTolerance, _ lost: [Int]) -> [String] {
    let active = atBest.channels.indices.filter {
      let sums = atBest.channels[$0]
      // Gain or polarity counts only where its correction removes three quarters of the difference, and leaves little
      // of TEST; otherwise the channel has another fault, as where a filter left the tenth of a noise.
      return !lost.contains($0) && sums.reference > 0
        && (sums.difference == 0
          || sums.afterGain < 0.25 * sums.difference && sums.afterGain < 0.1 * sums.test)
    }
    let sounding = atBest.channels.indices.filter {
      !lost.contains($0) && atBest.channels[$0].reference > 0
    }
    var clauses: [String] = []
    let inverted = active.filter { atBest.channels[$0].gain < 0 }
    if !inverted.isEmpty {
      let whole = inverted.count == sounding.count
      let which = whole ? "" : " of " + inverted.map(name).joined(separator: ", ")
      clauses.append("the polarity\(which) is inverted")
    }
    let gains = active.map { ($0, Decibels.boundedLevel(atBest.channels[$0].gain)) }
    let off = gains.filter { $0.1.magnitude > tolerance.gain }
    guard let first = off.first else { return clauses }
    let isCommon =
      off.count == sounding.count && off.allSatisfy { ($0.1 - first.1).magnitude < 0.02 }
    if isCommon {
      clauses.append("TEST is \(NullComparator.amount(Decibels.boundedLevel(commonGain)))")
    } else {
      clauses += off.map { "\(name($0.0)) is \(NullComparator.amount($0.1))" }
    }
    return clauses
  }

  private static func amount(_ gain: Double) -> String {
    let digits = gain.magnitude < 1 ? (gain.magnitude < 0.1 ? 3 : 2) : 1
    return "\(Decimals.text(gain.magnitude, digits)) dB \(gain < 0 ? "quieter" : "louder")"
  }

  /// The fault for a difference that no cause explains: a click, a stretch, or all of the file.
  private func place(_ tolerance: ComparisonTolerance) -> ComparisonFault {
    let level = "\(Decimals.text(atZero.residual, 1)) dB"
    guard let first = atZero.first else {
      return ComparisonFault(.difference, "a difference of \(level) re REF remains")
    }
    let rate = format.sampleRate
    let length = atZero.last - first + 1
    let channels = atZero.channels.indices.filter { atZero.channels[$0].differing > 0 }
    let names = channels.map(name).joined(separator: ", ")
    if length <= Int64(rate / 50), length < atZero.count / 4 {
      return ComparisonFault(
        .cause,
        "TEST has a click in \(names) at \(Decimals.place(first, rate)): "
          + "\(Decimals.samples(length, rate)) from sample \(first) on differ, by up to "
          + "\(Decimals.text(Decibels.boundedLevel(Double(atZero.largest)), 1)) dBFS",
        explains: [.levels, .spectrum, .interaural])
    }
    if length < atZero.count * 9 / 10 {
      return ComparisonFault(
        .effect,
        "TEST differs in \(names) from \(Decimals.place(first, rate)) to "
          + "\(Decimals.place(atZero.last + 1, rate)) only, by \(level) re REF")
    }
    return ComparisonFault(
      .difference, "a difference of \(level) re REF remains that no lag, swap or gain explains")
  }
}

/// Energy of the difference between TEST and REF, channel by channel, and its first and last place.
struct NullSums: Sendable {
  /// Sums over one channel.
  struct Channel: Sendable {
    /// Energy of REF.
    var reference = 0.0
    /// Energy of TEST.
    var test = 0.0
    /// Dot product of both.
    var cross = 0.0
    /// Energy of the difference.
    var difference = 0.0
    /// Sums of the samples, of which a constant part is left.
    var referenceSum = 0.0
    var testSum = 0.0
    /// Samples that differ.
    var differing: Int64 = 0

    /// Gain of TEST, linear; 1 where REF is silent.
    var gain: Double { reference > 0 ? cross / reference : 1 }
    /// Energy of the difference after the gain is corrected.
    var afterGain: Double {
      reference > 0 ? min(difference, max(0, test - cross * cross / reference)) : test
    }
  }

  let sources: [Int]
  private(set) var channels: [Channel]
  private(set) var first: Int64?
  private(set) var last: Int64 = 0
  private(set) var count: Int64 = 0
  private(set) var largest: Float = 0
  /// First and last place of REF above −60 dB re full scale, where no gain of 30 dB makes it silent; `nil` without such.
  private(set) var heard: ClosedRange<Int64>?
  /// First and last place of TEST above −90 dB re full scale; `nil` for silence.
  private(set) var sounding: ClosedRange<Int64>?

  init(sources: [Int]) {
    self.sources = sources
    channels = [Channel](repeating: Channel(), count: sources.count)
  }

  mutating func add(_ old: AudioBuffer, _ new: AudioBuffer, count length: Int) {
    for (channel, source) in sources.enumerated() {
      let (one, other) = (old.channel(channel), new.channel(source))
      var sums = channels[channel]
      for index in 0..<length {
        let (a, b) = (one[index], other[index])
        let (x, y) = (Double(a), Double(b))
        sums.reference += x * x
        sums.test += y * y
        sums.cross += x * y
        sums.referenceSum += x
        sums.testSum += y
        guard a != b else { continue }
        let off = y - x
        sums.difference += off * off
        sums.differing += 1
        largest = max(largest, abs(b - a))
        let place = count + Int64(index)
        if place < first ?? .max { first = place }
        last = max(last, place)
      }
      channels[channel] = sums
      NullSums.note(one, above: 1e-3, from: count, length, &heard)
      NullSums.note(other, above: 3.2e-5, from: count, length, &sounding)
    }
    count += Int64(length)
  }

  private static func note(
    _ plane: UnsafeMutableBufferPointer<Float>, above limit: Float, from start: Int64,
    _ length: Int, _ range: inout ClosedRange<Int64>?
  ) {
    let sound = plane[0..<length]
    guard let first = sound.firstIndex(where: { abs($0) > limit }),
      let last = sound.lastIndex(where: { abs($0) > limit })
    else { return }
    let (low, high) = (start + Int64(first), start + Int64(last))
    range = min(low, range?.lowerBound ?? low)...max(high, range?.upperBound ?? high)
  }

  var reference: Double { channels.reduce(0) { $0 + $1.reference } }
  var difference: Double { channels.reduce(0) { $0 + $1.difference } }
  var afterGain: Double { channels.reduce(0) { $0 + $1.afterGain } }
  /// Residual in dB re REF.
  var residual: Double { Decibels.boundedLevel(power: difference, over: reference) }
  /// Residual after every channel's gain, in dB re REF.
  var residualAfterGain: Double { Decibels.boundedLevel(power: afterGain, over: reference) }
}
