// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaOut
import Platform
import TestSupport
import Testing

@testable import Rendering

/// The proof finds every carried track again: its bytes, its number of samples and their times.
@Suite struct TracksProofTests {
  /// Sound in packets of 1024 samples, each with bytes of its own.
  private final class Packets: CodedTrack {
    let name = "made packets"
    let facts: OutputTrackFacts
    private var samples: ArraySlice<MediaSample>

    init(_ count: Int64, change: (inout MediaSample) -> Void = { _ in }) {
      let sound = TrackCoding.CodedSound(
        configuration: [0, 0, 0], channels: 2, sampleRate: 48_000)
      facts = OutputTrackFacts(
        .sound, .dolby(.ac3, sound), timescale: 48_000, length: count * 1024)
      samples =
        (0..<count).map { number in
          var sample = MediaSample(
            data: [UInt8](repeating: UInt8(100 + number), count: 7), decodeTime: number * 1024,
            duration: 1024)
          change(&sample)
          return sample
        }[...]
    }

    func next() -> MediaSample? { samples.popFirst() }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func chapters(_ titles: [String]) throws -> CarriedTracks {
    let markers = titles.enumerated().map {
      ProgrammeMarker(
        time: MediaTime(ticks: Int64($0.offset) * 4000, rate: 48_000), title: $0.element)
    }
    return try CarriedTracks(
      try #require(
        ChapterTrack(markers, rate: 48_000, end: MediaTime(ticks: 20_480, rate: 48_000))))
  }

  private func write(_ files: [MultiplexedFile], _ kind: ContainerKind = .fmp4) throws {
    guard kind == .fmp4 else {
      return try Multiplexer(files: files, pushed: nil) { sink, tracks in
        try ProgressiveMP4Writer(
          sink: sink, tracks: tracks, settings: ProgressiveMP4Settings(movieTimescale: 48_000),
          name: "a.mp4")
      }.finish()
    }
    try Multiplexer(files: files, pushed: nil) { sink, tracks in
      try FragmentedMP4Writer(
        sink: sink, tracks: tracks,
        settings: FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 1),
        fragmentDuration: MediaTime(ticks: 4096, rate: 48_000), name: "a.mp4")
    }.finish()
  }

  /// Writes 20 packets with three chapters, lets `damage` change the file, and proves it against `meant`, by default what
  /// was written.
  private func prove(
    _ kind: ContainerKind = .fmp4, against meant: CarriedTracks? = nil,
    damage: (Int32) throws -> Void = { _ in }
  ) throws {
    let target = try OutputTarget(
      OutputRequest(.file(folder.file("a.mp4")), container: Container(kind)),
      input: try ClipOpener(log: DiagnosticLog(), isCancelled: { false })
        .input(of: Clip(.silence(Silence(.seconds(1))))), overwrite: true)
    let audio = try CarriedTracks(Packets(20))
    var files = target.multiplexedFiles(
      copies: [], texts: [try chapters(["one", "two", "three"])], audio: audio)
    try write(files, kind)
    try damage(target.descriptor)
    if let meant {
      while try meant.nextOfAll() != nil {}
      files[0].tracks[0] = meant
    }
    try TracksProof(target: target, files: files, kind: kind).check()
  }

  private func refusal(
    _ kind: ContainerKind = .fmp4, against meant: CarriedTracks? = nil,
    damage: (Int32) throws -> Void = { _ in }
  ) -> MediaError? {
    do {
      try prove(kind, against: meant, damage: damage)
      return nil
    } catch { return error as? MediaError }
  }

  @Test("tracks that are as they were handed out pass", arguments: [ContainerKind.mp4, .fmp4])
  func intactTracksPass(kind: ContainerKind) throws { try prove(kind) }

  @Test(
    "a changed byte of a packet and one of a title are found",
    arguments: [([UInt8](repeating: 107, count: 7), "frames"), (Array("three".utf8), "titles")],
    [ContainerKind.mp4, .fmp4])
  func oneByteIsEnough(change: ([UInt8], String), kind: ContainerKind) throws {
    let (bytes, name) = change
    let failure = refusal(kind) { descriptor in
      let file = try LocalFile(descriptor: dup(descriptor), name: "a.mp4")
      let content = Data(file.bytes(at: 0, count: Int(file.size)))
      let place = try #require(content.range(of: Data(bytes), options: .backwards)).lowerBound
      #expect(pwrite(descriptor, [7] as [UInt8], 1, off_t(place)) == 1)
    }
    #expect(failure?.kind == .verificationFailed)
    #expect(failure?.message.contains("\(name) aren't") == true, "\(failure?.message ?? "")")
  }

  @Test(
    "a missing packet and one at another time are found", arguments: [ContainerKind.mp4, .fmp4])
  func numberAndTimesCount(kind: ContainerKind) throws {
    #expect(try refusal(kind, against: CarriedTracks(Packets(20))) == nil)
    #expect(try refusal(kind, against: CarriedTracks(Packets(21)))?.kind == .verificationFailed)
    let late = try CarriedTracks(Packets(20) { if $0.decodeTime == 4096 { $0.decodeTime += 1 } })
    let failure = refusal(kind, against: late)
    #expect(failure?.message.contains("other times") == true, "\(failure?.message ?? "")")
    let shown = try CarriedTracks(
      Packets(20) { if $0.decodeTime == 0 { $0.compositionOffset = 1 } })
    #expect(refusal(kind, against: shown)?.message.contains("other times") == true)
  }

  @Test("a track that nobody wrote is found") func aFurtherTrackIsFound() throws {
    let target = try OutputTarget(
      OutputRequest(.file(folder.file("b.mp4")), container: Container(.fmp4)),
      input: try ClipOpener(log: DiagnosticLog(), isCancelled: { false })
        .input(of: Clip(.silence(Silence(.seconds(1))))), overwrite: true)
    var files = target.multiplexedFiles(
      copies: [], texts: [try chapters(["one"])], audio: try CarriedTracks(Packets(20)))
    try write(files)
    files[0].tracks.removeLast()
    #expect(throws: MediaError.self) {
      try TracksProof(target: target, files: files, kind: .fmp4).check()
    }
  }
}
