// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ADM

@Suite struct ContainerTests {
  private func read(_ bytes: [UInt8]) throws -> (WaveFile, [ADMFinding]) {
    let findings = FindingLog()
    return (try WaveFile(WAVFile.source(bytes), findings: findings), findings.findings)
  }

  private func refusal(_ bytes: [UInt8]) -> ADMError? {
    #expect(throws: ADMError.self) { try read(bytes) }
  }

  private let samples = WAVFile.chunk("data", [UInt8](repeating: 1, count: 8))

  @Test("chunks with the format last are read in their order without findings")
  func chunksStandInAnyOrder() throws {
    let (file, findings) = try read(
      WAVFile.file([samples, WAVFile.chunk("axml", [1, 2, 3]), WAVFile.format()]))
    #expect(file.chunks.map(\.id) == ["data", "axml", "fmt "])
    #expect(file.chunk("axml") == WaveChunk(id: "axml", offset: 36, size: 3))
    #expect(file.frames == 2)
    #expect(findings.isEmpty)
  }

  @Test("RF64 and BW64 take open sizes of data and axml from ds64", arguments: ["RF64", "BW64"])
  func longFilesStateSizesElsewhere(form: String) throws {
    let open = WAVFile.chunk("data", [UInt8](repeating: 1, count: 8), size: .max)
    let text = WAVFile.chunk("axml", [1, 2], size: .max)
    let sizes = WAVFile.longSizes(data: 8, table: [("axml", 2)])
    let (file, findings) = try read(
      WAVFile.file([sizes, WAVFile.format(), open, text], form: form))
    #expect(file.data.size == 8)
    #expect(file.chunk("axml")?.size == 2)
    #expect(findings.isEmpty)
  }

  /// A size in the header counts, whatever stands in `ds64`.
  @Test("a data size in the chunk's header counts more than that in ds64")
  func sizesInHeadersCount() throws {
    let sizes = WAVFile.longSizes(data: 1000)
    let (file, _) = try read(WAVFile.file([sizes, WAVFile.format(), samples], form: "RF64"))
    #expect(file.data.size == 8)
  }

  @Test(
    "samples of an open size reach to the end of the file, and that is reported",
    arguments: ["RIFF", "RF64"])
  func openSamplesReachToTheEnd(form: String) throws {
    let open = WAVFile.chunk("data", [UInt8](repeating: 1, count: 8), size: .max)
    let head = form == "RF64" ? [WAVFile.longSizes(data: 0)] : []
    let (file, findings) = try read(WAVFile.file(head + [WAVFile.format(), open], form: form))
    #expect(file.data.size == 8)
    #expect(findings.map(\.code) == [.container])
  }

  @Test("a missing pad byte is reported, and the next chunk is read")
  func aMissingPadByteIsMadeGood() throws {
    let odd = WAVFile.chunk("data", [1, 2, 3, 4, 5], isPadded: false)
    let (file, findings) = try read(
      WAVFile.file([WAVFile.format(channels: 1, bits: 8), odd, WAVFile.chunk("axml", [1, 2])]))
    #expect(file.chunk("axml")?.size == 2)
    #expect(findings.map(\.message) == ["the pad byte after a chunk of odd size is missing"])
  }

  @Test("cut samples are read and reported, and an axml beyond the file's end is refused")
  func cutSamplesAreReportedAndCutMetadataAreRefused() throws {
    let cut = WAVFile.chunk("data", [1, 2, 3, 4, 5, 6], size: 800)
    let (file, findings) = try read(WAVFile.file([WAVFile.format(), cut]))
    #expect(file.data.size == 6)
    #expect(file.frames == 1)
    #expect(findings.count == 2)
    let lie = WAVFile.chunk("axml", [1, 2], size: 0xFFFF_FFF0)
    #expect(refusal(WAVFile.file([WAVFile.format(), lie]))?.message.contains("4294967280") == true)
  }

  @Test(
    "files without RIFF, format or samples or with impossible formats are refused",
    arguments: [
      [], Array("RIFF".utf8), Array("RIFX\0\0\0\0WAVE".utf8), WAVFile.file([]),
      WAVFile.file([WAVFile.format()]), WAVFile.file([WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(channels: 0), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(rate: 0), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(tag: 2), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(tag: 3, bits: 16), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(bits: 128), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.format(frame: 3), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.chunk("fmt ", [1, 0, 2, 0]), WAVFile.chunk("data", [])]),
      WAVFile.file([WAVFile.chunk("ds64", [1, 2, 3])], form: "RF64"),
      WAVFile.file([[UInt8]](repeating: WAVFile.chunk("LIST", []), count: 5000)),
    ] as [[UInt8]])
  func whatIsNoSoundFileIsRefused(bytes: [UInt8]) {
    _ = refusal(bytes)
  }

