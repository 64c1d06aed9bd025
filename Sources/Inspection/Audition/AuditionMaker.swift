// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import LibAV
import MediaIn
import Platform
import Rendering
import Report
import Signal
import Verify

/// Makes listening pages: finds excerpts, renders each in every way, and brings all ways to one loudness.
package struct AuditionMaker: Sendable {
  /// Rate of all media in Hz: what browsers play without another conversion.
  package static let rate = 48_000
  /// Largest difference between the loudness of two ways, LU.
  package static let tolerance = 0.1

  private let environment: RenderEnvironment

  /// A maker that renders in `environment`.
  package init(_ environment: RenderEnvironment = RenderEnvironment()) {
    self.environment = environment
  }

  /// A page's content with its media.
  package struct Made: Sendable {
    /// Report on the page's content.
    package var report: AuditionReport
    package var media: [AuditionPage.Medium]
  }

  /// Renders all that `request` asks for; `progress` gets a sentence for each step.
  /// - Throws: ``MediaError``: `usage` for excerpts that are silent or behind the end, `verificationFailed` where levels
  ///   don't match, and what rendering throws.
  package func make(
    _ request: AuditionRequest, progress: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> Made {
    try request.check()
    LibAVLog.install()
    let survey = ExcerptSurvey(request: request)
    let search = Task(executorPreference: JobExecutor()) { try survey.places(progress: progress) }
    // A task of its own doesn't hear of it by itself when this one is cancelled.
    let places = try await withTaskCancellationHandler {
      try await search.value
    } onCancel: {
      search.cancel()
    }
    let renderer = WayRenderer(
      request: request, environment: environment, scratch: try ScratchFolder())
    var made = Made(report: head(request), media: [])
    for (index, place) in places.enumerated() {
      progress("rendering excerpt \(index + 1) of \(places.count) in \(request.ways.count) ways")
      try await add(place, id: "e\(index + 1)", renderer, to: &made)
    }
    try AuditionMaker.checkDifferences(&made.report)
    try await addPlaceSounds(renderer, request, progress, to: &made)
    let digests = made.report.excerpts.flatMap { $0.levels.map(\.pcmSHA256) }
    let known = (request.ways.map(\.flags) + digests).joined(separator: "\n")
    made.report.id = String(Digest.sha256(Array(known.utf8)).prefix(16))
    return made
  }

  /// The last part of a path: pages are handed on, and folders are nobody's business.
  private static func fileName(_ path: String) -> String {
    let address = WebAddress(path) != nil
    let name = WebAddress.withoutCredentials(path)
    // The part after the path of an address may be a secret.
    let plain = address ? name.prefix { $0 != "?" && $0 != "#" } : Substring(name)
    return PathParts.of(plain).last ?? name
  }

  /// Refuses ways that sound alike in all excerpts, and notes those that do in some.
  private static func checkDifferences(_ report: inout AuditionReport) throws {
    for (index, way) in report.ways.enumerated() {
      for (place, other) in report.ways[..<index].enumerated() {
        let alike = report.excerpts.filter {
          $0.levels[index].pcmSHA256 == $0.levels[place].pcmSHA256
        }
        let pair = "\(other.label) and \(way.label)"
        guard alike.count < report.excerpts.count else {
          throw MediaError(
            .usage,
            "\(pair) give the same samples, so there is nothing to compare: the input may be virtualised already, or "
              + "have only the channels of the output; leave one of them out")
        }
        report.notes += alike.map { "\($0.id): \(pair) give the same samples" }
      }
    }
  }

  private func head(_ request: AuditionRequest) -> AuditionReport {
    let names = request.inputs.map { AuditionMaker.fileName($0) }
    return AuditionReport(
      id: "", title: request.title ?? names.joined(separator: ", "), pinna: PinnaVersion.text,
      rate: AuditionMaker.rate, inputFlags: request.inputFlags,
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
    let name = AuditionMaker.fileName(renderer.request.inputs[place.input])
    let start = Double(place.start.ticks) / Double(place.start.rate)
    let what = "\(name) from \(Decibels.text(start)) s"
    let matched = try await LevelMatch(raw, renderer: renderer, id: id, what: what).media()
    let seconds = Double(matched.samples) / Double(AuditionMaker.rate)
    guard seconds >= AuditionRequest.lengths.lowerBound else {
      throw MediaError(
        .usage, about: what,
        "has only \(Decibels.text(seconds)) s left in one of its ways; let the excerpt begin earlier"
      )
    }
    made.report.excerpts.append(
      AuditionReport.Excerpt(
        id: id, input: name, reason: place.reason, startSeconds: start, seconds: seconds,
        target: matched.target,
        levels: zip(made.report.ways, matched.levels).map { way, level in
          var level = level
          level.way = way.id
          return level
        }))
    note(raw, matched.samples, name, id, in: &made.report)
    for (index, bytes) in matched.bytes.enumerated() {
      let way = made.report.ways[index].id
      made.media.append(AuditionPage.Medium(key: "\(id)-\(way)", bytes: bytes))
      made.report.ways[index].sha256 = raw[index].setDigest
    }
  }

  /// Notes on an excerpt: those of its renders, conversions, and ways that were longer than the shortest.
  private func note(
    _ raw: [WayRenderer.Rendered], _ samples: Int64, _ name: String, _ id: String,
    in report: inout AuditionReport
  ) {
    for (index, way) in raw.enumerated() {
      var own = way.notes
      let isFile = report.ways[index].endpoint == "file"
      if isFile { report.ways[index].played = AuditionMaker.played(way.format) }
      if !isFile, way.format.rate != AuditionMaker.rate {
        own.append("resampled from \(way.format.rate) Hz to \(AuditionMaker.rate) Hz")
      }
      // A sample or two come from the conversion of rates.
      if way.samples > samples + 2 {
        own.append(
          "\(id) is cut by \(way.samples - samples) samples, to the length of the shortest way")
      }
      for text in own {
        let shared = "\(isFile ? report.ways[index].label : name): \(text)"
        if !report.notes.contains(shared) { report.notes.append(shared) }
      }
    }
  }

  /// How a finished file is played.
  private static func played(_ format: (layout: String, rate: Int)) -> String {
    let changes = [
      format.layout == "stereo" ? nil : "\(format.layout) mixed to stereo",
      format.rate == rate ? nil : "resampled from \(format.rate) Hz",
    ].compactMap { $0 }
    return changes.isEmpty ? "played as it is" : changes.joined(separator: ", ")
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
    let matched = try await LevelMatch(
      raw, renderer: renderer, id: "places", what: "the test sounds"
    ).media()
    made.report.places = sounds.report
    for (number, bytes) in zip(numbers, matched.bytes) {
      made.report.ways[number].hasPlaces = true
      let key = "places-\(made.report.ways[number].id)"
      made.media.append(AuditionPage.Medium(key: key, bytes: bytes))
    }
  }
}
