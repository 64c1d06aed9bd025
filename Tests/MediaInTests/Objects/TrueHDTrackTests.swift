// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// TrueHD and MLP from files and containers: samples by the digests of the streams' own descriptions, ranges, damage.
@Suite(
  .tags(.media), .enabled(if: SharedMedia.beside("truehd/streams") != nil, "../shared is missing"))
struct TrueHDTrackTests {
  /// The facts of a stream beside it.
  private struct Facts {
    let presentations: [(number: Int, digest: String, samples: Int)]

    init(_ path: String) throws {
      let file = (path as NSString).deletingPathExtension + ".json"
      let json = try JSONSerialization.jsonObject(
        with: Data(contentsOf: URL(fileURLWithPath: file)))
      let list = (json as? [String: Any])?["presentations"] as? [[String: Any]] ?? []
      presentations = list.compactMap { entry in
        guard let number = entry["presentation"] as? Int, let digest = entry["sha256"] as? String,
          let samples = entry["samples"] as? Int
        else { return nil }
        return (number, digest, samples)
      }
    }
  }

  private static func paths(_ folder: String, _ endings: [String]) -> [String] {
    guard let place = SharedMedia.beside(folder) else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.filter { name in endings.contains { name.hasSuffix($0) } }.sorted()
      .map { place + "/" + $0 }
  }

  private static let streams =
    paths("truehd/streams", [".thd", ".mlp", ".m2ts", ".ts"])
    + paths("truehd/oracle/real", [".mlp"])

  private func open(
    _ path: String, _ change: (inout InputOptions) -> Void = { _ in }
  ) throws -> (reader: any TrackReader, planes: [Int], log: DiagnosticLog) {
    var options = InputOptions()
    change(&options)
    let log = DiagnosticLog()
    let media = try MediaFile(path: path)
    let opener = TrackOpener(media)
    let stream = try opener.select(.automatic, log: log)
    let planes = try TrueHDBeginning(stream, of: media, options).programme.planes
    return (try opener.open(stream, options: options, log: log), planes, log)
  }

  private func whole(_ reader: any TrackReader) throws -> ProgrammeBlock {
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return block
  }

  /// SHA-256 of samples of 24 bits, the lowest byte first, in the stream's order of channels.
  private func digest(_ audio: AudioBuffer, _ planes: [Int]) -> String {
    var bytes: [UInt8] = []
    let channels = planes.map { audio.channel($0) }
    for frame in 0..<audio.frames {
      for channel in channels {
        let value = Int32(channel[frame] * 8_388_608)
        bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        bytes.append(UInt8(truncatingIfNeeded: value >> 16))
      }
    }
    var sum = Digest(.sha256)
    sum.update(bytes)
    return sum.hexadecimal
  }

  @Test("every presentation of every file has its samples", arguments: streams)
  func presentationsHaveTheirSamples(path: String) throws {
    let facts = try Facts(path)
    #expect(!facts.presentations.isEmpty)
    for (number, wanted, samples) in facts.presentations {
      // A unit counts as doubled by the samples of the presentation that is decoded, and lower mixes may differ in their noise.
      if path.contains("29_seam_double"), number < 2 { continue }
      let opened = Result { try open(path) { $0.presentation = .number(number) } }
      if case .failure(let error as MediaError) = opened {
        // Presentation 3 of two streams has elements, and no metadata say where they are.
        #expect(number == 3 && error.kind == .unsupportedFeature, "\(error)")
        #expect(path.contains("24_wide") || path.contains("25_map"))
        continue
      }
      let (reader, planes, _) = try opened.get()
      let block = try whole(reader)
      #expect(block.frames == samples, "\(number)")
      #expect(digest(block.audio, planes) == wanted, "\(number)")
    }
  }

  private static let containers = [
    ["-f", "matroska"], ["-strict", "-2", "-f", "mp4"], ["-mpegts_m2ts_mode", "1", "-f", "mpegts"],
  ]

