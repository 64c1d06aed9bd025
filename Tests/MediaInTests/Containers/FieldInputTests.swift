// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Sound fields that nothing but an option, or the decoder, says to be one.
@Suite struct FieldInputTests {
  /// Samples of one channel: its number first, then a row that no other channel has.
  private func row(_ channel: Int) -> [Float] {
    (0..<300).map { $0 == 0 ? Float(channel + 1) / 64 : Float(($0 * (channel + 3)) % 97) / 128 }
  }

  private func wav(_ channels: Int, mask: UInt32? = nil) throws -> MadeMedia {
    try MadeMedia(
      "a.wav",
      bytes: WAVBytes.float32((0..<channels).map(row), rate: 48_000, mask: mask))
  }

  private func options(_ field: String) throws -> InputOptions {
    var options = InputOptions()
    let known: FieldInput = try #require(FieldInput(name: field))
    options.field = known
    return options
  }

  private func open(
    _ media: MadeMedia, _ options: InputOptions, _ log: DiagnosticLog = DiagnosticLog()
  ) throws -> any TrackReader {
    try withExtendedLifetime(media) {
      let file = try MediaFile(path: media.path, options: options)
      let opener = TrackOpener(file)
      return try opener.open(opener.select(.automatic, log: log), options: options, log: log)
    }
  }

