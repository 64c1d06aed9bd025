import AudioCore
import Foundation
import ISOBMFF
import TestSupport
import Testing

@testable import MediaIn

/// Sound fields that MP4 states in a box of its own (`SA3D`).
@Suite struct SpatialAudioTests {
  /// A tenth of a second of four channels in QuickTime's PCM or AAC, whose sample entry gets the box with `payload`.
  private func movie(_ codec: Codec, _ payload: [UInt8]?) throws -> MadeMedia {
    let folder = try TemporaryFolder()
    let noise =
      "aevalsrc=0.3*random(0)|0.2*sin(900*t)|0.1*random(1)|0.2*sin(70*t):d=0.1:s=48000:c=4.0"
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", noise, "-c:a", codec.encoder, folder.file("a.mov")])
    var bytes = try Data(contentsOf: folder.url("a.mov"))
    if let payload { try SpatialAudioTests.insert(payload, codec.entry, &bytes) }
    return try MadeMedia("a.mov", bytes: bytes)
  }

  enum Codec: CaseIterable {
    case pcm
    case aac

    var encoder: String { self == .pcm ? "pcm_s16le" : "aac" }
    var entry: String { self == .pcm ? "sowt" : "mp4a" }
  }

  /// Puts the box at the end of the sample entry. The samples lie before the movie box, so no offset changes.
  private static func insert(_ payload: [UInt8], _ entry: String, _ bytes: inout Data) throws {
    let movie = try #require(bytes.range(of: Data("moov".utf8), options: .backwards))
    var (place, headers) = (movie.upperBound, [movie.lowerBound - 4])
    for type in ["trak", "mdia", "minf", "stbl", "stsd", entry] {
      let found = try #require(bytes.range(of: Data(type.utf8), in: place..<bytes.endIndex))
      headers.append(found.lowerBound - 4)
      place = found.upperBound
    }
    func size(_ header: Int) -> Int {
      bytes[header..<header + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let end = try #require(headers.last.map { $0 + size($0) })
    for header in headers {
      let longer = UInt32(size(header) + payload.count + 8)
      let field = withUnsafeBytes(of: longer.bigEndian) { Array($0) }
      bytes.replaceSubrange(header..<header + 4, with: field)
    }
    var box = BoxBuilder()
    box.box("SA3D") { $0.append(payload) }
    bytes.insert(contentsOf: box.bytes, at: end)
  }

  /// The box's payload for first order.
  private func payload(type: UInt8 = 0, ordering: UInt8 = 0, map: [UInt8] = [0, 1, 2, 3]) -> [UInt8]
  {
    [0, type, 0, 0, 0, 1, ordering, 0, 0, 0, 0, UInt8(map.count)] + map.flatMap { [0, 0, 0, $0] }
  }

  private func planes(
    _ media: MadeMedia, _ log: DiagnosticLog, _ options: InputOptions = InputOptions()
  ) throws -> (elements: [Programme.Element], planes: [[Float]]) {
    try withExtendedLifetime(media) {
      let file = try MediaFile(path: media.path, options: options)
      let opener = TrackOpener(file)
      let reader = try opener.open(opener.select(.automatic, log: log), options: options, log: log)
      let block = ProgrammeBlock(reader.programme)
      while try reader.read(into: block) != nil {}
      return (
        reader.programme.elements,
        (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
      )
    }
  }

  private var asked: InputOptions {
    var options = InputOptions()
    options.field = .firstOrder
    return options
  }

  @Test(
    "the box makes a field of the same bits as decoding.field ambix1", .tags(.system),
    arguments: Codec.allCases)
  func theBoxIsAsGoodAsTheOption(codec: Codec) throws {
    let log = DiagnosticLog()
    let stated = try planes(movie(codec, payload()), log)
    let wanted = try planes(movie(codec, nil), DiagnosticLog(), asked)
    #expect(stated.elements == [.scene(order: 1)])
    #expect(stated.planes == wanted.planes)
    #expect(stated.planes.allSatisfy { $0.contains { $0 != 0 } })
    let decision = log.decisions.first { $0.code == .layout }
    #expect(decision?.chose == "ambix1")
    #expect(decision?.why == "the file states a sound field of order 1 (SA3D)")
    #expect(log.degradations.isEmpty)
  }

  /// The RFC's example: of channels W X Y Z, the components W Y Z X are 0, 2, 3 and 1. Only maps that are their own inverse
  /// mean the same in the RFC's other example.
  @Test(
    "the map names the channel of each component, and one that can be read in two ways is reported",
    .tags(.system),
    arguments: [
      ([0, 2, 3, 1], true), ([0, 3, 1, 2], true), ([3, 2, 1, 0], false), ([1, 0, 2, 3], false),
    ]
      as [([UInt8], Bool)])
  func theMapIsApplied(map: [UInt8], isAmbiguous: Bool) throws {
    let log = DiagnosticLog()
    let stated = try planes(movie(.pcm, payload(map: map)), log)
    let stored = try planes(movie(.pcm, nil), DiagnosticLog(), asked).planes
    #expect(stated.elements == [.scene(order: 1)])
    #expect(stated.planes == map.map { stored[Int($0)] })
    #expect(log.degradations.map(\.code) == (isAmbiguous ? [.layoutGuessed] : []))
  }

  @Test("a layout or field that is asked for goes before the box, and before a faulty one")
  func whatIsAskedForWins() throws {
    var quad = InputOptions()
    quad.layout = ChannelLayout(name: "quad")
    for box in [payload(map: [3, 2, 1, 0]), payload(ordering: 1), payload(type: 0x80)] {
      let media = try movie(.pcm, box)
      let bed = try planes(media, DiagnosticLog(), quad)
      #expect(bed.elements == [.bed(try #require(quad.layout))])
      let field = try planes(media, DiagnosticLog(), asked)
      #expect(field.elements == [.scene(order: 1)])
      #expect(field.planes == bed.planes)
    }
  }

  @Test("what the box can't mean is refused by name", .tags(.system))
  func faultyBoxesAreRefused() throws {
    let cases: [([UInt8], String)] = [
      (payload(ordering: 1), "has channel ordering 1, not 0 (ACN)"),
      (payload(type: 1), "has ambisonic type 1, not 0 (periphonic)"),
      (payload(map: [0, 1, 2, 2]), "has a channel map that doesn't name each channel once"),
      (payload(map: [0, 1, 2]), "has 3 channels, but its order has 4"),
      (
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        "has 1 channels, but the track has 4"
      ),
      (payload(type: 0x80, map: [0, 1, 2, 3, 4, 5]), "has 6 channels, but the track has 4"),
    ]
    for (box, text) in cases {
      let error = try movie(.pcm, box).failure()
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains("(SA3D) " + text) == true, "\(error?.message ?? "none")")
      #expect(error?.message.contains("decoding.layout") == true)
    }
  }

  @Test("head-locked stereo beside a field is refused by name")
  func headLockedStereoIsRefused() throws {
    let log = DiagnosticLog()
    let choice = LayoutChoice(
      path: "a.mp4", wanted: nil, wantedField: nil, needsPlaces: true, log: log)
    let box = try SpatialAudioBox(payload: payload(type: 0x80, map: [0, 1, 2, 3, 4, 5]))
    let error = #expect(throws: MediaError.self) {
      try choice.field(channels: 6, stated: .init(order: nil, box: .success(box)))
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("head-locked stereo (SA3D)") == true)
    #expect(log.decisions.isEmpty)
  }
}
