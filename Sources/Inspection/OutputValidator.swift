// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import MediaIn
import Platform
import Rendering
import Report
import Verify

/// Re-opens a file that Pinna or another program wrote and reports its faults: Pinna's own readers
/// check header or boxes, and libav decodes all samples.
public struct OutputValidator: Sendable {
  /// The identifier of EBML's header (RFC 8794, 11.2.1).
  private static let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

  /// Doubts of a reader that say nothing against the file: a track with start-up samples may well be presented from its first
  /// one on, as where the sound begins later than the pictures.
  private static let readersOwn: Set<DegradationCode> = [
    .startUpUncertain, .layoutGuessed, .precision, .unverifiedTool, .otherEndpoint,
  ]

  private let isolate: Bool

  /// A validator; `isolate` also plays each fragment or segment alone.
  public init(isolate: Bool = false) { self.isolate = isolate }

  /// Validates the file, or the playlist of HLS, at `path`.
  /// - Throws: ``MediaError`` when it is missing or another kind of file; what is wrong inside is in
  ///   the report.
  public func validate(path: String) throws -> ValidationReport {
    LibAVLog.install()
    let file = try MediaFile.locate(path)
    let source = file.source
    let head = source.bytes(at: 0, count: 12)
    var report = ValidationReport(
      path: path, format: ContainerKind.fmp4.rawValue, fragments: nil, samples: 0, findings: [])
    var promised: Int64?
    if PlaylistLine.beginsPlaylist(head) {
      return try validatePlaylist(path)
    }
    if WAVHeader.begins(head) {
      promised = checkHeader(source, &report)
    } else if head.count >= 8, head[4..<8].elementsEqual("ftyp".utf8) {
      checkBoxes(source, &report)
      playAlone(source, path, &report)
    } else if head.starts(with: OutputValidator.ebml) {
      let check = MatroskaCheck(source)
      report.format = check.docType.rawValue
      report.findings += check.findings.map {
        .init(code: $0.code.rawValue, path: "byte \($0.offset)", message: $0.message)
      }
    } else {
      report.format = try OutputValidator.format(of: file)
    }
    decode(&report) { _ in MediaInput(file: file) }
    if let promised, promised != report.samples, report.findings.isEmpty {
      report.findings.append(
        .init(
          code: "length", path: "samples",
          message: "the header promises \(promised) samples, \(report.samples) are played"))
    }
    return report
  }

  /// The format of a file whose own checks are those of its reader: sums, counts and lengths that it states.
  /// - Throws: ``MediaError`` for a file of another kind than Pinna writes.
  private static func format(of file: LocalFile) throws -> String {
    let media = try MediaFile(file: file)
    let isOwn = ContainerKind.allCases.contains { $0.traits.token == media.format.token }
    guard isOwn || media.format.token == ContainerTraits.iamf.token else {
      throw MediaError(
        .unsupportedFeature, about: file.path,
        "validate reads what Pinna writes, and \(media.format.name) isn't among that")
    }
    return media.format.token
  }

  private func validatePlaylist(_ path: String) throws -> ValidationReport {
    var check = PlaylistValidator(isolate: isolate)
    try check.check(path)
    var report = ValidationReport(
      path: path, format: ContainerKind.hls.rawValue, fragments: check.segmentCount, samples: 0,
      findings: check.findings)
    // A validated output lies on the disk, all of it.
    var bounds = InputBounds()
    bounds.isOffline = true
    decode(&report) { try MediaInput(path: path, bounds: bounds, log: $0) }
    return report
  }

  /// Paths of the files that the playlist at `path`, and the playlists that it names, name; none where it can't be read.
  package static func filesNamed(by path: String) -> [String] {
    guard let playlist = try? LocalPlaylist(path: path) else { return [] }
    let media = playlist.segments.flatMap { [$0.path] + ($0.map.map { [$0.path] } ?? []) }
    return playlist.playlists + playlist.playlists.flatMap(filesNamed) + media
  }

  /// Plays each fragment of an MP4 file alone.
  private func playAlone(_ source: ByteSource, _ path: String, _ report: inout ValidationReport) {
    guard isolate, let reader = FragmentedMovieReader(source) else { return }
    var ranges: [Range<Int64>] = []
    reader.forEachFragment { fragment in
      ranges.append(fragment.offset..<(fragment.data?.end ?? fragment.box.end))
      return true
    }
    // An index that follows the movie is that of all fragments.
    let header = 0..<reader.movie.end
    for (index, range) in ranges.enumerated() {
      let place = "moof[\(index + 1)]"
      do {
        let file = try MediaFile.locate(path)
        if let fault = try IsolatedSegment([(file, header), (file, range)]).fault {
          report.findings.append(.init(code: "isolate", path: place, message: fault))
        }
      } catch {
        let sentence = (error as? MediaError)?.message ?? "\(error)"
        report.findings.append(.init(code: "isolate", path: place, message: sentence))
      }
    }
  }

  private func checkHeader(_ source: ByteSource, _ report: inout ValidationReport) -> Int64? {
    report.format = ContainerKind.wav.rawValue
    do {
      let header = try WAVHeader(size: source.size) { source.bytes(at: $0, count: $1) }
      if header.form != "RIFF" { report.format = header.form.lowercased() }
      return header.frames
    } catch {
      let words = (error as? WAVHeader.Fault)?.words ?? "\(error)"
      report.findings.append(.init(code: "header", path: "header", message: words))
      return nil
    }
  }

  private func checkBoxes(_ source: ByteSource, _ report: inout ValidationReport) {
    let findings: [MovieFinding]
    if let reader = ProgressiveMovieReader(source), !reader.isFragmented {
      report.format = ContainerKind.mp4.rawValue
      findings = ProgressiveMovieCheck(source).findings
    } else {
      let check = FragmentedMovieCheck(source)
      report.fragments = check.fragmentCount
      findings = check.findings
    }
    report.findings += findings.map {
      .init(code: $0.code.rawValue, path: $0.path, message: $0.message)
    }
  }

  /// Plays all samples of the default track; what can't be opened or played is a finding.
  private func decode(
    _ report: inout ValidationReport, open: (DiagnosticLog) throws -> MediaInput
  ) {
    let log = DiagnosticLog()
    do {
      let source = try TrackSource(input: try open(log), decoding: InputOptions(), log: log)
      try source.forEachBlock { report.samples += Int64($0.frames) }
    } catch {
      let sentence = (error as? MediaError)?.message ?? "\(error)"
      report.findings.append(.init(code: "unreadable", path: "samples", message: sentence))
    }
    let faults = log.degradations.filter { !OutputValidator.readersOwn.contains($0.code) }
    report.findings += faults.map {
      .init(code: $0.code.rawValue, path: "samples", message: $0.message)
    }
  }
}
