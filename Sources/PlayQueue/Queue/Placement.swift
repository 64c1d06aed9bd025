// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The places of a queue's items in the programme, to the sample.
package struct Placement: Sendable, Equatable, Codable {
  /// The programme's rate in Hz.
  package let rate: Int
  /// The items in their order.
  package let items: [PlacedItem]
  /// Length of the programme in samples.
  package let frames: Int64

  /// Places the items of `queue` in a programme of `rate` Hz.
  ///
  /// Every position is the exact sum of what precedes it, rounded once, so that it is at most half a sample
  /// off after any number of items. Crossfades are a whole number of samples; gaps are exact.
  /// - Parameter lengths: For each item its samples and its own rate; of silence its exact length.
  /// - Throws: ``QueueFault`` with the number of the item whose fades don't fit, or whose position can't be
  ///   computed.
  package init(_ queue: PlayQueue, lengths: [MediaTime], rate: Int) throws(QueueFault) {
    precondition(lengths.count == queue.items.count && rate > 0, "one length for each item")
    try queue.validate()
    var walk = PlacementWalk(rate: rate)
    for index in queue.items.indices {
      do {
        try walk.place(index, queue, lengths[index])
      } catch {
        throw error.item == nil ? QueueFault(error.reason, item: index + 1) : error
      }
    }
    try Placement.check(walk.items)
    self.rate = rate
    items = walk.items
    frames = walk.items.map(\.end).max() ?? 0
  }

  /// The length of silence as ``init(_:lengths:rate:)`` takes it, for a programme of `rate` Hz.
  package static func length(ofSilence length: TimeSpec, at rate: Int) -> MediaTime {
    switch length {
    case .samples(let count): return MediaTime(ticks: count, rate: Int64(rate))
    case .clock(let time): return time
    }
  }

  /// The programme's rate in Hz: `asked`, else the rate that most samples have, of equals the highest;
  /// silence doesn't count. `nil` when nothing but silence is there.
  package static func programmeRate(
    asked: Int?, _ queue: PlayQueue, lengths: [MediaTime]
  ) -> Int? {
    if let asked { return asked }
    var samples: [Int64: Int64] = [:]
    for (item, length) in zip(queue.items, lengths) {
      if case .silence = item.source { continue }
      let (sum, isTooLong) = samples[length.rate, default: 0].addingReportingOverflow(length.ticks)
      samples[length.rate] = isTooLong ? .max : sum
    }
    let most = samples.max { ($0.value, $0.key) < ($1.value, $1.key) }
    return most.flatMap { Int(exactly: $0.key) }
  }

  /// Whether all items and fades lie in the programme, as they do in every placement that wasn't damaged where it was
  /// stored.
  package var isPlausible: Bool {
    let isBounded = rate > 0 && (0...(1 << 60)).contains(frames)
    return isBounded
      && items.allSatisfy { item in
        let fades = [item.crossfade, item.envelope.rise.frames, item.envelope.fall.frames]
        return 0 <= item.start && item.start <= item.end && item.end <= frames
          && fades.allSatisfy { (0...item.frames).contains($0) }
      }
  }

  private static func check(_ items: [PlacedItem]) throws(QueueFault) {
    for (index, item) in items.enumerated() {
      let (rise, fall) = (item.envelope.rise.frames, item.envelope.fall.frames)
      let crossfadeBehind = index + 1 < items.count ? items[index + 1].crossfade : 0
      let shorter = min(item.frames, index > 0 ? items[index - 1].frames : .max)
      if item.crossfade > shorter {
        throw QueueFault(
          .crossfadeTooLong(crossfade: item.crossfade, length: shorter), item: index + 1)
      }
      // The item behind gets the clearer message about a crossfade that is longer than this item.
      guard rise + fall > item.frames, crossfadeBehind <= item.frames else { continue }
      let isCrossfaded = item.crossfade > 0 || crossfadeBehind > 0
      throw QueueFault(
        isCrossfaded
          ? .crossfadesOverlap(crossfades: rise + fall, length: item.frames)
          : .fadesMeet(fades: rise + fall, length: item.frames), item: index + 1)
    }
  }
}

/// One item in the programme. All positions are samples of the programme, except where it says otherwise.
package struct PlacedItem: Sendable, Hashable, Codable {
  /// Its first sample.
  package let start: Int64
  /// The first sample behind it.
  package let end: Int64
  /// By how many samples it overlaps the item before.
  package let crossfade: Int64
  /// Its gain over its samples.
  package internal(set) var envelope: ItemEnvelope
  /// How its rate conversion hangs on that of the items before.
  package let conversion: ConversionPhase

  /// Its length in samples.
  package var frames: Int64 { end - start }

  /// The item with `gain` dB more.
  package func raised(by gain: Double) -> PlacedItem {
    var raised = self
    raised.envelope.decibels += gain
    return raised
  }
}

/// The place of an item on the grid of rate conversion that it shares with neighbours of its rate.
///
/// Items of one rate that follow each other by hard cuts are a run, which is converted as one continuous
/// sound: `zeros` samples of silence before the item make its conversion begin on a whole sample.
package struct ConversionPhase: Sendable, Hashable, Codable {
  /// The item's own rate in Hz.
  package let rate: Int64
  /// First sample of the item within its run, in samples of the item's rate.
  package let sampleInRun: Int64
  /// Samples of silence to put before the item, at its own rate: `sampleInRun` modulo `rate / gcd`.
  package let zeros: Int64
  /// Sample of the programme at which the first of these zeros lies.
  package let gridStart: Int64
}

