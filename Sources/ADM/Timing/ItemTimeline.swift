// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The states of a rendering item's object in the order of their times (ITU-R BS.2127, 7.1 and 7.2).
///
/// Outside all blocks the object has gain 0. A block that begins where the one before it ended is reached by a
/// ramp, as its jumpPosition and interpolationLength say; any other begins with a jump. Loudspeaker channels
/// always jump.
package struct ItemTimeline {
  /// A change of the object's state.
  package struct Event: Sendable, Equatable {
    /// First sample that it affects.
    package var at: Int64
    /// The motion at that sample.
    package var motion: ObjectMotion
  }

  /// The state before the first event.
  package let start: ObjectState

  private let states: ItemStates
  private let blocks: [AudioBlock]
  private let format: AudioChannelFormat
  private let item: RenderingItem
  private let rate: Int
  private var next = 0
  /// End and state of the last block.
  private var last: (end: ADMTime?, state: ObjectState)?
  /// The state that the last event led to.
  private var current: ObjectState

  /// The states of the only channel of `item` at `rate` Hz.
  package init(_ item: RenderingItem, states: ItemStates, rate: Int) {
    self.item = item
    self.states = states
    self.rate = rate
    format =
      item.channels.first?.format
      ?? AudioChannelFormat(
        id: ElementID(known: "AC_00000000"), kind: item.kind)
    blocks = format.blocks
    var state =
      blocks.first.map { [format] in states.state(of: $0, in: format, of: item) } ?? ObjectState()
    state.gain = 0
    start = state
    current = state
  }

  /// The next event; `nil` at the end.
  /// - Throws: ``ADMError`` for times whose sum can't be written exactly.
  package mutating func advance() throws(ADMError) -> Event? {
    while true {
      let begin = next < blocks.count ? try time(of: blocks[next]) : nil
      if let event = silence(before: begin) { return event }
      guard let begin else { return nil }
      let event = try enter(blocks[next], at: begin)
      next += 1
      if let event { return event }
    }
  }

  /// The event that ends the last block, where no other block follows it without a gap.
  private mutating func silence(before begin: ADMTime?) -> Event? {
    guard let ended = last, let end = ended.end else { return nil }
    let sample = end.firstSample(at: rate)
    let isFollowed = begin.map { $0.firstSample(at: rate) <= sample } ?? false
    guard !isFollowed, current.gain != 0 else { return nil }
    current.gain = 0
    return Event(at: sample, motion: ObjectMotion(restingIn: current))
  }

  private mutating func enter(_ block: AudioBlock, at begin: ADMTime) throws(ADMError) -> Event? {
    let end = try self.end(of: block, from: begin)
    let state = states.state(of: block, in: format, of: item)
    let isJoined = last?.end == begin
    let origin = last?.state ?? state
    last = (end, state)
    let first = begin.firstSample(at: rate)
    // A block between two samples sounds nowhere, but the next one's ramp begins in its state.
    if let end, end.firstSample(at: rate) <= first { return nil }
    current = state
    var motion = ObjectMotion(restingIn: state)
    if isJoined, item.kind == .objects, let length = length(of: block, from: begin, to: end) {
      motion = ObjectMotion(from: origin, to: state, ramp: length, lead: begin.lead(at: rate))
    }
    return Event(at: first, motion: motion)
  }

  /// Samples of the ramp into `block`; `nil` for a jump.
  private func length(of block: AudioBlock, from begin: ADMTime, to end: ADMTime?) -> Double? {
    if block.flags.contains(.jumps) {
      return format.details(of: block).object.interpolation?.samples(at: rate)
    }
    return end?.subtracting(begin)?.samples(at: rate)
  }

  private func time(of block: AudioBlock) throws(ADMError) -> ADMTime {
    guard let time = item.start.adding(block.start) else { throw tooFine }
    return time
  }

  /// End of `block`: as it says, else where the next one begins, else at the object's end.
  private func end(of block: AudioBlock, from begin: ADMTime) throws(ADMError) -> ADMTime? {
    if block.flags.contains(.hasDuration) {
      guard let end = begin.adding(block.duration) else { throw tooFine }
      return end
    }
    return next + 1 < blocks.count ? try time(of: blocks[next + 1]) : item.end
  }

  private var tooFine: ADMError {
    ADMError(
      .value, "the times of block \(next + 1) of \(format.id) are too fine to be added exactly")
  }
}
