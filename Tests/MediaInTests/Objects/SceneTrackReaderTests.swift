// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

/// WAV files with objects, from the file to blocks with changes.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct SceneTrackReaderTests {
  private func open(
    _ id: String, _ log: DiagnosticLog = DiagnosticLog(),
    _ change: (inout InputOptions) -> Void = { _ in }
  ) throws -> any TrackReader {
    var options = InputOptions()
    change(&options)
    let path = ObjectCases.path("cases/\(id)/input.wav")
    let media = try MediaFile(path: path)
    let opener = TrackOpener(media)
    return try opener.open(
      opener.select(.automatic, log: log), options: options, log: log)
  }

  private func whole(_ reader: any TrackReader) throws -> ProgrammeBlock {
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return block
  }

  @Test(
    "a master has ten speakers and three objects, its declared length, and updates of the last object"
  )
  func aMasterHasItsBedAndItsObjects() throws {
    let log = DiagnosticLog()
    let reader = try open("atmos-master", log)
    let roles = reader.programme.elements.map { element in
      if case .object(_, let start) = element, case .speaker = start.rules.role { return "speaker" }
      return "object"
    }
    #expect(roles == Array(repeating: "speaker", count: 10) + Array(repeating: "object", count: 3))
    #expect(reader.programme.facts.objects == .yes)
    #expect(log.decisions.contains { $0.code == .objects })
    let block = try whole(reader)
    #expect(Int64(block.frames) == reader.track.declaredSamples)
    #expect(block.updates.contains { $0.plane == 12 })
  }

  /// Skipped samples don't change what follows: neither samples nor motions.
  @Test(
    "skipping samples of a scene changes no later ones",
    arguments: ["objects-moving", "time-between-samples", "late-objects", "matrix-mid-side"])
  func skippingChangesNothing(id: String) throws {
    let all = try whole(open(id))
    for count in [1, 777, all.frames / 2, all.frames - 5] {
      let reader = try open(id)
      #expect(try reader.skip(Int64(count)) == Int64(count))
      let part = try whole(reader)
      #expect(part.frames == all.frames - count)
      for plane in 0..<all.audio.channels {
        #expect(all.audio.channel(plane).dropFirst(count).elementsEqual(part.audio.channel(plane)))
      }
      for plane in all.objectPlanes {
        for step in stride(from: 0, to: part.frames, by: 331) {
          #expect(
            all.motion(of: plane, at: all.start + Int64(count + step))
              == part.motion(of: plane, at: part.start + Int64(step)), "\(id) \(count) \(step)")
        }
      }
    }
  }

  @Test("speakers of 5.1(side) become a bed, and custom speakers become several elements")
  func channelsOfACommonLayoutAreABed() throws {
    let log = DiagnosticLog()
    let reader = try open("speakers-5.1", log)
    #expect(reader.programme.elements == [.bed(try #require(ChannelLayout(name: "5.1(side)")))])
    #expect(reader.programme.facts.objects == .no)
    let custom = try open("speakers-custom")
    #expect(custom.programme.elements.count > 1)
  }

  @Test("objects left aside give one element, unknown objects and a decision")
  func objectsCanBeLeftAside() throws {
    let log = DiagnosticLog()
    let reader = try open("speakers-5.1", log) { $0.objects.use = .bed }
    #expect(reader.programme.elements.count == 1)
    #expect(!(reader is SceneTrackReader))
    #expect(reader.programme.facts.objects == .unknown)
    #expect(log.decisions.contains { $0.code == .objects && $0.chose == "left aside" })
  }

  @Test("facts of objects have their kinds, tracks, paths within -1 to 1, and starts and ends")
  func factsTellWhatIsThere() throws {
    let facts = try open("atmos-master").objects()
    #expect(facts.map(\.kind.rawValue).suffix(4) == ["speaker", "object", "object", "object"])
    #expect(facts.map(\.tracks) == (0..<13).map { [$0] })
    let voice = try #require(facts.last)
    #expect(voice.isCartesian && voice.changes > 1 && !voice.path.isEmpty)
    #expect(zip(voice.least, voice.greatest).allSatisfy { $0 <= $1 && $0 >= -1 && $1 <= 1 })
    let late = try open("late-objects").objects()
    #expect(late.contains { ($0.start ?? 0) > 0 && $0.end != nil })
  }

  @Test("a file with a sound field of order 3 becomes a scene of that order")
  func fieldsAreScenes() throws {
    let reader = try open("hoa-order3-sn3d")
    #expect(reader.programme.elements == [.scene(order: 3)])
  }

  /// Choices among objects aren't passed over where none are rendered.
  @Test("a choice among objects that are left aside is a usage error")
  func choicesNeedObjects() throws {
    let changes: [(inout InputOptions) -> Void] = [
      { $0.objects.programme = "APR_1001" }, { $0.objects.complements = ["AO_1002"] },
      { $0.objects.importance = 5 },
    ]
    for change in changes {
      let error = #expect(throws: MediaError.self) {
        _ = try open("speakers-5.1") {
          $0.objects.use = .bed
          change(&$0)
        }
      }
      #expect(error?.kind == .usage)
    }
  }

  @Test("an object asked for and missing is refused") func whatIsAskedForHasToBeThere() throws {
    let error = #expect(throws: MediaError.self) {
      _ = try open("programmes") { $0.objects.programme = "APR_9" }
    }
    #expect(error?.message.contains("APR_1001") == true)
  }
}
