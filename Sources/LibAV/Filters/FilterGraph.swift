// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg

/// A chain of filters of libavfilter, from one input to one output of the same rate and layout.
///
/// The chain runs in one thread. Delays aren't compensated, and what a filter holds back at the end comes out with
/// ``finish(into:)`` only as far as the filter gives it.
package final class FilterGraph {
  /// One filter with its options.
  package struct Filter: Sendable {
    let name: String
    /// Names and values of its options, in their order.
    let options: [(name: String, value: String)]

    package init(name: String, options: [(name: String, value: String)] = []) {
      self.name = name
      self.options = options
    }
  }

  private let library: FilterLibrary
  private let format: AudioFormat
  private var graph: UnsafeMutablePointer<AVFilterGraph>?
  private var source: UnsafeMutablePointer<AVFilterContext>?
  private var sink: UnsafeMutablePointer<AVFilterContext>?
  private var position: Int64 = 0
  /// Conversions of the sample format that the graph added itself, as words.
  package private(set) var conversions: [String] = []

  /// A chain of `filters` for sound of `format`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a layout without a mask, a filter that isn't there, or
  ///   one that needs another rate or other channels, of kind `usage` for options that a filter doesn't take.
  package init(_ filters: [Filter], _ format: AudioFormat, _ library: FilterLibrary) throws {
    self.library = library
    self.format = format
    guard format.layout.mask != 0 else {
      throw MediaError(
        .unsupportedFeature,
        "filters of libavfilter don't take \(format.layout.name), which has no mask")
    }
    graph = library.calls.graph_alloc?()
    guard let graph else { throw LibAVError(code: PINNA_ENOMEM) }
    do {
      graph.pointee.nb_threads = 1
      try build(filters, graph)
    } catch {
      library.calls.graph_free?(&self.graph)
      throw error
    }
  }

  deinit { library.calls.graph_free?(&graph) }

  private func build(_ filters: [Filter], _ graph: UnsafeMutablePointer<AVFilterGraph>) throws {
    let mask = "0x" + String(format.layout.mask, radix: 16)
    let rate = "\(format.sampleRate)"
    let first = Filter(
      name: "abuffer",
      options: [
        ("time_base", "1/" + rate), ("sample_rate", rate), ("sample_fmt", "fltp"),
        ("channel_layout", mask),
      ])
    let last = Filter(
      name: "aformat",
      options: [("sample_fmts", "fltp"), ("sample_rates", rate), ("channel_layouts", mask)])
    let made = try ([first] + filters + [last, Filter(name: "abuffersink")]).map {
      try make($0, graph)
    }
    for (one, next) in zip(made, made.dropFirst()) {
      guard one.pointee.nb_outputs == 1, next.pointee.nb_inputs == 1,
        (library.calls.link?(one, 0, next, 0) ?? PINNA_ENOMEM) >= 0
      else {
        throw MediaError(
          .unsupportedFeature,
          "the filter \(name(of: next)) hasn't one input and one output, so it can't stand in a chain"
        )
      }
    }
    let code = library.calls.graph_config?(graph, nil) ?? PINNA_ENOMEM
    guard code >= 0 else {
      throw MediaError(
        .unsupportedFeature,
        "libavfilter doesn't take \(filters.map(\.name).joined(separator: ",")) for \(format.layout.name) at \(rate) Hz "
          + "(\(LibAVError(code: code)))")
    }
    source = made.first
    sink = made.last
    try checkAdded(graph, known: Set(made))
  }

  private func make(
    _ filter: Filter, _ graph: UnsafeMutablePointer<AVFilterGraph>
  ) throws -> UnsafeMutablePointer<AVFilterContext> {
    guard let kind = library.calls.get_by_name?(filter.name) else {
      throw MediaError(
        .unsupportedFeature, "libavfilter \(library.version) has no filter \(filter.name)")
    }
    guard let made = library.calls.graph_alloc_filter?(graph, kind, nil) else {
      throw LibAVError(code: PINNA_ENOMEM)
    }
    var options: OpaquePointer?
    defer { av_dict_free(&options) }
    for option in filter.options {
      let stored = av_dict_set(&options, option.name, option.value, 0)
      guard stored >= 0 else { throw LibAVError(code: stored) }
    }
    let code = library.calls.init_dict?(made, &options) ?? PINNA_ENOMEM
    guard code >= 0 else {
      let words = filter.options.map { "\($0.name)=\($0.value)" }.joined(separator: ":")
      throw MediaError(
        .usage, "the filter \(filter.name) doesn't take \(words) (\(LibAVError(code: code)))")
    }
    // Options that the filter has taken are no longer in the dictionary.
    let left = av_dict_get(options, "", nil, AV_DICT_IGNORE_SUFFIX)
    if let left {
      throw MediaError(
        .usage, "the filter \(filter.name) has no option \(String(cString: left.pointee.key))")
    }
    return made
  }

  /// A graph adds conversions where neighbours have no common format; one of the rate would change the sound.
  private func checkAdded(
    _ graph: UnsafeMutablePointer<AVFilterGraph>, known: Set<UnsafeMutablePointer<AVFilterContext>>
  ) throws {
    for index in 0..<pinna_filter_count(graph) {
      guard let filter = pinna_filter(graph, index) else { continue }
      guard pinna_changes_rate(filter) == 0 else {
        throw MediaError(
          .unsupportedFeature,
          "the filter \(name(of: filter)) works at another rate than \(format.sampleRate) Hz")
      }
      // A filter for stereo would get a mix of the channels, and its output be spread over them again.
      guard pinna_changes_layout(filter) == 0 else {
        throw MediaError(
          .unsupportedFeature,
          "one of the filters doesn't take \(format.layout.name); put it where the sound has channels that it takes"
        )
      }
      let own = UnsafeMutablePointer(mutating: filter)
      if !known.contains(own) { conversions.append(name(of: filter)) }
    }
  }

  private func name(of filter: UnsafePointer<AVFilterContext>) -> String {
    filter.pointee.filter.flatMap { $0.pointee.name }.map { String(cString: $0) } ?? "unknown"
  }

  /// Sends `input` through and appends what is ready to `output`.
  /// - Throws: ``LibAVError`` when a filter fails.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard input.frames > 0 else { return }
    let frame = try Frame(input, format, at: position)
    position += Int64(input.frames)
    try add(frame)
    try drain(into: output)
  }

  /// Appends what the filters still give to `output`.
  /// - Throws: as ``process(_:into:)``.
  package func finish(into output: AudioBuffer) throws {
    try add(nil)
    try drain(into: output)
  }

  private func add(_ frame: Frame?) throws {
    let code = library.calls.add_frame?(source, frame?.handle) ?? PINNA_ENOMEM
    guard code >= 0 else { throw LibAVError(code: code) }
  }

  private func drain(into output: AudioBuffer) throws {
    let frame = try Frame()
    while true {
      let code = library.calls.get_frame?(sink, frame.handle) ?? PINNA_EOF
      if code == PINNA_EAGAIN || code == PINNA_EOF { return }
      guard code >= 0 else { throw LibAVError(code: code) }
      try frame.append(to: output)
      av_frame_unref(frame.handle)
    }
  }
}

