// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Sound goes through programs and comes back in its place.
struct ProgramTapTests {
  private static let noise = QueueCase.noise(2, 30_011)
  /// Delays stereo by 100 samples and swallows its end.
  private static let delay = ["sh", "-c", "(head -c 800 /dev/zero; cat) | head -c -800"]

  private func tap(_ point: TapPoint, _ request: ProgramRequest) -> Tap {
    Tap(point, .program(request))
  }

  @Test("cat as a tap changes no sample", arguments: [TapPoint.item, .programme, .post])
  func whatChangesNothingChangesNothing(point: TapPoint) async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    let (planes, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [tap(point, ProgramRequest(["cat"]))]
    }
    #expect(planes == Self.noise)
    let told = try #require(report.outputs.first?.taps?.first)
    #expect(told.kind == "exec" && told.name == "cat")
    #expect(told.latency.measured == 0 && told.deterministic)
    #expect(told.sha256?.count == 64)
  }

  @Test("a program that delays by 100 samples is measured and made up for")
  func aDelayIsMeasuredAndRemoved() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    for latency in [ProgramRequest.Latency.measured, .samples(100)] {
      var request = ProgramRequest(Self.delay)
      request.latency = latency
      let (planes, report) = try await test.render(.file(path)) {
        $0.rendition.taps = [tap(.programme, request)]
        $0.overwrite = true
      }
      #expect(planes == Self.noise)
      let told = try #require(report.outputs.first?.taps?.first)
      #expect(told.latency.measured == 100 && told.latency.used == 100)
    }
  }

  @Test("a program with another delay than stated is refused")
  func anotherDelayThanIsStatedIsRefused() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    var request = ProgramRequest(Self.delay)
    request.latency = .samples(5)
    let error = try await test.failure(.file(path)) {
      $0.rendition.taps = [tap(.programme, request)]
    }
    #expect(error.kind == .verificationFailed)
    #expect(error.message.contains("states a delay of 5 samples, but delays a test signal by 100"))
  }

  @Test("a program may give the tail stated, and no more") func aTailMayComeBehindTheEnd()
    async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    var request = ProgramRequest(["sh", "-c", "cat; head -c 4000 /dev/zero"])
    let error = try await test.failure(.file(path)) {
      $0.rendition.taps = [tap(.post, request)]
    }
    #expect(error.message.contains("gave 144500 samples for 144000"))
    request.tail = .samples(500)
    let (planes, _) = try await test.render(.file(path)) {
      $0.rendition.taps = [tap(.post, request)]
      $0.rendition.tail = .keep
    }
    #expect(planes[0].count == 30_511)
    #expect(planes[1].prefix(30_011) == Self.noise[1].prefix(30_011))
  }

  @Test(
    "a program that fails or gives a wrong length is reported in one sentence",
    arguments: [
      (["no-such-program"], MediaError.Kind.usage, "no such program"),
      (["false"], .unsupportedFeature, "ended with exit 1;"),
      (
        ["sh", "-c", "echo one >&2; echo two words >&2; exit 3"], .unsupportedFeature,
        "exit 3: one / two words;"
      ),
      (["sh", "-c", "kill -SEGV $$"], .unsupportedFeature, "crashed (signal 11)"),
      (["head", "-c", "1000"], .verificationFailed, "gave 125 samples for 144000"),
      (["sh", "-c", "cat >/dev/null"], .verificationFailed, "gave 0 samples"),
      (["sh", "-c", "cat; printf x"], .verificationFailed, "gave 144000 samples for 144000"),
      (["yes"], .verificationFailed, "longer or shorter"),
      (["sh", "-c", "tr '\\000-\\377' '\\377'"], .damaged, "no number at sample 0"),
    ]) func faultsAreToldInOneSentence(
      words: [String], kind: MediaError.Kind, text: String
    ) async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    let error = try await test.failure(.file(path)) {
      $0.rendition.taps = [tap(.post, ProgramRequest(words))]
    }
    #expect(error.kind == kind, "\(error.message)")
    #expect(error.message.contains(text), "\(error.message)")
  }

  @Test(
    "a program that takes and gives nothing for the time limit is ended", .fullRunOnly,
    arguments: [
      "sleep 1000",
      // All outputs are closed, but the program doesn't end.
      "cat; exec >&- 2>&-; sleep 1000",
      // Complaints for ever are no work.
      "while :; do echo busy >&2; sleep 0.02; done",
    ])
  func aProgramThatDoesNothingIsEnded(script: String) async throws {
    var environment = RenderEnvironment()
    environment.programs.patience = 0.3
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    let error = try await test.failure(.file(path), by: RenderPipeline(environment)) {
      $0.rendition.taps = [tap(.post, ProgramRequest(["sh", "-c", script]))]
    }
    #expect(error.kind == .unavailable)
    #expect(error.exitCode == 75)
    #expect(error.message.contains("took and gave nothing for 0.3 s"))
  }

  @Test("a program gets rate, channels and length in a small environment")
  func itsEnvironmentIsItsOwn() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise, rate: 44_100)
    let words =
      "echo $PINNA_TAP $PINNA_RATE $PINNA_CHANNELS $PINNA_LAYOUT $PINNA_FRAMES [$USER] >&2; exit 1"
    let error = try await test.failure(.file(path)) {
      $0.rendition.taps = [tap(.item, ProgramRequest(["sh", "-c", words]))]
    }
    // The test signal before the run has three seconds.
    #expect(error.message.contains(": 1 44100 2 stereo 132300 [];"), "\(error.message)")
    // In the run it gets the sound, and as much silence as its delay and its tail take.
    let counted = "cat; [ $PINNA_FRAMES = 132800 ] || { echo $PINNA_FRAMES >&2; exit 1; }"
    var request = ProgramRequest(["sh", "-c", counted])
    request.tail = .samples(500)
    let run = try await test.failure(.file(path)) { $0.rendition.taps = [tap(.item, request)] }
    #expect(run.message.contains("exit 1: 30511;"), "\(run.message)")
  }

  @Test("standard error of a program is reported as a decision") func whatItSaysIsTold()
    async throws
  {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    let (_, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [tap(.post, ProgramRequest(["sh", "-c", "cat; echo clipped 3 >&2"]))]
    }
    let told = report.decisions.filter { $0.chose == "clipped 3" }
    #expect(told.count == 1 && told.first?.why.contains("the tap post:exec sh") == true)
  }

  /// A plain word is never taken for a file; a path is, and the report says so.
  @Test("a word with a dot or a slash names a file, a plain word doesn't")
  func onlyPathsBecomeFiles() async throws {
    let test = try QueueCase()
    let path = try test.write("in.wav", Self.noise)
    let script = test.folder.file("script.sh")
    try Data("cat".utf8).write(to: URL(fileURLWithPath: script))
    let near = URL(fileURLWithPath: "tap-test-\(getpid()).sh")
    try Data("cat".utf8).write(to: near)
    defer { try? FileManager.default.removeItem(at: near) }
    let (planes, report) = try await test.render(.file(path)) {
      $0.rendition.taps = [tap(.post, ProgramRequest(["sh", near.lastPathComponent]))]
    }
    #expect(planes == Self.noise)
    let reasons = report.decisions.filter { $0.code == .tap }.map(\.why)
    #expect(
      reasons.contains { $0.contains("the word \(near.lastPathComponent) is the file /") },
      "\(reasons)")
  }
}
