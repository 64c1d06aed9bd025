// SPDX-License-Identifier: Apache-2.0
import Foundation
import Inspection
import Rendering
import TestSupport
import Testing

/// Every codec in every container comes back at offset 0.
@Suite(.tags(.system), .fullRunOnly) struct CodecTableTests {
  @Test(
    "each codec in each container decodes to sample 0 with the length of the table",
    arguments: CodecTable.rows)
  func comesBackAtOffsetZero(row: CodecRow) async throws {
    let folder = try TemporaryFolder()
    let planes = ImpulseSignal.planes(bits: row.bits)
    let source = folder.file("source.wav")
    try WAVBytes.pcm16(planes, rate: 48_000).write(to: folder.url("source.wav"))
    let file = try encode(row, source, folder)

    var job = RenderJob(
      input: .file(file),
      outputs: [.init(endpoint: .none, location: .file(folder.file("out.wav")))])
    job.loudness = nil
    job.encoding = .float32
    let report = try await RenderPipeline().render(job)
    let decoded = try Decoded(folder.file("out.wav"))

    let timeline = try #require(report.timeline)
    let sources = row.priming.split(separator: " or ").map(String.init)
    #expect(sources.contains(timeline.priming.source.rawValue))
    for burst in ImpulseSignal.bursts {
      for channel in 0..<2 {
        let lag = ImpulseSignal.lag(
          of: decoded.planes[channel], against: planes[channel], burst: burst)
        #expect(lag.samples == 0, "burst at \(burst), channel \(channel)")
        #expect(lag.correlation > 0.8)
      }
    }
    switch row.end {
    case .exact:
      let wanted = planes.map { $0.map { Float($0) * 0x1p-15 } }
      #expect(decoded.planes[0].count == ImpulseSignal.frames)
      #expect(decoded.planes == wanted, "lossless codecs are bit-exact")
    case .signalled:
      #expect(decoded.planes[0].count == ImpulseSignal.frames)
      #expect(timeline.paddingSource != .unknown)
    case .counted(let samples):
      #expect(decoded.planes[0].count == samples)
    case .edited:
      let (count, tick) = try editedLength(file)
      #expect((decoded.planes[0].count - count).magnitude <= tick)
    case .unknown:
      #expect(decoded.planes[0].count >= ImpulseSignal.frames)
      #expect(timeline.paddingSource == .unknown)
    }
    #expect(timeline.gaps.isEmpty)
    // A length that headers state is exact, or isn't reported.
    let probed = try #require(try MediaProber().probe(path: file).track)
    #expect(probed.samples == nil || probed.samples == Int64(decoded.planes[0].count))
    #expect(["unknown", timeline.paddingSource.rawValue].contains(probed.paddingSource))
    // Of these the headers alone state the end.
    if ["mp3", "opus"].contains(URL(fileURLWithPath: file).pathExtension) {
      #expect(probed.paddingSource == timeline.paddingSource.rawValue)
    }
    #expect(report.degradations.allSatisfy { $0.code == .precision }, "\(report.degradations)")
  }

  /// Length of the only edit of an MP4 file, and a tick of its clock, in samples at 48 kHz; read from the bytes of
  /// `mvhd` and `elst` of version 0 (ISO/IEC 14496-12, 8.2.2 and 8.6.6).
  private func editedLength(_ file: String) throws -> (samples: Int, tick: Int) {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    func field(_ type: String, _ offset: Int) throws -> Int {
      let place = try #require(data.firstRange(of: Array(type.utf8)))
      return data[(place.upperBound + offset)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }
    let tick = 48_000 / (try field("mvhd", 12))
    return (try field("elst", 8) * tick, tick)
  }

  private func encode(_ row: CodecRow, _ source: String, _ folder: TemporaryFolder) throws -> String
  {
    let names = ["fmp4": "mp4", "adts": "aac", "rf64": "wav", "thd": "thd"]
    let file = folder.file("coded." + (names[row.container] ?? row.container))
    try FixtureStore.ffmpeg(["-i", source, "-c:a", row.codec] + row.arguments + [file])
    return file
  }
}
