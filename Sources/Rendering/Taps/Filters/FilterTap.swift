// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// Sends sound through filters of libavfilter.
final class FilterTap: AudioTap {
  private let filters: [FilterGraph.Filter]
  private let library: FilterLibrary
  let latency: Int
  let tail: Int
  private var graph: FilterGraph?

  /// The filters of `request`, whose output begins `latency` samples late and is longer by `tail`.
  init(_ request: FilterRequest, _ library: FilterLibrary, latency: Int, tail: Int) {
    self.library = library
    self.latency = latency
    self.tail = tail
    filters = request.filters.map { filter in
      FilterGraph.Filter(
        name: filter.name,
        options: filter.options.map { ($0.name, $0.value) })
    }
  }

  var contract: TapContract {
    var contract = TapContract()
    contract.blocks = .atMost(1024)
    // Some filters swallow their end, others give more than they get.
    contract.needsSilence = true
    contract.maySoundOn = true
    return contract
  }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    graph = try FilterGraph(filters, format, library)
    return format
  }

  var remarks: [String] {
    (graph?.conversions ?? []).map { "libavfilter converts the samples' format for \($0)" }
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try graph?.process(input, into: output)
  }

  func finish(into output: AudioBuffer) throws { try graph?.finish(into: output) }

  func close(_ end: TapEnd) { graph = nil }
}

/// Taps of filters of libavfilter.
enum FilterFile {
  /// The tap that `request` asks for.
  /// - Throws: ``MediaError`` of kind `usage` for filters or options that may not be used, of kind
  ///   `unsupportedFeature` where libavfilter isn't installed.
  static func load(_ request: FilterRequest, at point: TapPoint) throws -> LoadedTap {
    guard !request.filters.isEmpty else { throw MediaError(.usage, "names no filter") }
    for filter in request.filters { try FilterRule.check(filter) }
    guard let library = FilterLibrary.current else {
      throw MediaError(
        .unsupportedFeature,
        "\(FilterLibrary.fileName) isn't installed, so no filter of it can be used; install FFmpeg's libavfilter"
      )
    }
    let plan = PlannedTap(
      point: point, kind: "avfilter", name: request.text, sha256: nil,
      settings: ["libavfilter \(library.version)"])
    let tempo = try request.tempo()
    guard tempo.isSame else {
      var tap = LoadedTap(
        plan: plan, latency: .measured,
        processing: { _, known in TempoTap(request, library, latency: known.used) })
      tap.tempo = tempo
      return tap
    }
    let delaying = request.filters.filter { FilterRule.named($0.name)?.isDelaying == true }
    let isMixed = !delaying.isEmpty && delaying.count < request.filters.count
    return LoadedTap(
      plan: plan, latency: delaying.isEmpty ? .none : .measured,
      delaying: isMixed ? make(FilterRequest(delaying), library) : nil,
      processing: make(request, library))
  }

  private static func make(_ request: FilterRequest, _ library: FilterLibrary)
    -> LoadedTap.Processing
  {
    { _, known in FilterTap(request, library, latency: known.used, tail: known.tail) }
  }
}

/// Makes sound faster or slower with a filter of libavfilter that keeps its pitch.
///
/// The filter's output lies a constant number of samples early or late, and it holds back its end. Silence in front makes
/// it late in any case, so that a probe can measure by how much; silence after it brings the end out. The host cuts the rest.
final class TempoTap: AudioTap {
  /// Seconds of silence in front.
  static let lead = 0.25
  /// Seconds of silence after the sound.
  private static let trail = 0.5
  /// Samples of a block.
  private static let block = 1024

  private let filters: FilterTap
  private var silence: AudioBuffer?
  private var rate = 0
  private var hasBegun = false
  let latency: Int
  let tail = 0

  /// The filter of `request`, whose output begins `latency` samples late with the silence in front.
  init(_ request: FilterRequest, _ library: FilterLibrary, latency: Int) {
    filters = FilterTap(request, library, latency: latency, tail: 0)
    self.latency = latency
  }

  var contract: TapContract {
    var contract = TapContract()
    contract.blocks = .atMost(TempoTap.block)
    contract.maySoundOn = true
    return contract
  }

  var remarks: [String] { filters.remarks }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    rate = format.sampleRate
    silence = AudioBuffer(channels: format.channels)
    return try filters.prepare(format)
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    if !hasBegun { try rest(TempoTap.lead, into: output) }
    hasBegun = true
    try filters.process(input, into: output)
  }

  func finish(into output: AudioBuffer) throws {
    // Without any sound there is nothing to bring out.
    guard hasBegun else { return }
    try rest(TempoTap.trail, into: output)
    try filters.finish(into: output)
  }

  func close(_ end: TapEnd) { filters.close(end) }

  private func rest(_ seconds: Double, into output: AudioBuffer) throws {
    guard let silence else { return }
    var left = Int((seconds * Double(rate)).rounded())
    while left > 0 {
      silence.removeAll()
      silence.appendSilence(min(left, TempoTap.block))
      try filters.process(silence, into: output)
      left -= silence.frames
    }
  }
}
