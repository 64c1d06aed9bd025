// SPDX-License-Identifier: Apache-2.0

/// Puts the blocks of a channel in order, end to end, inside their object.
struct BlockRepair {
  /// A gap below this is the rounding of printed times; a larger one is silence that was meant.
  private static let leastGap = ADMTime(5, over: 1000) ?? .zero

  private let channel: AudioChannelFormat
  /// How long the object lasts; `nil` without end.
  private let objectDuration: ADMTime?
  private let findings: FindingLog

  /// A repair of the blocks of `channel` in an object of this duration.
  init(_ channel: AudioChannelFormat, objectDuration: ADMTime?, findings: FindingLog) {
    self.channel = channel
    self.objectDuration = objectDuration
    self.findings = findings
  }

  /// The channel with blocks that follow each other; blocks that state nothing stay as they are.
  /// - Throws: ``ADMError`` for several blocks of which one states no times, and for times whose sum
  ///   can't be written exactly.
  func repaired() throws(ADMError) -> AudioChannelFormat {
    var result = channel
    guard let first = channel.blocks.first else { return result }
    if channel.blocks.count == 1, first.flags.isDisjoint(with: [.hasStart, .hasDuration]) {
      return result
    }
    try settleStarts(&result.blocks)
    let isOrdered = zip(result.blocks, result.blocks.dropFirst()).allSatisfy {
      $0.start <= $1.start
    }
    if !isOrdered {
      findings.note(.blockOrder, "the blocks of \(channel.id) aren't in order; they are sorted")
      // A stable sort: of blocks with one start, the last one counts, as it ends the others.
      let order = result.blocks.indices.sorted {
        (result.blocks[$0].start, $0) < (result.blocks[$1].start, $1)
      }
      result.blocks = order.map { result.blocks[$0] }
    }
    try settleEnds(&result.blocks)
    try cut(&result.blocks)
    shortenInterpolations(&result)
    return result
  }

  private func settleStarts(_ blocks: inout [AudioBlock]) throws(ADMError) {
    for place in blocks.indices where !blocks[place].flags.contains(.hasStart) {
      guard blocks[place].flags.contains(.hasDuration) || blocks.count == 1 else {
        throw ADMError(
          .value, "block \(place + 1) of \(channel.id) states no times, but isn't the only one")
      }
      findings.note(
        .lenientValue, kind: "rtime",
        "block \(place + 1) of \(channel.id) has no rtime; it begins at 0")
      blocks[place].flags.insert(.hasStart)
    }
  }

  /// Lets each block end where the next one begins, unless there is a gap that was meant.
  private func settleEnds(_ blocks: inout [AudioBlock]) throws(ADMError) {
    for place in blocks.indices.dropLast() {
      let next = blocks[place + 1].start
      if blocks[place].flags.contains(.hasDuration) {
        let end = try sum(blocks[place].start, blocks[place].duration)
        if end == next { continue }
        if end < next {
          guard let closed = end.adding(BlockRepair.leastGap), next < closed else { continue }
        }
        let isRounding =
          end.adding(BlockRepair.leastGap).map { next < $0 } == true
          && next.adding(BlockRepair.leastGap).map { end < $0 } == true
        findings.note(
          .blockTimes, kind: isRounding ? "rounding" : "overlap",
          "block \(place + 1) of \(channel.id) ends at \(end), but the next one begins at \(next); it "
            + "ends there")
      }
      guard let duration = next.subtracting(blocks[place].start) else {
        throw ADMError(.value, "the times of \(channel.id) are too fine to be compared exactly")
      }
      blocks[place].duration = duration
      blocks[place].flags.insert(.hasDuration)
    }
  }

  /// Cuts blocks at the object's end.
  private func cut(_ blocks: inout [AudioBlock]) throws(ADMError) {
    guard let objectDuration else { return }
    let count = blocks.count
    blocks.removeAll { $0.start >= objectDuration }
    if blocks.count < count {
      findings.note(
        .blocksBeyondObject, kind: "dropped",
        "\(count - blocks.count) blocks of \(channel.id) begin after the end of their object")
    }
    guard let last = blocks.last, last.flags.contains(.hasDuration),
      try sum(last.start, last.duration) > objectDuration,
      let duration = objectDuration.subtracting(last.start)
    else { return }
    findings.note(
      .blocksBeyondObject, kind: "cut", "the last block of \(channel.id) is cut at its object's end"
    )
    blocks[blocks.count - 1].duration = duration
  }

  private func shortenInterpolations(_ channel: inout AudioChannelFormat) {
    var places: [BlockDetails: Int32] = [:]
    for place in channel.blocks.indices {
      let block = channel.blocks[place]
      var details = channel.details(of: block)
      guard block.flags.contains(.hasDuration), let length = details.object.interpolation,
        length > block.duration
      else { continue }
      findings.note(
        .interpolation,
        "the interpolation of block \(place + 1) of \(channel.id) is longer than the block")
      details.object.interpolation = block.duration
      if let known = places[details] {
        channel.blocks[place].details = known
        continue
      }
      let added = Int32(clamping: channel.details.count)
      places[details] = added
      channel.blocks[place].details = added
      channel.details.append(details)
    }
  }

  private func sum(_ first: ADMTime, _ second: ADMTime) throws(ADMError) -> ADMTime {
    guard let sum = first.adding(second) else {
      throw ADMError(.value, "the times of \(channel.id) are too fine to be added exactly")
    }
    return sum
  }
}
