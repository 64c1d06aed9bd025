// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Platform
import Rendering
import Report

/// Renders a stretch of sound in several ways, each to a WAV file of floats at its own level.
struct WayRenderer {
  /// The result of one way.
  struct Rendered {
    /// The WAV file.
    let path: String
    let samples: Int64
    /// Integrated loudness, LUFS; `nil` for silence.
    let integrated: Double?
    /// True peak, dBTP; `nil` for silence.
    let truePeak: Double?
    /// SHA-256 of the HRTF set; `nil` where nothing was virtualised.
    let setDigest: String?
    /// Degradations, as sentences.
    let notes: [String]
    /// Layout of the source, and its rate in Hz.
    let format: (layout: String, rate: Int)
  }

  let request: AuditionRequest
  let environment: RenderEnvironment
  let scratch: ScratchFolder

  /// The excerpt at `place` in all ways, in their order.
  /// - Throws: ``MediaError``.
  func render(_ place: ExcerptSurvey.Place, as id: String) async throws -> [Rendered] {
    var results = [Rendered?](repeating: nil, count: request.ways.count)
    let own = request.ways.indices.filter { request.ways[$0].endpoint != nil }
    let input = clip(.file(request.inputs[place.input]), place)
    for (number, result) in zip(own, try await render(input, own, as: id)) {
      results[number] = result
    }
    for (number, way) in request.ways.enumerated() {
      guard case .file(let path) = way.source else { continue }
      var clip = clip(.file(path), place)
      // Tracks, presentations and layouts are the input's; the file is a finished one.
      clip.decoding = InputOptions()
      clip.decoding.bounds = request.decoding.bounds
      clip.decoding.damage = request.decoding.damage
      results[number] = try await render(clip, [number], as: id).first
    }
    return results.compactMap { $0 }
  }

  /// The test sounds in the ways with these numbers.
  /// - Throws: ``MediaError``.
  func render(_ sounds: PlaceSounds, ways: [Int]) async throws -> [Rendered] {
    let path = scratch.path + "/places.wav"
    try sounds.write(to: path)
    var clip = Clip(.file(path))
    clip.decoding.layout = sounds.layout
    return try await render(clip, ways, as: "places")
  }

  /// Renders `request`.
  /// - Throws: ``MediaError``.
  func run(_ request: RenderRequest) async throws -> RenderReport {
    do throws(RenderFailure) { return try await RenderPipeline(environment).render(request) } catch
    {
      throw error.error
    }
  }

  private func clip(_ input: MediaLocation, _ place: ExcerptSurvey.Place) -> Clip {
    var clip = Clip(input)
    clip.decoding = request.decoding
    let length = MediaTime(ticks: Int64((place.seconds * 1e6).rounded()), rate: 1_000_000)
    clip.range = Clip.Range(start: .clock(place.start), end: .after(.clock(length)))
    return clip
  }

  private func render(_ clip: Clip, _ ways: [Int], as id: String) async throws -> [Rendered] {
    guard !ways.isEmpty else { return [] }
    let paths = ways.map { "\(scratch.path)/\(id)-\($0).wav" }
    let outputs = zip(ways, paths).map { number, path in
      let way = request.ways[number]
      var rendition = Rendition(endpoint(of: way))
      if case .rendition(let own) = way.source {
        rendition = own
        rendition.endpoint = endpoint(of: way)
      }
      rendition.level = nil
      rendition.sampleRate = AuditionMaker.rate
      return OutputRequest(
        .file(path), rendition, container: Container(.wav, OutputCoding(encoding: .float32)))
    }
    let report = try await run(RenderRequest(clips: [clip], outputs: outputs))
    return zip(report.outputs, paths).map { output, path in
      Rendered(
        path: path, samples: output.samples, integrated: output.loudness?.output.integrated,
        truePeak: output.loudness?.output.truePeak, setDigest: output.render?.hrtf?.sha256,
        notes: report.degradations.filter { $0.code != .rangeShort }.map(\.message),
        format: (report.inputs.first?.layout ?? "", report.inputs.first?.rate ?? 0))
    }
  }

  private func endpoint(of way: AuditionWay) -> Endpoint {
    switch way.endpoint {
    case .channels, nil: return .channels(.stereo)
    case let endpoint?: return endpoint
    }
  }
}
