// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import MediaOut
import Platform
import PlayQueue
import TestSupport
import Testing

@testable import Rendering

/// Values kept under a file's name are found again for these bytes only.
@Suite struct NameEqualityTests {
  /// "é" of one scalar and of two.
  private static let twins = ["\u{E9}.wav", "e\u{301}.wav"]

  /// Checks that what `make` makes of the two names differs, as values and as keys, and equals itself.
  private func check<Value: Hashable>(_ make: (String) -> Value) {
    let values = NameEqualityTests.twins.map(make)
    #expect(values[0] != values[1] && Set(values).count == 2, "\(values[0])")
    #expect(values[0] == make(NameEqualityTests.twins[0]), "\(values[0])")
    #expect(Set(values + values).count == 2, "\(values[0])")
  }

  @Test("inputs, outputs, HRTF sets and items of queues are told apart by the bytes of their paths")
  func pathsAreBytes() {
    check { MediaLocation.file($0) }
    check { HRTFRequest.Choice.file($0) }
    check { HRTFRequest.Choice.room($0) }
    check { HRTFRequest(.file($0)) }
    check { QueueSource.file(path: $0, track: 1, range: QueueRange()) }
    check {
      MediaLocation.queue(PlayQueue([QueueItem(.file(path: $0, track: nil, range: QueueRange()))]))
    }
    check { QueueTrack.Key(path: $0, track: nil) }
    // A set and a room of one name are two things.
    #expect(
      HRTFRequest.Choice.file("a") != .room("a") && HRTFRequest.Choice.builtIn != .file("kemar"))
    #expect(MediaLocation.standardStream != .file("-"))
  }

  @Test("a queue lists both files, and the second of them doesn't go on in the first")
  func queuesHoldBoth() {
    let times = [
      QueueRange(start: .samples(0), end: .samples(10)), QueueRange(start: .samples(10), end: nil),
    ]
    func queue(_ names: [String]) -> PlayQueue {
      PlayQueue(zip(names, times).map { QueueItem(.file(path: $0, track: nil, range: $1)) })
    }
    let twins = NameEqualityTests.twins
    #expect(queue(twins).files.count == 2 && !queue(twins).continues(1))
    #expect(
      queue([twins[0], twins[0]]).files.count == 1 && queue([twins[0], twins[0]]).continues(1))
  }

  @Test("several inputs go to a folder under names of their own bytes")
  func outputsInAFolder() throws {
    let output = OutputRequest(.file("out.wav"), Rendition())
    let pairs = try OutputNames.resolve(
      inputs: NameEqualityTests.twins, output: "out/", files: { _ in OutputFiles(output) })
    #expect(
      pairs.map { Array($0.output.utf8) } == NameEqualityTests.twins.map { Array("out/\($0)".utf8) }
    )
    #expect(throws: MediaError.self) {
      try OutputNames.resolve(
        inputs: [NameEqualityTests.twins[0], "sub/" + NameEqualityTests.twins[0]], output: "out/",
        files: { _ in OutputFiles(output) })
    }
  }

  @Test("a folder that bounds inputs doesn't let those of a folder in whose name has other bytes")
  func boundsAreBytes() throws {
    let place = try TemporaryFolder()
    for name in ["\u{E9}", "e\u{301}"] {
      let folder = place.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      try #require(FileManager.default.createFile(atPath: folder + "/x.wav", contents: Data([1])))
    }
    var bounds = InputBounds()
    bounds.root = place.path + "/\u{E9}"
    #expect(try bounds.open(place.path + "/\u{E9}/x.wav").size == 1)
    let error = #expect(throws: MediaError.self) {
      try bounds.open(place.path + "/e\u{301}/x.wav")
    }
    #expect(error?.kind == .inputUnreadable)
    bounds.root = "/"
    #expect(try bounds.open(place.path + "/e\u{301}/x.wav").size == 1)
  }

  @Test("the sandbox lets both files be read, and no folder is lost on the way into it")
  func rightsHoldBoth() throws {
    var policy = SandboxPolicy()
    for name in NameEqualityTests.twins { policy.add(RequestRights.policy(ofInput: name)) }
    for name in ["\u{E9}/x", "e\u{301}/x"] { policy.writeFolder(of: name) }
    #expect(policy.reads.count == 2 && policy.writes.count == 2)
    let read = try JSONDecoder().decode(SandboxPolicy.self, from: JSONEncoder().encode(policy))
    #expect(read == policy)
  }

  @Test("a name that begins with a combining mark is told from its folder")
  func marksBeginNames() {
    #expect(HLSNames.uri("a/\u{301}b.mp4") == "%CC%81b.mp4")
    #expect(OutputExtension("a.flac/\u{301}b").text == nil)
    let sheet = MarkerSheet([], length: MediaTime(ticks: 1, rate: 1), path: "a/\u{301}b.wav")
    #expect(Array(sheet.fileName.utf8) == Array("\u{301}b.wav".utf8))
  }
}
