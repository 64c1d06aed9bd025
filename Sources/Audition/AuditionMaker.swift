import AudioCore
import Essentials
import LibAV
import Platform
import Rendering
import Report
import Verify

/// Makes listening pages: finds excerpts, renders each in every way, and brings all ways to one loudness.
public struct AuditionMaker: Sendable {
  /// Rate of all media in Hz: what browsers play without another conversion.
  public static let rate = 48_000
  /// Largest difference between the loudness of two ways, LU.
  public static let tolerance = 0.1

  private let environment: RenderEnvironment

  /// A maker that renders in `environment`.
  public init(_ environment: RenderEnvironment = RenderEnvironment()) {
    self.environment = environment
  }

  /// A page's content with its media.
  public struct Made: Sendable {
    /// What the page plays.
    public var report: AuditionReport
    /// The media.
    package var media: [AuditionPage.Medium]
  }

  /// Renders all that `request` asks for; `progress` gets a sentence for each step.
  /// - Throws: ``MediaError``: `usage` for excerpts that are silent or behind the end, `verificationFailed` where levels
  ///   don't match, and what rendering throws.
  public func make(
    _ request: AuditionRequest, progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> Made {
    try request.check()
    LibAVLog.install()
    let survey = ExcerptSurvey(request: request)
    let places = try await Task(executorPreference: JobExecutor()) {
      try survey.places(progress: progress)
    }.value
    let renderer = WayRenderer(
      request: request, environment: environment, scratch: try ScratchFolder())
    var made = Made(report: head(request), media: [])
    for (index, place) in places.enumerated() {
      progress("rendering excerpt \(index + 1) of \(places.count) in \(request.ways.count) ways")
      try await add(place, id: "e\(index + 1)", renderer, to: &made)
    }
    try await addPlaceSounds(renderer, request, progress, to: &made)
    let digests = made.report.excerpts.flatMap { $0.levels.map(\.pcmSHA256) }
    let known = (request.ways.map(\.flags) + digests).joined(separator: "\n")
    made.report.id = String(PCMDigest.of(Array(known.utf8)).prefix(16))
    return made
  }

  /// The last part of a path: pages are handed on, and folders are nobody's business.
  private static func fileName(_ path: String) -> String {
    let name = MediaLocation.file(path).name
    return name.split(separator: "/").last.map(String.init) ?? name
  }

  private func head(_ request: AuditionRequest) -> AuditionReport {
    let names = request.inputs.map { AuditionMaker.fileName($0) }
    return AuditionReport(
      id: "", title: request.title ?? names.joined(separator: ", "), pinna: PinnaVersion.text,
      rate: AuditionMaker.rate,
      ways: request.ways.enumerated().map { index, way in
        AuditionReport.Way(
          id: "w\(index + 1)", label: way.label, flags: way.flags,
          endpoint: way.endpoint?.kind.rawValue ?? "file")
      }, excerpts: [])
  }

  private func add(
    _ place: ExcerptSurvey.Place, id: String, _ renderer: WayRenderer, to made: inout Made
  ) async throws {
    let raw = try await renderer.render(place, as: id)
    let matched = try await LevelMatch(raw, renderer: renderer, id: id).media()
    made.report.excerpts.append(
      AuditionReport.Excerpt(
        id: id, input: AuditionMaker.fileName(renderer.request.inputs[place.input]),
        reason: place.reason, startSeconds: place.startSeconds,
        seconds: Double(raw.map(\.samples).max() ?? 0) / Double(AuditionMaker.rate),
        target: matched.target,
        levels: zip(made.report.ways, matched.levels).map { way, level in
          var level = level
          level.way = way.id
          return level
        }))
    for (index, bytes) in matched.bytes.enumerated() {
      let way = made.report.ways[index].id
      made.media.append(AuditionPage.Medium(key: "\(id)-\(way)", bytes: bytes))
      made.report.ways[index].sha256 = raw[index].setDigest
    }
    for note in raw.flatMap(\.notes) where !made.report.notes.contains(note) {
      made.report.notes.append(note)
    }
  }

  /// Test sounds are made for the ways that virtualise for headphones, where there are two or more.
  private func addPlaceSounds(
    _ renderer: WayRenderer, _ request: AuditionRequest,
    _ progress: (String) -> Void, to made: inout Made
  ) async throws {
    let numbers = request.ways.indices.filter {
      guard case .headphones(let listener) = request.ways[$0].endpoint else { return false }
      return listener.hrtf != nil
    }
    guard numbers.count > 1 else { return }
    progress("rendering test sounds in \(numbers.count) ways")
    let sounds = PlaceSounds(hasSevenPlaces: numbers.contains { request.ways[$0].hasSevenPlaces })
    let raw = try await renderer.render(sounds, ways: numbers)
    let matched = try await LevelMatch(raw, renderer: renderer, id: "places").media()
    made.report.places = sounds.report
    for (number, bytes) in zip(numbers, matched.bytes) {
      made.report.ways[number].hasPlaces = true
      let key = "places-\(made.report.ways[number].id)"
      made.media.append(AuditionPage.Medium(key: key, bytes: bytes))
    }
  }
}