  private func planes(_ reader: any TrackReader) throws -> [[Float]] {
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    return (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
  }

  @Test(
    "decoding.field ambix0 to ambix7 gives a scene whose planes are the file's channels",
    arguments: 0...7)
  func ambixPlanesAreTheChannels(order: Int) throws {
    let log = DiagnosticLog()
    let media = try wav((order + 1) * (order + 1))
    let reader = try open(media, options("ambix\(order)"), log)
    #expect(reader.programme.elements == [.scene(order: order)])
    #expect(reader.programme.sampleRate == 48_000)
    let planes = try planes(reader)
    #expect(planes == (0..<planes.count).map(row))
    #expect(log.decisions.contains { $0.code == .layout && $0.chose == "ambix\(order)" })
    #expect(log.degradations.isEmpty)
  }

  @Test("N3D channels of order l are divided by the root of 2l + 1", arguments: 0...7)
  func n3dIsDividedByTheRootOfItsPower(order: Int) throws {
    let media = try wav((order + 1) * (order + 1))
    let planes = try planes(open(media, options("ambix\(order)-n3d")))
    for (channel, samples) in planes.enumerated() {
      let power = 2 * Double(channel).squareRoot().rounded(.down) + 1
      let gain = Float(1 / power.squareRoot())
      #expect(samples == row(channel).map { $0 * gain }, "channel \(channel)")
    }
  }

  /// The channels and weights that Furse and Malham publish, written out for each ACN channel.
  @Test(
    "FuMa channels of orders 1 to 3 are sorted and scaled as published, within 1e-6",
    arguments: 1...3)
  func fuMaIsSortedAndScaled(order: Int) throws {
    let letters = Array("WXYZRSTUVKLMNOPQ")
    let sorted: [(letter: Character, square: Double)] = [
      ("W", 2), ("Y", 1), ("Z", 1), ("X", 1), ("V", 3.0 / 4), ("T", 3.0 / 4), ("R", 1),
      ("S", 3.0 / 4), ("U", 3.0 / 4), ("Q", 5.0 / 8), ("O", 5.0 / 9), ("M", 32.0 / 45), ("K", 1),
      ("L", 32.0 / 45), ("N", 5.0 / 9), ("P", 5.0 / 8),
    ]
    let media = try wav((order + 1) * (order + 1))
    let planes = try planes(open(media, options("fuma\(order)")))
    for (samples, wanted) in zip(planes, sorted) {
      let source = row(try #require(letters.firstIndex(of: wanted.letter)))
      for (sample, stored) in zip(samples, source) {
        let expected = Double(stored) * wanted.square.squareRoot()
        #expect((Double(sample) - expected).magnitude < 1e-6, "\(wanted.letter)")
      }
    }
    #expect(planes.count == (order + 1) * (order + 1))
  }

  @Test("a file with a channel mask becomes a scene with decoding.field ambix1")
  func aMaskDoesNotStandInTheWay() throws {
    let reader = try open(try wav(4, mask: 0x33), options("ambix1"))
    #expect(reader.programme.elements == [.scene(order: 1)])
  }

  /// A plain file has no objects that asking for its channels would leave aside.
  @Test("a plain file of four channels has no objects, with and without a layout or field")
  func plainChannelsLeaveNoObjectsAside() throws {
    var quad = InputOptions()
    quad.layout = ChannelLayout(name: "quad")
    for options in [InputOptions(), quad, try options("ambix1")] {
      #expect(try open(try wav(4, mask: 0x33), options).programme.facts.objects == .no)
    }
  }

  @Test("skipping samples of a FuMa field changes no later ones")
  func skippedSamplesChangeNoOthers() throws {
    let rows = (0..<4).map { channel in
      (0..<1_000_000).map { (index: Int) -> Float in Float(index * (channel + 3) % 97) / 128 }
    }
    let media = try MadeMedia("a.wav", bytes: WAVBytes.float32(rows, rate: 48_000))
    let all = try planes(open(media, options("fuma1")))
    let reader = try open(media, options("fuma1"))
    let first = ProgrammeBlock(reader.programme)
    _ = try reader.read(into: first)
    let skipped = Int(try reader.skip(800_000))
    #expect(skipped > 0)
    let rest = try planes(reader)
    for plane in 0..<4 {
      #expect(all[plane].dropFirst(first.frames + skipped).elementsEqual(rest[plane]))
    }
  }

  @Test("decoding.field ambix3 for a file of 4 channels is a usage error with both numbers")
  func anotherNumberOfChannelsIsRefused() throws {
    let error = try wav(4).failure(options("ambix3"))
    #expect(error?.kind == .usage)
    #expect(error?.message.hasPrefix("decoding.field ambix3: has 16 channels but ") == true)
    #expect(error?.message.hasSuffix("a.wav has 4") == true)
  }

  @Test("decoding.layout together with decoding.field is a usage error")
  func aTrackIsNotBothLayoutAndField() throws {
    var both = try options("ambix1")
    both.layout = ChannelLayout(name: "quad")
    let error = try wav(4).failure(both)
    #expect(error?.kind == .usage)
    #expect(error?.message.contains("decoding.layout and decoding.field") == true)
  }

  /// Opus with four channels, whose mapping family is changed from 255 (none) to `family`.
  private func opus(family: UInt8) throws -> MadeMedia {
    let folder = try TemporaryFolder()
    let noise = "aevalsrc=0.3*random(0)|0.2*sin(900*t)|0.1*random(1)|0.2*sin(70*t):d=1:s=48000"
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", noise, "-c:a", "libopus", "-b:a", "256k", "-mapping_family", "255"]
        + ["-write_crc32", "0", folder.file("a.mka")])
    var bytes = try Data(contentsOf: folder.url("a.mka"))
    let head = try #require(bytes.range(of: Data("OpusHead".utf8)))
    bytes[head.lowerBound + 18] = family
    return try MadeMedia("a.mka", bytes: bytes)
  }

  @Test("a sound field stated by the file is taken") func theFilesWordIsTaken() throws {
    let log = DiagnosticLog()
    let reader = try open(opus(family: 2), InputOptions(), log)
    #expect(reader.programme.elements == [.scene(order: 1)])
    let decision = log.decisions.first { $0.code == .layout }
    #expect(decision?.chose == "ambix1")
    #expect(decision?.why == "the file states a sound field of order 1")
    #expect(log.degradations.isEmpty)
    let stated = try planes(reader)
    #expect(stated.first?.contains { $0 != 0 } == true)
    let asked = try planes(open(opus(family: 255), options("ambix1")))
    #expect(stated == asked)
    var quad = InputOptions()
    quad.layout = ChannelLayout(name: "quad")
    #expect(try open(opus(family: 2), quad).programme.bedFormat(for: "it").layout.name == "quad")
  }

  @Test(
    "an unknown name is no sound field",
    arguments: [
      "ambix8", "ambix", "ambix-1", "ambix03", "fuma0", "fuma4", "ambix3-fuma", "5.1", "",
    ])
  func otherNamesAreNone(name: String) {
    #expect(FieldInput(name: name) == nil)
  }

  @Test("every field name is read back, in capitals and from JSON, and unknown orders are refused")
  func namesAreReadBack() throws {
    for convention in FieldInput.Convention.allCases {
      for order in 0...7 {
        guard let field = FieldInput(order: order, convention: convention) else {
          #expect(convention == .fuMa && !(1...3).contains(order))
          continue
        }
        #expect(FieldInput(name: field.name.uppercased()) == field)
        let coded = try JSONEncoder().encode([field])
        #expect(String(decoding: coded, as: UTF8.self) == "[\"\(field.name)\"]")
        #expect(try JSONDecoder().decode([FieldInput].self, from: coded) == [field])
      }
    }
    #expect(FieldInput(order: 8) == nil)
    #expect(FieldInput(order: 4, convention: .fuMa) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([FieldInput].self, from: Data("[\"fuma4\"]".utf8))
    }
  }
}