  @Test("rows of chna give tracks, UIDs, formats and packs, and an empty row gives none")
  func rowsBecomeTracks() throws {
    let findings = FindingLog()
    let payload = WAVFile.channelTable(
      tracks: 2,
      [
        WAVFile.row(1, "ATU_00000001", "AT_00031001_01", "AP_00031001"),
        WAVFile.row(2, "atu_0000000a", "AC_00010001", ""), WAVFile.row(0, "", "", ""),
      ])
    let table = try ChannelTable(payload, channels: 2, findings: findings)
    #expect(table.rows.map(\.track) == [0, 1])
    #expect(table.rows.map(\.uid.text) == ["ATU_00000001", "ATU_0000000A"])
    #expect(table.rows.map(\.format?.text) == ["AT_00031001_01", "AC_00010001"])
    #expect(table.rows.map(\.pack?.text) == ["AP_00031001", nil])
    #expect(findings.findings.isEmpty)
  }

  @Test("a wrong number of tracks in chna is reported")
  func aWrongNumberOfTracksIsReported() throws {
    let findings = FindingLog()
    let payload = WAVFile.channelTable(tracks: 9, [WAVFile.row(1, "ATU_00000001", "", "")])
    _ = try ChannelTable(payload, channels: 2, findings: findings)
    #expect(findings.findings.map(\.code) == [.channelTable])
  }

  @Test(
    "chna rows with a wrong track, UID or format and cut tables are refused",
    arguments: [
      ([], 2), ([1, 0, 9, 0], 2),
      (WAVFile.channelTable(tracks: 1, [WAVFile.row(0, "ATU_00000001", "", "")]), 2),
      (WAVFile.channelTable(tracks: 1, [WAVFile.row(3, "ATU_00000001", "", "")]), 2),
      (WAVFile.channelTable(tracks: 1, [WAVFile.row(1, "", "AT_1", "")]), 2),
      (WAVFile.channelTable(tracks: 1, [WAVFile.row(1, "ATU_00000000", "", "")]), 2),
      (WAVFile.channelTable(tracks: 1, [WAVFile.row(1, "ATU 1", "", "")]), 2),
    ] as [([UInt8], Int)])
  func badRowsAreRefused(payload: [UInt8], channels: Int) {
    #expect(throws: ADMError.self) {
      try ChannelTable(payload, channels: channels, findings: FindingLog())
    }
  }

  /// Every cut of a file ends in a result or in a refusal.
  @Test("a BW64 file cut at any byte is read or refused, and none traps")
  func truncationNeverTraps() {
    let table = WAVFile.channelTable(tracks: 1, [WAVFile.row(1, "ATU_00000001", "", "")])
    let whole = WAVFile.file(
      [
        WAVFile.longSizes(data: 8, table: [("axml", 4)]), WAVFile.format(),
        WAVFile.chunk("chna", table), samples, WAVFile.chunk("axml", Array("<a/>".utf8)),
        WAVFile.chunk("dbmd", [6, 0, 0, 1, 9, 2, 0, 1, 1, 252, 0]),
      ], form: "BW64")
    var refusals = 0
    for count in 0...whole.count {
      let source = WAVFile.source(Array(whole[..<count]))
      if (try? ADMContainer(source, findings: FindingLog())) == nil { refusals += 1 }
    }
    #expect(refusals > 100 && refusals < whole.count)
  }

  /// A file that can't be read further than this says so, instead of giving less.
  @Test("a file whose last bytes can't be read is refused")
  func shortReadsAreRefused() throws {
    let whole = WAVFile.file([WAVFile.format(), samples, WAVFile.chunk("axml", Array("<a/>".utf8))])
    let source = FileBytes(size: Int64(whole.count)) { offset, count in
      Array(whole[Int(offset)..<min(whole.count - 2, Int(offset) + count)])
    }
    #expect(throws: ADMError.self) { try ADMContainer(source, findings: FindingLog()) }
  }
}