  @Test(
    "containers make no difference to samples and motions",
    arguments: [
      "06_nested_71", "20_end_drc", "28_seam_jump", "29_seam_double", "30_seam_no_sync",
      "51_audible_nested",
    ], containers)
  func containersMakeNoDifference(name: String, form: [String]) throws {
    let folder = try TemporaryFolder()
    let source = try #require(SharedMedia.beside("truehd/streams")) + "/\(name).thd"
    try Tool.ffmpeg(["-f", "truehd", "-i", source, "-c", "copy"] + form + [folder.file("a.bin")])
    let (raw, packed) = (
      try whole(open(source).reader), try whole(open(folder.file("a.bin")).reader)
    )
    try #require(packed.frames == raw.frames)
    for plane in 0..<raw.audio.channels {
      #expect(packed.audio.channel(plane).elementsEqual(raw.audio.channel(plane)))
    }
    for step in stride(from: Int64(0), to: Int64(raw.frames), by: 97) {
      for plane in raw.objectPlanes {
        #expect(
          packed.motion(of: plane, at: step)?.state == raw.motion(of: plane, at: step)?.state)
      }
    }
  }

  @Test("a reader that leaves out the beginning gives what the whole has there, moving objects too")
  func lateEntriesAreTheWhole() throws {
    let path = try #require(SharedMedia.beside("truehd/streams")) + "/50_audible.thd"
    let whole = try self.whole(open(path).reader)
    for wanted: Int64 in [20_000, 123_456, 280_000] {
      let late = try open(path).reader
      let skipped = try late.skip(wanted)
      #expect(skipped > 0 && skipped <= wanted && wanted - skipped < 3 * 8192)
      let rest = try self.whole(late)
      #expect(Int64(rest.frames) == Int64(whole.frames) - skipped)
      for plane in 0..<whole.audio.channels {
        #expect(
          rest.audio.channel(plane).elementsEqual(whole.audio.channel(plane)[Int(skipped)...]))
      }
      for step in stride(from: wanted, to: Int64(whole.frames), by: 331) {
        for plane in whole.objectPlanes {
          #expect(
            rest.motion(of: plane, at: step - skipped)?.state
              == whole.motion(of: plane, at: step)?.state)
        }
      }
    }
    // Nothing is gained where the range begins early, or where clips are joined before it.
    #expect(try open(path).reader.skip(3000) == 0)
    let seams = try #require(SharedMedia.beside("truehd/streams")) + "/28_seam_jump.thd"
    #expect(try open(seams).reader.skip(3500) == 0)
  }

  @Test("a damaged unit is refused, or silent up to the next restart and reported")
  func damageIsRefusedOrConcealed() throws {
    let source = try #require(SharedMedia.beside("truehd/streams")) + "/06_nested_71.thd"
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    // In the middle of a unit's segments.
    for place in 30_000..<30_004 { bytes[place] ^= 0x5A }
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url("a.thd"))
    let failure = #expect(throws: MediaError.self) {
      try whole(open(folder.file("a.thd")).reader)
    }
    #expect(failure?.kind == .damaged && failure?.exitCode == 4)
    let (reader, _, log) = try open(folder.file("a.thd")) { $0.damage = .conceal }
    let (found, good) = (try whole(reader), try whole(self.open(source).reader))
    #expect(found.frames == good.frames)
    #expect(log.degradations.allSatisfy { $0.code == .concealed } && !log.degradations.isEmpty)
    let differing = (0..<good.frames).filter {
      found.audio.channel(0)[$0] != good.audio.channel(0)[$0]
    }
    #expect(!differing.isEmpty)
    #expect(differing.allSatisfy { found.audio.channel(0)[$0] == 0 })
  }

  @Test("a damaged first unit doesn't hide the rest, and is silent up to the next restart")
  func aDamagedFirstUnitIsPassed() throws {
    let made = try MadeMedia("a.thd", ["-c:a", "truehd", "-strict", "-2"])
    let bad = try made.altered { $0[60] ^= 0x10 }
    #expect(bad.failure()?.kind == .damaged)
    var options = InputOptions()
    options.damage = .conceal
    let (right, track) = (try made.decode(), try bad.decode(options))
    #expect(track.count == right.count && Set(track.kinds) == ["concealed"])
    #expect(
      track.planes[0].suffix(right.count - 4000) == right.planes[0].suffix(right.count - 4000))
  }

  @Test("a cut file, and foreign bytes before units, are reported")
  func whatBelongsToNoUnitIsReported() throws {
    let source = try #require(SharedMedia.beside("truehd/streams")) + "/06_nested_71.thd"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: source))
    let folder = try TemporaryFolder()
    try bytes.dropLast(100).write(to: folder.url("cut.thd"))
    let stamp: [UInt8] = [0x01, 0x10] + Array(repeating: 0, count: 12) + [0x80, 0x00]
    try (Data(stamp) + bytes).write(to: folder.url("stamp.bin"))
    let good = try whole(open(source).reader)
    let cut = try open(folder.file("cut.thd"))
    #expect(try whole(cut.reader).frames == good.frames - 40)
    #expect(cut.log.degradations.map(\.code) == [.truncated])
    let stamped = try open(folder.file("stamp.bin"))
    let found = try whole(stamped.reader)
    #expect(found.audio.channel(0).elementsEqual(good.audio.channel(0)))
    #expect(stamped.log.degradations.map(\.code) == [.garbageSkipped])
  }

  @Test("the end that FFmpeg's encoder states is kept to the sample", arguments: ["thd", "mlp"])
  func endsOfOtherEncodersAreKept(ending: String) throws {
    let made = try MadeMedia(
      "a.\(ending)", ["-c:a", ending == "mlp" ? "mlp" : "truehd", "-strict", "-2", "-t", "1.0031"])
    let raw = ["-v", "error", "-i", made.path, "-f", "s16le", "-"]
    let wanted = try withExtendedLifetime(made.folder) { try Tool.run("ffmpeg", raw).output.count }
    #expect(try made.decode().count == wanted / 4)
  }

  @Test("objects that are asked for and have no metadata are refused by the coding's name")
  func missingMetadataAreRefusedByName() throws {
    let path = try #require(SharedMedia.beside("truehd/streams")) + "/24_wide_31ec.thd"
    let failure = #expect(throws: MediaError.self) {
      try open(path) { $0.objects.use = .render }
    }
    #expect(failure?.kind == .unsupportedCodec)
    #expect(failure?.message.contains("TrueHD with Dolby Atmos") == true)
    let (reader, _, _) = try open(path)
    #expect(reader.programme.bedFormat?.layout.name == "7.1")
    #expect(reader.programme.facts.undecoded?.channels == 14)
  }
}