/// The state while items are placed one after another.
private struct PlacementWalk {
  /// A run of items of one rate: where it began, and how many of its samples have passed.
  private struct Run {
    let rate: Int64
    let start: Int64
    var samples: Int64 = 0
  }

  let rate: Int
  var items: [PlacedItem] = []
  private var position = ExactTime()
  private var run: Run?

  init(rate: Int) { self.rate = rate }

  mutating func place(_ index: Int, _ queue: PlayQueue, _ length: MediaTime) throws(QueueFault) {
    guard length.ticks >= 0 else { throw QueueFault(.positionTooLarge) }
    var crossfade = ItemEnvelope.Edge()
    switch queue.transition(into: index) {
    case .cut: break
    case .gap(let gap):
      try position.add(Placement.length(ofSilence: gap, at: rate))
      run = nil
    case .crossfade(let overlap, let curve):
      crossfade = ItemEnvelope.Edge(frames: overlap.samples(at: rate), curve: curve)
      // Before the programme's beginning there is nothing to overlap; `check` would come too late.
      guard crossfade.frames <= (items.last?.frames ?? 0) else {
        throw QueueFault(
          .crossfadeTooLong(crossfade: crossfade.frames, length: items.last?.frames ?? 0))
      }
      try position.add(
        MediaTime(ticks: crossfade.frames, rate: Int64(rate)), isNegative: true)
      // A crossfade of no samples is a cut.
      if crossfade.frames > 0 { run = nil }
    }
    let start = try position.samples(at: rate)
    let conversion = try continueRun(at: start, length)
    try position.add(length)
    let end = try position.samples(at: rate)
    if crossfade.frames > 0 { items[items.count - 1].envelope.fall = crossfade }
    let item = queue.items[index]
    var envelope = ItemEnvelope(frames: end - start, decibels: item.gain)
    envelope.rise = crossfade.frames > 0 ? crossfade : edge(item.fadeIn)
    envelope.fall = edge(item.fadeOut)
    items.append(
      PlacedItem(
        start: start, end: end, crossfade: crossfade.frames, envelope: envelope,
        conversion: conversion))
  }

  private mutating func continueRun(
    at start: Int64, _ length: MediaTime
  ) throws(QueueFault) -> ConversionPhase {
    var current = Run(rate: length.rate, start: start)
    if let run, run.rate == length.rate { current = run }
    let sample = current.samples
    // in / gcd(in, out) input samples are a whole number of output samples.
    let step = MediaTime.leastCommonMultiple(length.rate, Int64(rate)) / Int64(rate)
    let zeros = sample % step
    let grid = MediaTime.rescale(sample - zeros, by: Int64(rate), over: length.rate)
    let (next, isTooLong) = sample.addingReportingOverflow(length.ticks)
    let (gridStart, isTooFar) = current.start.addingReportingOverflow(grid)
    guard !isTooLong, !isTooFar else { throw QueueFault(.positionTooLarge) }
    current.samples = next
    run = current
    return ConversionPhase(
      rate: length.rate, sampleInRun: sample, zeros: zeros, gridStart: gridStart)
  }

  private func edge(_ fade: Fade?) -> ItemEnvelope.Edge {
    guard let fade else { return ItemEnvelope.Edge() }
    return ItemEnvelope.Edge(frames: fade.length.samples(at: rate), curve: fade.curve)
  }
}

/// A time that is added up exactly: a whole number of ticks of `1 / rate` seconds in 128 bits. Sums don't
/// depend on their order.
package struct ExactTime: Sendable, Equatable {
  /// Ticks since zero.
  package private(set) var ticks: Int128 = 0
  /// Ticks per second, at least 1: the least common multiple of the rates of what was added.
  package private(set) var rate: Int128 = 1

  /// Zero.
  package init() {}

  /// Adds `time`, or subtracts it when `isNegative`.
  /// - Throws: ``QueueFault`` with `positionTooLarge` when the exact sum needs more than 128 bits.
  package mutating func add(_ time: MediaTime, isNegative: Bool = false) throws(QueueFault) {
    let other = Int128(time.rate)
    let divisor = ExactTime.greatestCommonDivisor(rate, other)
    let finer = try ExactTime.product(rate, other / divisor)
    let own = try ExactTime.product(ticks, other / divisor)
    let added = try ExactTime.product(Int128(time.ticks), rate / divisor)
    let (sum, isTooLong) =
      isNegative ? own.subtractingReportingOverflow(added) : own.addingReportingOverflow(added)
    guard !isTooLong else { throw QueueFault(.positionTooLarge) }
    (ticks, rate) = (sum, finer)
  }

  /// The nearest sample at `sampleRate` Hz, halves rounded away from zero as in `MediaTime`.
  /// - Throws: ``QueueFault`` with `positionTooLarge` when it can't be computed in 128 bits.
  package func samples(at sampleRate: Int) throws(QueueFault) -> Int64 {
    let (whole, rest) = try ExactTime.product(ticks, Int128(sampleRate))
      .quotientAndRemainder(dividingBy: rate)
    // Compared without doubling, which might overflow.
    let isNearerOutside = rest.magnitude >= rate.magnitude - rest.magnitude
    let rounded = isNearerOutside ? whole + ticks.signum() : whole
    guard let samples = Int64(exactly: rounded) else { throw QueueFault(.positionTooLarge) }
    return samples
  }

  private static func product(_ left: Int128, _ right: Int128) throws(QueueFault) -> Int128 {
    let (product, isTooLong) = left.multipliedReportingOverflow(by: right)
    guard !isTooLong else { throw QueueFault(.positionTooLarge) }
    return product
  }

  private static func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
  }
}
