// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

@testable import MediaIn

/// E-AC-3 with objects, from the file to blocks with changes.
@Suite(.tags(.media), .enabled(if: CodedObjects.isPresent, "../shared is missing"))
struct CodedObjectReaderTests {
  /// A track that was read to its end, without trimming.
  private struct Track {
    let reader: any TrackReader
    let block: ProgrammeBlock
    let log: DiagnosticLog

    init(path: String, _ change: (inout InputOptions) -> Void = { _ in }) throws {
      LibAVLog.install()
      var options = InputOptions()
      change(&options)
      log = DiagnosticLog()
      let opener = TrackOpener(try MediaFile(path: path))
      reader = try opener.open(
        opener.select(.automatic, log: log), options: options, log: log)
      block = ProgrammeBlock(reader.programme)
      while try reader.read(into: block) != nil {}
    }

    init(_ stream: CodedObjects, _ change: (inout InputOptions) -> Void = { _ in }) throws {
      let media = try MadeMedia("stream.ec3", bytes: stream.data)
      self = try withExtendedLifetime(media) { try Track(path: media.path, change) }
    }

    func plane(_ index: Int) -> [Float] { Array(block.audio.channel(index)) }

    /// Messages reported under `code`.
    func messages(_ code: DegradationCode) -> [String] {
      log.degradations.filter { $0.code == code }.map(\.message)
    }
  }