extension Frame {
  /// A frame of planar floats with the samples of `buffer`, the first of which is sample `position`.
  fileprivate convenience init(
    _ buffer: AudioBuffer, _ format: AudioFormat, at position: Int64
  ) throws {
    try self.init()
    guard let handle else { throw LibAVError(code: PINNA_ENOMEM) }
    handle.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
    handle.pointee.sample_rate = Int32(format.sampleRate)
    handle.pointee.nb_samples = Int32(buffer.frames)
    handle.pointee.ch_layout = format.layout.libAV
    handle.pointee.pts = position
    let code = av_frame_get_buffer(handle, 0)
    guard code >= 0 else { throw LibAVError(code: code) }
    for channel in 0..<buffer.channels {
      guard let plane = handle.pointee.extended_data[channel],
        let samples = buffer.channel(channel).baseAddress
      else { continue }
      UnsafeMutableRawPointer(plane).copyMemory(
        from: samples, byteCount: buffer.frames * MemoryLayout<Float>.stride)
    }
  }
}

/// libavfilter, opened when it is first needed.
package struct FilterLibrary: Sendable {
  /// Its functions; they hold no state of their own.
  let calls: pinna_filters

  package static var fileName: String { String(cString: pinna_filters_name()) }

  /// The library; `nil` where it isn't installed, or is of another major version than it was built for.
  package static let current: FilterLibrary? = {
    var calls = pinna_filters()
    guard pinna_open_filters(&calls) != 0 else { return nil }
    return FilterLibrary(calls: calls)
  }()

  /// Its version, e.g. `8.44.100`.
  package var version: String {
    LibraryVersion(packed: calls.version?() ?? 0).description
  }

  /// Whether it has the filter `name`.
  package func has(_ name: String) -> Bool { calls.get_by_name?(name) != nil }
}
