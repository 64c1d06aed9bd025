// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// Decodes a presentation of a stream to the planes of a renderer: samples as the encoder had them, and updates of objects.
///
/// Samples are 24-bit integers, which `Float` holds exactly as parts of 2²³. Unit n gives samples n × ``TrueHDStream/unitLength``
/// on: nothing is delayed, and nothing is left after the last unit.
package final class TrueHDDecoder {
  /// The facts of metadata that were met while decoding.
  package struct MetadataFindings: Equatable, Sendable {
    /// Payloads that were used.
    package var payloads = 0
    /// Payloads that couldn't be; the objects stayed where they were.
    package var lost = 0
    /// Payloads that didn't end where their syntax says.
    package var inexact = 0
    /// Whether an object asks to be played at two further places, which isn't done.
    package var leavesDivergence = false
  }

  /// Factor of a sample's 24 bits.
  private static let scale: Float = 1 / 8_388_608

  /// The presentation.
  package let programme: TrueHDProgramme
  /// Facts of metadata met so far.
  package private(set) var metadata = MetadataFindings()

  private let units: UnitDecoder
  private let frame = ObjectFrame()
  private var timeline: ObjectTimeline
  private var gains: BedGains

  /// A decoder of a programme.
  package init(_ programme: TrueHDProgramme) {
    self.programme = programme
    units = UnitDecoder(programme.stream.sync, presentations: [programme.presentation])
    timeline = ObjectTimeline(programme.starts, blocks: ObjectFrame.mostBlocks)
    gains = BedGains(programme.bedPlanes)
  }

  /// Lossless checks and concealed samples so far.
  package var counts: TrueHDCounts { units.counts(programme.presentation) }
  /// Samples so far.
  package var position: Int64 { units.position }
  /// Dynamic range control that the presentation was sent last; `nil` where none was. It is reported and not applied.
  package var control: RangeControl? {
    units.sync.top(programme.presentation).flatMap { units.controls[$0] }
  }
  /// Whether events are waiting.
  package var hasEvents: Bool { !units.events.isEmpty }

  /// Hands over the events since they were last taken.
  package func takeEvents() -> [TrueHDEvent] { units.takeEvents() }

  /// Decodes the units of a packet, usually one, and appends their samples to `block`, which has the programme's elements.
  /// - Throws: ``TrueHDError/refused(_:)`` where the stream goes on in another form; damage becomes silence and an event.
  package func decode(
    _ packet: UnsafeBufferPointer<UInt8>, into block: ProgrammeBlock
  ) throws(TrueHDError) {
    var place = 0
    repeat {
      let rest = UnsafeBufferPointer(rebasing: packet[place...])
      let size = AccessUnit.length(rest) ?? 0
      guard size >= AccessUnit.leastLength, size <= rest.count else {
        // Behind a whole unit these are no unit that was lost.
        if place > 0 { units.note(.bytesSkipped(rest.count)) } else { loseUnit(into: block) }
        return
      }
      let unit = UnsafeBufferPointer(rebasing: rest[..<size])
      let outcome = try units.decode(unit)
      let channels = units.channels(programme.presentation)
      guard channels == 0 || channels == programme.planes.count else {
        throw .refused(
          "a presentation of \(channels) instead of \(programme.planes.count) channels")
      }
      write(outcome, unit, to: block)
      place += size
    } while place < packet.count
  }

  /// Appends silence for a unit that is known to be missing.
  package func loseUnit(into block: ProgrammeBlock) {
    write(units.loseUnit(), nil, to: block)
  }

  /// Says that bytes between the last unit and the next one belong to none. Silence for what is missing comes with the next unit
  /// that tells its time.
  package func skip(bytes: Int) { units.skip(bytes: bytes) }

  /// Ends a stretch of units: the next unit is somewhere else, and is silent unless it has a major sync. Objects jump to the
  /// places that it gives them.
  package func finish() {
    units.beginAnew()
    timeline.beginAnew()
  }

  private func write(
    _ outcome: UnitDecoder.Outcome, _ unit: UnsafeBufferPointer<UInt8>?,
    to block: ProgrammeBlock
  ) {
    let first = units.position - Int64(outcome.samples)
    if outcome.gap > 0 {
      block.audio.appendSilence(outcome.gap)
      takeUpdates(into: block, from: first - Int64(outcome.gap), count: outcome.gap)
    }
    guard outcome.samples > 0 else { return }
    if outcome.isSeam { timeline.beginAnew() }
    if let unit, programme.assignment != nil { readMetadata(unit, first) }
    appendSamples(outcome.samples, to: block)
    takeUpdates(into: block, from: first, count: outcome.samples)
  }

  /// Appends the last unit's samples, or silence where they are lost.
  private func appendSamples(_ count: Int, to block: ProgrammeBlock) {
    let place = block.audio.grow(by: count)
    for (channel, plane) in programme.planes.enumerated() {
      guard let base = block.audio.channel(plane).baseAddress else { continue }
      let target = base + place
      guard let samples = units.samples(programme.presentation, channel: channel) else {
        target.update(repeating: 0, count: count)
        continue
      }
      for index in 0..<count { target[index] = Float(samples[index]) * TrueHDDecoder.scale }
    }
  }

  /// Reads the metadata of a unit whose first sample is `first`.
  private func readMetadata(_ unit: UnsafeBufferPointer<UInt8>, _ first: Int64) {
    guard units.sync.hasMetadata, let extra = units.extraStart else { return }
    EvolutionFrame.objects(unit, from: extra) { bits, size, offset in
      do throws(ObjectMetadataError) {
        try ObjectReader.read(bits, size: size, into: frame)
        guard frame.assignment == programme.assignment else {
          throw .unsupported("metadata of another programme")
        }
      } catch {
        metadata.lost += 1
        return units.note(.metadataLost(reason: error.description))
      }
      metadata.payloads += 1
      if !frame.endsExactly { metadata.inexact += 1 }
      if frame.hasDivergence { metadata.leavesDivergence = true }
      timeline.add(frame, from: first + Int64(offset), objects: programme.objects)
    }
  }

  /// Hands over the updates of the block's last `count` samples, which begin with `first`; those of beds become gains.
  private func takeUpdates(into block: ProgrammeBlock, from first: Int64, count: Int) {
    guard programme.assignment != nil else { return }
    let offset = block.end - Int64(count) - first
    let place = block.frames - count
    var reached = first
    timeline.take(before: first + Int64(count)) { update in
      guard update.plane >= programme.bedPlanes else {
        applyGains(block, place + Int(reached - first), Int(update.at - reached))
        reached = update.at
        return gains.take(update)
      }
      var update = update
      update.at += offset
      block.add(update)
    }
    applyGains(block, place + Int(reached - first), Int(first - reached) + count)
  }

  private func applyGains(_ block: ProgrammeBlock, _ place: Int, _ count: Int) {
    for plane in 0..<programme.bedPlanes {
      guard let base = block.audio.channel(plane).baseAddress else { continue }
      gains.apply(plane, to: base + place, count: count)
    }
  }
}