  @Test("the sample has a 5.1(side) bed and 10 objects, which are the model's within -60 dB")
  func theSampleHasItsBedAndItsObjects() throws {
    let track = try Track(path: CodedObjects.samplePath)
    let layout = try #require(ChannelLayout(name: "5.1(side)"))
    #expect(track.reader.programme.elements.first == .bed(layout))
    #expect(track.reader.programme.elements.count == 11)
    #expect(track.reader.programme.facts.objects == .yes)
    #expect(track.reader.programme.facts.dialnorm == -27)
    #expect(track.reader.programme.facts.downmix == nil, "it belongs to the downmix")
    #expect(track.block.frames == 64 * 1536 && track.block.updates.isEmpty)
    #expect(track.log.degradations.isEmpty)
    let coding = try #require(track.reader.track.objectCoding)
    #expect(
      coding
        == ObjectCodingFacts(
          complexity: 16, bed: layout, objects: 10, downmix: "5.1", updatesPerSecond: 31.25))
    let facts = try track.reader.objects()
    #expect(facts.map(\.kind) == [.bed] + Array(repeating: .object, count: 10))
    #expect(facts[1].least == [1, 1 - 50.0 / 62, 0] && facts[1].changes == 1)
    // The model's objects were made of the same downmix; the LFE is its last one.
    let wanted = try ["00-07", "08-14_lfe"].flatMap { part in
      try planes(SharedMedia.beside("joc/oracle/sample.objects.\(part).24bit.flac") ?? "/nowhere")
    }
    for (plane, object) in ([0, 1, 2, 15, 3, 4] + Array(5..<15)).enumerated() {
      let ratio = Signals.ratio(track.plane(plane), wanted[object])
      #expect(ratio > 60, "plane \(plane): \(ratio) dB")
    }
  }

  private func planes(_ path: String) throws -> [[Float]] {
    let media = try MediaFile(path: path)
    let opener = TrackOpener(media)
    let log = DiagnosticLog()
    let reader = try opener.open(
      opener.select(.automatic, log: log), options: InputOptions(), log: log)
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return (0..<8).map { Array(block.audio.channel($0)) }
  }

  /// One stream gives the same samples and states in every container.
  @Test(
    "objects of E-AC-3 have the same samples and updates in TS, Matroska and MP4",
    arguments: ["ec3", "ts", "mkv", "mp4"])
  func containersMakeNoDifference(name: String) throws {
    let folder = try TemporaryFolder()
    for (source, path) in [
      ("real", CodedObjects.samplePath),
      ("moving", SharedMedia.beside("joc/oracle/made.moving.ec3") ?? "/nowhere"),
    ] {
      let copy = folder.file("\(source).\(name)")
      let format = name == "ec3" ? ["-f", "eac3"] : []
      try FixtureStore.ffmpeg(["-i", path, "-c", "copy"] + format + [copy])
      let (one, other) = (try Track(path: path), try Track(path: copy))
      #expect(one.block.frames == other.block.frames)
      for plane in 0..<one.reader.programme.planes {
        let isSame = one.plane(plane) == other.plane(plane)
        #expect(isSame, "\(source) in \(name), plane \(plane)")
      }
      #expect(one.block.updates == other.block.updates)
      #expect(one.block.updates.isEmpty == (source == "real"))
      #expect(one.block.frames >= 50 * 1536)
      // Equal samples must also be sound.
      let peak = one.plane(one.reader.programme.planes - 1).reduce(0) { max($0, $1.magnitude) }
      #expect(peak > 0.1, "\(source): \(peak)")
    }
  }

  /// An object that fades out sounds until its ramp ends.
  @Test("an object that fades out ends with its ramp, and one that comes back has no end")
  func aFadeOutHasItsEnd() throws {
    let state = ObjectState(position: .cartesian(x: 0, y: 1, z: 0))
    let programme = Programme(
      sampleRate: 48_000, elements: [.object(name: "Object 1", start: state)])
    var way = try #require(ObjectWay.all(of: programme).first)
    var silent = state
    silent.gain = 0
    way.note(ObjectUpdate(plane: 0, at: 1000, ramp: 512, state: silent))
    #expect(way.facts.start == 0 && way.facts.end == 1512)
    way.note(ObjectUpdate(plane: 0, at: 9000, ramp: 512, state: state))
    #expect(way.facts.end == nil && way.facts.changes == 3)
  }

  /// The downmix keeps its place in the planes of a bed, and is played where objects are missing.
  @Test("access units without objects are reported with their time, and the downmix is heard there")
  func missingObjectsAreTold() throws {
    let sample = try CodedObjects.sample()
    let whole = try Track(sample)
    let found = try Track(sample.withoutObjects(in: 10..<40))
    #expect(
      found.messages(.objectsMissing) == [
        "from 00:00:00.832 to 00:00:01.280 the 5.1(side) downmix is heard, because its access units have "
          + "no usable objects",
        "30 of 64 access units have no usable coefficients of objects; the last ones stay in force for "
          + "up to half a second",
      ])
    #expect(found.block.frames == whole.block.frames)
    let core = try Track(sample.withoutObjects(in: 10..<40)) { $0.objects.use = .bed }
    let range = 28 * 1536..<38 * 1536
    for plane in 0..<6 {
      let isSame = Array(found.plane(plane)[range]) == Array(core.plane(plane)[range])
      #expect(isSame, "channel \(plane)")
    }
    for plane in 6..<16 { #expect(found.plane(plane)[range].allSatisfy { $0 == 0 }) }
    // Objects are back; the decoder's noise differs where bits differ.
    let later = 44 * 1536..<62 * 1536
    for plane in [0, 2, 6, 11] {
      let ratio = Signals.ratio(
        Array(found.plane(plane)[later]), Array(whole.plane(plane)[later]))
      #expect(ratio > 40, "plane \(plane): \(ratio) dB")
    }
    let short = try Track(sample.withoutObjects(in: 20..<30))
    #expect(short.messages(.objectsMissing).count == 1, "ten units are bridged")
  }

  /// A stream whose first units have no objects is played as it always was, and so is one that is asked for.
  @Test("the bed plays when it or a layout is asked for, and when the first units have no objects")
  func theBedIsPlayedWhereThatIsAsked() throws {
    let bed = try Track(path: CodedObjects.samplePath) { $0.objects.use = .bed }
    #expect(bed.reader is AudioTrackReader && bed.reader.programme.elements.count == 1)
    #expect(bed.log.decisions.contains { $0.code == .objects && $0.chose == "left aside" })
    let named = try Track(path: CodedObjects.samplePath) {
      $0.layout = ChannelLayout(name: "5.1(side)")
    }
    #expect(named.reader is AudioTrackReader)
    let late = try Track(CodedObjects.sample().withoutObjects(in: 0..<20))
    #expect(late.reader is AudioTrackReader)
    #expect(
      late.log.decisions.contains { $0.code == .objects && $0.why.contains("too few") })
    #expect(throws: MediaError.self) {
      try Track(CodedObjects.sample().withoutObjects(in: 0..<64)) { $0.objects.use = .render }
    }
    let error = #expect(throws: MediaError.self) {
      try Track(path: CodedObjects.samplePath) { $0.objects.only = ["AO_1001"] }
    }
    #expect(error?.kind == .usage && error?.message.contains("no identifiers") == true)
  }

  /// Another programme, and then sound that isn't in access units of 1536 samples at 48 kHz.
  @Test(
    "another programme or format within a stream of objects is reported, and its sound is heard")
  func theStreamMayChange() throws {
    let (sample, moving) = (try CodedObjects.sample(), try CodedObjects.moving())
    let joined = try Track(CodedObjects(frames: sample.frames + moving.frames))
    #expect(joined.block.frames == (64 + 50) * 1536)
    #expect(joined.messages(.objectsMissing).first?.contains("hold other objects") == true)
    #expect(joined.log.decisions.contains { $0.chose == "2 programmes in the same places" })
    let alone = try Track(moving)
    let range = 12 * 1536..<46 * 1536
    for object in 0..<6 {
      let place = 64 * 1536
      let own = joined.plane(6 + object)[range.lowerBound + place..<range.upperBound + place]
      let ratio = Signals.ratio(Array(own), Array(alone.plane(6 + object)[range]))
      #expect(ratio > 40, "object \(object): \(ratio) dB")
    }
    let other = try MadeMedia("other.eac3", ["-ac", "6", "-ar", "44100", "-c:a", "eac3"])
    let bytes = try other.bytes()
    let mixed = try Track(CodedObjects(frames: sample.frames + [[UInt8](bytes)]))
    #expect(mixed.messages(.objectsMissing).contains { $0.contains("access units of 1536") })
    #expect(mixed.messages(.formatChange).count == 1)
    #expect(mixed.block.frames > (64 + 58) * 1536)
    #expect(mixed.plane(2)[66 * 1536..<80 * 1536].contains { abs($0) > 0.01 })
    #expect(mixed.plane(9)[70 * 1536..<80 * 1536].allSatisfy { $0 == 0 })
  }

  /// Lost units become silence, and the objects go on after it.
  @Test("damaged access units are refused, or with concealment become silence in bed and objects")
  func lostUnitsBecomeSilence() throws {
    var frames = try CodedObjects.sample().frames
    for index in 30..<33 {
      for byte in 40..<frames[index].count { frames[index][byte] ^= 0x5A }
    }
    #expect(throws: MediaError.self) { try Track(CodedObjects(frames: frames)) }
    let found = try Track(CodedObjects(frames: frames)) { $0.damage = .conceal }
    #expect(found.block.frames == 64 * 1536)
    #expect(!found.messages(.decodeErrors).isEmpty)
    let silent = 30 * 1536 + 1300..<33 * 1536 - 1300
    for plane in [0, 6, 11] {
      #expect(found.plane(plane)[silent].allSatisfy { abs($0) < 1e-4 }, "plane \(plane)")
      #expect(found.plane(plane)[40 * 1536..<44 * 1536].contains { abs($0) > 0.1 })
    }
  }
}
