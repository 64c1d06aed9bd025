// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Sets of Dolby Atmos master files, from the root to blocks with changes.
@Suite(.tags(.media), .enabled(if: SharedMedia.beside("damf/sets") != nil, "../shared is missing"))
struct MasterTrackReaderTests {
  private static let sets = SharedMedia.beside("damf/sets") ?? "/nowhere"

  private func open(
    _ path: String, _ log: DiagnosticLog = DiagnosticLog(),
    _ change: (inout InputOptions) -> Void = { _ in }
  ) throws -> any TrackReader {
    var options = InputOptions()
    change(&options)
    let input = try MediaInput(path: path, bounds: options.bounds, log: log)
    let opener = TrackOpener(try TrackSource.openFirst(of: input, decoding: options))
    return try opener.open(opener.select(.automatic, log: log), options: options, log: log)
  }

  private func whole(_ reader: any TrackReader) throws -> ProgrammeBlock {
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return block
  }

  /// A copy of a set's files in a folder of its own.
  private func copy(_ set: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let source = MasterTrackReaderTests.sets + "/" + set
    for name in try FileManager.default.contentsOfDirectory(atPath: source)
    where name.contains(".atmos") {
      try FileManager.default.copyItem(atPath: source + "/" + name, toPath: folder.file(name))
    }
    return folder
  }

  @Test(
    "a set has the samples and motions of its twin in ADM",
    arguments: ["a/bed712", "b/circle"])
  func setsAreTheirTwins(set: String) throws {
    let path = MasterTrackReaderTests.sets + "/" + set
    let log = DiagnosticLog()
    let reader = try open(path + ".atmos", log)
    let (found, twin) = (try whole(reader), try whole(open(path + ".adm.wav")))
    #expect(reader.track.declaredSamples == Int64(found.frames) && found.frames == twin.frames)
    #expect(found.audio.channels == twin.audio.channels)
    for plane in 0..<found.audio.channels {
      #expect(found.audio.channel(plane).elementsEqual(twin.audio.channel(plane)))
    }
    #expect(found.objectPlanes == twin.objectPlanes)
    let steps = stride(from: Int64(0), to: Int64(found.frames), by: 331)
    let differing = steps.first { step in
      found.objectPlanes.contains { plane in
        guard let one = found.motion(of: plane, at: step)?.state,
          let other = twin.motion(of: plane, at: step)?.state
        else { return true }
        return one.rules != other.rules
          || zip(one.position.coordinates + [one.gain], other.position.coordinates + [other.gain])
            .contains { ($0 - $1).magnitude > 1e-6 }
      }
    }
    #expect(differing == nil)
    #expect(log.decisions.contains { $0.code == .objects } && log.degradations.isEmpty)
  }

  /// Skipped samples don't change what follows: neither samples nor motions.
  @Test("skipping samples of a set changes no later ones", arguments: [1, 777, 18_000, 143_995])
  func skippingChangesNothing(count: Int) throws {
    let path = MasterTrackReaderTests.sets + "/b/circle.atmos"
    let all = try whole(open(path))
    let reader = try open(path)
    #expect(try reader.skip(Int64(count)) == Int64(count))
    let part = try whole(reader)
    #expect(part.frames == all.frames - count)
    #expect(all.audio.channel(0).dropFirst(count).elementsEqual(part.audio.channel(0)))
    let differing = stride(from: 0, to: part.frames, by: 331).first { step in
      all.motion(of: 0, at: all.start + Int64(count + step))
        != part.motion(of: 0, at: part.start + Int64(step))
    }
    #expect(differing == nil)
  }

  @Test("facts of objects have their kinds, tracks and paths, and modes can be ignored")
  func factsAreThere() throws {
    let path = MasterTrackReaderTests.sets + "/a/bed712.atmos"
    let facts = try open(path).objects()
    #expect(facts.map(\.kind) == Array(repeating: .speaker, count: 10) + [.object, .object])
    #expect(facts.map(\.tracks) == (0..<12).map { [$0] })
    let plain = try open(path) { $0.objects.headphoneModes = .ignore }
    let modes = plain.programme.elements.map { element in
      if case .object(_, let start) = element { return start.rules.headphones }
      return .near
    }
    #expect(modes.allSatisfy { $0 == .unstated })
  }

  @Test("a part of a set is refused with the root to give")
  func partsAreRefused() throws {
    for end in [".audio", ".metadata"] {
      let error = #expect(throws: MediaError.self) {
        try open(MasterTrackReaderTests.sets + "/b/circle.atmos" + end)
      }
      #expect(error?.kind == .usage && error?.message.contains("circle.atmos") == true)
    }
  }

  @Test("a link that leads out of the root's folder isn't followed")
  func linksOutAreNotFollowed() throws {
    let (folder, other) = (try copy("b"), try TemporaryFolder())
    let name = "circle.atmos.audio"
    try FileManager.default.moveItem(atPath: folder.file(name), toPath: other.file(name))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: other.file(name))
    let error = #expect(throws: MediaError.self) { try open(folder.file("circle.atmos")) }
    #expect(error?.kind == .inputUnreadable)
  }

  @Test("all files of a set belong to its input, and the sound's channels can be asked for")
  func filesAndChannelsAreKnown() throws {
    let path = MasterTrackReaderTests.sets + "/b/circle.atmos"
    let input = try MediaInput(path: path, log: DiagnosticLog())
    #expect(input.localFiles == [path, path + ".metadata"])
    #expect(input.file.path == path + ".audio" && input.name == path)
    let bed = try open(path) { $0.objects.use = .bed }
    #expect(bed.programme.facts.objects == .unknown && !(bed is MasterTrackReader))
  }

  @Test("objects of a set can't be chosen, which is a usage error")
  func objectsCanNotBeChosen() throws {
    let error = #expect(throws: MediaError.self) {
      try open(MasterTrackReaderTests.sets + "/a/bed712.atmos") { $0.objects.importance = 5 }
    }
    #expect(error?.kind == .usage)
  }
}
