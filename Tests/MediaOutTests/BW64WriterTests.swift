// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaOut

@Suite struct BW64WriterTests {
  private static func settings(
    _ tracks: Int, _ encoding: SampleEncoding = .pcm24, rate: Int = 48000
  ) -> SoundSettings {
    SoundSettings(
      format: AudioFormat(sampleRate: rate, layout: ChannelLayout(unnamed: tracks)),
      coding: OutputCoding(.pcm, encoding: encoding), frames: 0)
  }

  /// The file that `planes` become, in blocks of `size` samples.
  private func written(
    _ planes: [[Float]], _ settings: SoundSettings, leading: [WAVChunk] = [],
    trailing: [WAVChunk] = [], size: Int = 777, over old: [UInt8] = []
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = folder.file("out.wav")
    try Data(old).write(to: URL(fileURLWithPath: path))
    let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    let writer = try BW64Writer(
      descriptor: descriptor, name: path, settings: settings, leading: leading)
    for start in stride(from: 0, to: planes[0].count, by: size) {
      let part = start..<min(planes[0].count, start + size)
      let buffer = AudioBuffer(channels: planes.count)
      buffer.grow(by: part.count)
      for (index, plane) in planes.enumerated() {
        for (frame, value) in plane[part].enumerated() { buffer.channel(index)[frame] = value }
      }
      try writer.write(buffer)
    }
    writer.trailing = trailing
    try writer.close()
    #expect(writer.frames == Int64(planes[0].count))
    return try withExtendedLifetime(folder) {
      Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  private func bytes(_ file: [UInt8]) -> FileBytes {
    FileBytes(size: Int64(file.count)) { Array(file[Int($0)..<Int($0) + $1]) }
  }

  private func noise(_ tracks: Int, _ frames: Int) -> [[Float]] {
    var noise = SeededNoise(seed: 3)
    return (0..<tracks).map { _ in
      noise.samples(frames, peak: 0.9).map { ($0 * 32_768).rounded() / 32_768 }
    }
  }

  @Test("samples of a BW64 file read back", arguments: SampleEncoding.allCases, [1, 3, 130])
  func samplesComeBack(encoding: SampleEncoding, tracks: Int) throws {
    let planes = noise(tracks, 1001)
    let chunks = [WAVChunk(id: "abcd", bytes: [1, 2, 3]), WAVChunk(id: "efgh", bytes: [4, 5])]
    let file = try written(
      planes, Self.settings(tracks, encoding), leading: [chunks[0]], trailing: [chunks[1]],
      over: [UInt8](repeating: 7, count: 1_000_000))
    let findings = FindingLog()
    let wave = try WaveFile(bytes(file), findings: findings)
    #expect(findings.findings.isEmpty)
    #expect(wave.chunks.map(\.id) == ["JUNK", "fmt ", "abcd", "data", "efgh"])
    #expect(wave.frames == 1001)
    for (chunk, found) in [(chunks[0], wave.chunks[2]), (chunks[1], wave.chunks[4])] {
      #expect(Array(file[Int(found.offset)..<Int(found.offset + found.size)]) == chunk.bytes)
    }
    // The sizes end exactly at the file's end.
    let last = wave.chunks[4]
    #expect(Int(last.offset + last.size) == file.count)
    #expect(file[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } == file.count - 8)
    for (track, plane) in planes.enumerated() {
      for (frame, value) in plane.enumerated() {
        let place = Int(wave.data.offset) + (frame * tracks + track) * encoding.bytes
        let field = file[place..<place + encoding.bytes].reversed()
        let raw = field.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let got: Float
        switch encoding {
        case .pcm16: got = Float(Int16(truncatingIfNeeded: raw)) / 32_768
        case .pcm24: got = Float(Int32(bitPattern: raw << 8)) / 2_147_483_648
        case .float32: got = Float(bitPattern: raw)
        }
        guard got == value else {
          Issue.record("track \(track), sample \(frame): \(got), not \(value)")
          return
        }
      }
    }
  }

  /// An outside reader, which knows nothing of the other chunks, gets the same samples.
  @Test("ffmpeg reads the samples of a BW64 file") func anOutsideProgramReadsIt() throws {
    let planes = noise(2, 500)
    let file = try written(
      planes, Self.settings(2, .pcm16), leading: [WAVChunk(id: "chna", bytes: [0, 0, 0, 0])],
      trailing: [WAVChunk(id: "axml", bytes: Array("<x/>".utf8))])
    let folder = try TemporaryFolder()
    let path = folder.file("in.wav")
    try Data(file).write(to: URL(fileURLWithPath: path))
    let result = try withExtendedLifetime(folder) {
      try Tool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
    }
    let wave = try WaveFile(bytes(file), findings: FindingLog())
    let data = file[Int(wave.data.offset)..<Int(wave.data.offset + wave.data.size)]
    #expect(Array(result.output) == Array(data))
  }

  /// Sizes beyond 32 bits stand in `ds64`; the file's middle isn't made.
  @Test("a file of over 4 GiB is BW64 and a shorter one RIFF, with equal headers and axml in place")
  func longFilesHaveLongSizes() throws {
    let chunk = WAVChunk(id: "axml", bytes: Array("<x></x>".utf8))
    let header = BW64Header(tracks: 128, sampleRate: 48_000, encoding: .pcm24, leading: [])
    let frame = Int64(128 * 3)
    for (frames, isLong) in [(11_184_809, false), (11_184_811, true), (40_000_000, true)] {
      let data = Int64(frames) * frame
      let head = header.bytes(data: data, trailing: Int64(chunk.stored.count))
      #expect(head.count == header.bytes(data: 0, trailing: 0).count)
      #expect(Array(head[..<4]) == Array((isLong ? "BW64" : "RIFF").utf8), "\(frames)")
      let end = Int64(head.count) + data
      let file = FileBytes(size: end + Int64(chunk.stored.count)) { offset, count in
        (offset..<offset + Int64(count)).map { place in
          if place < head.count { return head[Int(place)] }
          return place < end ? 0 : chunk.stored[Int(place - end)]
        }
      }
      let findings = FindingLog()
      let wave = try WaveFile(file, findings: findings)
      #expect(findings.findings.isEmpty)
      #expect(wave.frames == Int64(frames))
      #expect(wave.chunk("axml")?.offset == end + 8)
    }
  }

  /// Metadata and samples as one file, read by the package's own reader.
  @Test("a bed and an object come back from a BW64 file on their tracks")
  func aProgrammeComesBack() throws {
    let states = [(0, -30.0), (100, 30)].map { start, azimuth in
      WrittenBlock(
        start: Int64(start), ramp: 64,
        state: ObjectState(position: .polar(Direction(azimuth: azimuth), distance: 1)))
    }
    let metadata = try ADMWriter(
      WrittenProgramme(
        name: "Test", sampleRate: 48000, length: 999, bitDepth: 24,
        elements: [.bed(name: "Bed", .stereo), .object(name: "Voice", states)]))
    let file = try written(
      noise(3, 999), Self.settings(3),
      leading: [WAVChunk(id: "chna", bytes: metadata.channelTable.bytes)],
      trailing: [WAVChunk(id: "axml", bytes: metadata.document)])
    let findings = FindingLog()
    let container = try ADMContainer(bytes(file), findings: findings)
    #expect(container.channels == metadata.channelTable)
    let document = try DocumentParser.parse(try #require(container.document), findings: findings)
    let selection = try Selection(document, container.channels, channels: 3, findings: findings)
    #expect(selection.items.map { $0.channels[0].samples } == [.track(0), .track(1), .track(2)])
    #expect(selection.items[2].channels[0].format.blocks.count == 3)
    #expect(findings.findings.isEmpty, "\(findings.findings.map(\.message))")
  }

  /// Readers of other programs take decimal times; each block must begin at its sample in both.
  @Test(
    "the EBU ADM Renderer opens a BW64 file and finds every block at its sample",
    .tags(.system), .fullRunOnly,
    .enabled(if: TestPython.hasRenderer, "make setup-test installs the EBU ADM Renderer"),
    arguments: [48_000, 44_100, 22_051])
  func theReferenceRendererReadsTheTimes(rate: Int) throws {
    let starts: [Int64] = [0, 1, 7, 100, 441, 997]
    let blocks = starts.map {
      WrittenBlock(
        start: $0,
        state: ObjectState(position: .polar(Direction(azimuth: Double($0 % 90)), distance: 1)))
    }
    let metadata = try ADMWriter(
      WrittenProgramme(
        name: "Times", sampleRate: rate, length: 1001, bitDepth: 24,
        elements: [.object(name: "Voice", blocks)]))
    let file = try written(
      noise(1, 1001), Self.settings(1, rate: rate),
      leading: [WAVChunk(id: "chna", bytes: metadata.channelTable.bytes)],
      trailing: [WAVChunk(id: "axml", bytes: metadata.document)])
    let folder = try TemporaryFolder()
    try Data(file).write(to: folder.url("a.wav"))
    let script = TestPython.root + "/Tests/Tools/ear_times.py"
    let read = try Tool.run(TestPython.renderer, [script, folder.file("a.wav")])
    try #require(read.status == 0, "\(read.errors)")
    let found = try JSONDecoder().decode([[[[Int64]]]].self, from: read.output)
    try #require(found.count == 1 && found[0].count == starts.count)
    for (index, block) in found[0].enumerated() {
      let ends =
        Double(block[0][0]) / Double(block[0][1]) + Double(block[1][0]) / Double(block[1][1])
      let begin = Double(block[0][0]) / Double(block[0][1]) * Double(rate)
      #expect(Int64(begin.rounded()) == starts[index])
      let end = index + 1 < starts.count ? starts[index + 1] : 1001
      #expect(Int64((ends * Double(rate)).rounded()) == end)
    }
    // The package's own reader takes the first sample that isn't earlier.
    let findings = FindingLog()
    let container = try ADMContainer(bytes(file), findings: findings)
    let document = try DocumentParser.parse(try #require(container.document), findings: findings)
    let selection = try Selection(document, container.channels, channels: 1, findings: findings)
    let own = selection.items[0].channels[0].format.blocks.map { $0.start.firstSample(at: rate) }
    #expect(own == starts)
  }

  @Test("BW64 refuses figures beyond its fields") func whatTheFormatCannotStateIsRefused() {
    for settings in [Self.settings(0), Self.settings(30_000), Self.settings(1, rate: 0)] {
      let error = #expect(throws: MediaError.self) {
        try BW64Writer(descriptor: -1, name: "x", settings: settings)
      }
      #expect(error?.kind == .unsupportedFeature)
    }
    let error = #expect(throws: MediaError.self) {
      try BW64Writer(descriptor: -1, name: "x", settings: Self.settings(1)).close()
    }
    #expect(error?.kind == .outputUnwritable)
  }
}
