// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

/// Channels for loudspeakers that are written and read again.
@Suite struct WrittenChannelsTests {
  private let rate = 48_000
  private let length: Int64 = 9000

  /// An event of an object: when, and what it leads to.
  private struct Event: Equatable {
    let at: Int64
    let state: ObjectState
  }

  private func channel(
    _ labels: [String], _ position: ObjectPosition, pack: String? = nil, gain: Double = 1,
    isLFE: Bool = false, least: SpeakerChannel.Bounds = SpeakerChannel.Bounds()
  ) -> ObjectState {
    ObjectState(
      position: position, gain: gain,
      rules: ObjectRules(
        role: .speaker(
          SpeakerChannel(labels: labels, pack: pack, isLFE: isLFE, least: least))))
  }

  private func written(
    _ name: String, _ blocks: [(Int64, ObjectState)]
  ) -> (Programme.Element, [ObjectUpdate]) {
    let updates = blocks.map { ObjectUpdate(plane: 0, at: $0.0, state: $0.1) }
    return (.object(name: name, start: blocks[0].1), updates)
  }

  /// The elements that come back, and what they do.
  private func readBack(
    _ parts: [(Programme.Element, [ObjectUpdate])]
  ) throws -> (packs: [String], elements: [Programme.Element], events: [[Event]]) {
    let programme = Programme(sampleRate: rate, elements: parts.map(\.0))
    let updates = parts.enumerated().map { plane, part in
      part.1.map { update in
        var update = update
        update.plane = plane
        return update
      }
    }
    let read = try ReadBack(
      WrittenProgramme(name: "Test", programme, updates: updates, length: length))
    #expect(read.findings.isEmpty, "\(read.findings.map(\.message))")
    let layout = try SceneLayout(
      read.selection, states: ItemStates(version: 2), names: read.objectNames, rate: rate)
    let events = try layout.timelines.map { entry in
      var timeline = entry.timeline
      var events: [Event] = []
      while let event = try timeline.advance() {
        events.append(Event(at: event.at, state: event.motion.target))
      }
      return events
    }
    let packs = read.selection.items.map { $0.packs.last?.text ?? "" }
    return (packs, layout.elements, events)
  }

  @Test("channels for loudspeakers come back with names, times, gains, labels and bounds")
  func channelsOfTheirOwnKeepEverything() throws {
    let left = channel(["RC_L"], .cartesian(x: -1, y: 1, z: 0))
    let low = channel(["RC_LFE"], .cartesian(x: -1, y: 1, z: -1), isLFE: true)
    var quiet = left
    quiet.gain = 0.5
    let bounded = channel(
      ["M+030", "M+045"], .polar(Direction(azimuth: 33.25, elevation: 1), distance: 0.5),
      least: SpeakerChannel.Bounds(first: 20, third: 0.25))
    var silent = bounded
    silent.gain = 0
    let back = try readBack([
      written("Bed, Left", [(0, left), (700, quiet)]), written("Bed, Low", [(0, low)]),
      written("Other", [(0, silent), (1000, bounded), (8000, silent)]),
    ])
    let names = back.elements.map { element -> String? in
      if case .object(let name, _) = element { return name }
      return nil
    }
    #expect(names == ["Bed, Left", "Bed, Low", "Other"])
    #expect(back.events[0].prefix(2) == [Event(at: 0, state: left), Event(at: 700, state: quiet)])
    #expect(back.events[1].first == Event(at: 0, state: low))
    #expect(
      back.events[2].prefix(2) == [Event(at: 1000, state: bounded), Event(at: 8000, state: silent)])
  }

  /// Channels of a common pack refer to it, because renderers have rules for it.
  @Test(
    "channels of a common pack with equal gains and times come back in it, others in a pack of their own"
  )
  func commonPacksStayWhatTheyAre() throws {
    func part(_ azimuth: Double, _ gain: Double, from start: Int64, to end: Int64)
      -> (Programme.Element, [ObjectUpdate])
    {
      let label = azimuth > 0 ? "M+030" : "M-030"
      let place = ObjectPosition.polar(Direction(azimuth: azimuth), distance: 1)
      let state = channel([label], place, pack: "AP_00010002", gain: gain)
      var silent = state
      silent.gain = 0
      return written(label, [(0, silent), (start, state), (end, silent)])
    }
    let together = try readBack([
      part(30, 0.25, from: 10, to: 500), part(-30, 0.25, from: 10, to: 500),
    ])
    #expect(together.packs == ["AP_00010002", "AP_00010002"])
    for events in together.events {
      #expect(events.map(\.at) == [10, 500])
      #expect(events.map(\.state.gain) == [0.25, 0])
    }
    // Channels that the pack can't express become channels of their own.
    for other in [part(-30, 0.5, from: 10, to: 500), part(-30, 0.25, from: 10, to: 501)] {
      let apart = try readBack([part(30, 0.25, from: 10, to: 500), other])
      #expect(apart.packs == ["AP_00011001", "AP_00011001"])
      #expect(apart.events[1][0].state.gain == other.1[1].state.gain)
    }
  }

  @Test("a loudspeaker that occurs again begins another pack")
  func aLoudspeakerThatOccursAgainBeginsAnotherGroup() throws {
    let left = channel(["L"], .polar(Direction(azimuth: 30), distance: 1))
    let right = channel(["R"], .polar(Direction(azimuth: -30), distance: 1))
    let parts = [left, right, left, right].map { written("x", [(0, $0)]) }
    let back = try readBack(parts)
    #expect(back.packs == ["AP_00011001", "AP_00011001", "AP_00011002", "AP_00011002"])
    #expect(back.events.map { $0[0].state } == [left, right, left, right])
  }

  @Test("a loudspeaker channel with a ramp is refused when written")
  func channelsThatMoveAreRefused() {
    let left = channel(["L"], .polar(Direction(azimuth: 30), distance: 1))
    let blocks = [
      WrittenBlock(start: 0, state: left), WrittenBlock(start: 9, ramp: 5, state: left),
    ]
    let error = #expect(throws: ADMError.self) {
      try ADMWriter(
        WrittenProgramme(
          name: "", sampleRate: rate, length: 100,
          elements: [.channels(name: "Bed", [WrittenSpeaker(name: "L", blocks: blocks)])]))
    }
    #expect(error?.code == .unsupported)
  }
}
