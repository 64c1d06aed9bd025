// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Effects
import MediaIn
import Platform
import Signal
import Spatial
import Verify

/// Reads what taps need before anything is decoded: the one place that lists their kinds.
struct TapLoader {
  /// Starts programs.
  let launcher: ProgramLauncher
  let log: DiagnosticLog
  /// Bounds that their files have to keep to.
  var bounds = InputBounds()

  /// The taps of an output, ready to be made, in the order in which the sound passes them; `asker` is who asks for them,
  /// by default the request.
  /// - Throws: ``MediaError`` naming the tap that can't be used.
  func load(_ taps: [Tap], askedBy asker: String? = nil) throws -> [LoadedTap] {
    let order = TapPoint.allCases
    let loaded = try order.flatMap { point in
      try taps.filter { $0.point == point }.map(load)
    }
    for tap in loaded {
      log.decide(
        .tap, "\(tap.plan.point.rawValue):\(tap.plan.kind) \(tap.plan.name)",
        why: (["asked for by \(asker ?? "\(setting: .taps)")"] + tap.notes).joined(separator: "; "))
    }
    return loaded
  }

  private func load(_ tap: Tap) throws -> LoadedTap {
    // A state is read by the plugin's own process.
    if case .plugin(let request) = tap.work, let path = request.statePath { try bounds.admit(path) }
    let loaded: LoadedTap
    switch tap.work {
    case .equalizer(let path): loaded = try EqualizerFile.load(path, bounds, at: tap.point)
    case .impulse(let request): loaded = try ImpulseFile.load(request, bounds, at: tap.point)
    case .program(let request):
      loaded = try ProgramFile(launcher: launcher).load(request, at: tap.point)
    case .filters(let request): loaded = try FilterFile.load(request, at: tap.point)
    case .plugin(let request): loaded = try PluginFile.load(request, at: tap.point)
    case .analysis(let request):
      loaded = try AnalysisObserver.load(request, at: tap.point)
    case .own(let own): loaded = try TapLoader.load(own, at: tap.point)
    }
    try TapLoader.check(loaded)
    var followed = loaded.following(tap.latency)
    followed.origin = tap
    return followed
  }

  private static func load(_ own: OwnTap, at point: TapPoint) throws -> LoadedTap {
    let plan = PlannedTap(
      point: point, kind: "own", name: own.identity, sha256: nil, settings: [])
    guard let make = own.make else {
      throw MediaError(
        .usage, about: plan.title, "was read from JSON, which holds no code; add the tap anew")
    }
    switch make {
    case .processes(let make):
      return LoadedTap(
        plan: plan, latency: .declared, processing: { context, _ in try make(context) })
    case .observes(let make):
      return LoadedTap(plan: plan, observing: { context, _ in try make(context) })
    }
  }

  /// A change of the sound after the meter would make its figures false.
  private static func check(_ tap: LoadedTap) throws {
    let isLast = tap.plan.point == .output
    guard tap.processing == nil || !isLast else {
      throw MediaError(
        .usage, about: tap.plan.title,
        "would change samples that are measured already; put it at item, programme or post")
    }
    guard tap.observing == nil || isLast else {
      throw MediaError(
        .usage, about: tap.plan.title, "only looks at what is written; put it at output")
    }
  }
}

/// A small file that a tap is made of.
struct TapFile {
  let path: String
  let bytes: [UInt8]
  let sha256: String

  /// Reads all of the file at `path`, which keeps to `bounds`.
  /// - Throws: ``MediaError`` when it isn't there, can't be read, or is larger than `limit` bytes.
  init(path: String, limit: Int, _ bounds: InputBounds) throws {
    let file = try bounds.open(path)
    guard file.size <= Int64(limit) else {
      throw MediaError(
        .usage, about: path,
        "has \(file.size) bytes, more than the \(limit) that a tap reads; give a smaller file")
    }
    self.path = path
    bytes = file.bytes(at: 0, count: Int(file.size))
    sha256 = Digest.sha256(bytes)
  }

  /// Its name without folders.
  var name: String { PathParts.split(path).name }

  /// Its text: UTF-16 where it begins with that mark, else UTF-8.
  var text: String {
    if let wide = WideText(bytes), !wide.isAssumed {
      return String(decoding: wide.utf8, as: UTF8.self)
    }
    return String(decoding: bytes.withoutByteOrderMark, as: UTF8.self)
  }
}

/// Taps that equalise by a text file.
enum EqualizerFile {
  /// Taps of a curve's response at 48 kHz.
  private static let curveTaps = 8192

  /// The tap of the file at `path`, which keeps to `bounds`.
  /// - Throws: ``MediaError`` when it can't be read, or holds no equaliser.
  static func load(
    _ path: String, _ bounds: InputBounds, at point: TapPoint
  ) throws -> LoadedTap {
    let file = try TapFile(path: path, limit: EqualizerText.largest, bounds)
    let equalizer = try EqualizerText.read(file.text, name: path)
    let plan = PlannedTap(
      point: point, kind: "eq", name: file.name, sha256: file.sha256,
      settings: equalizer.parts.map(\.summary))
    return LoadedTap(
      plan: plan, notes: equalizer.notes,
      processing: { _, _ in EqualizerTap(equalizer, curves: filter) })
  }

  /// The filter that applies the curves of each channel; `nil` where there are none.
  private static func filter(
    _ format: AudioFormat, _ curves: [[GraphicCurve]]
  ) throws -> (any AudioStage)? {
    guard curves.contains(where: { !$0.isEmpty }) else { return nil }
    let rate = Double(format.sampleRate)
    let taps = max(64, Int(Double(curveTaps) * rate / 48_000))
    let responses = curves.map { curves in
      MinimumPhaseResponse.taps(taps, rate: rate) { frequency in
        curves.reduce(0) { $0 + $1.gain(at: frequency) }
      }
    }
    return ImpulseFilter(.each(responses), beginning: 0)
  }
}

/// Taps that convolve with the impulse responses of a sound file.
enum ImpulseFile {
  /// Largest file, in bytes.
  private static let largest = 64 << 20

  /// The tap that `request` asks for, whose file keeps to `bounds`.
  /// - Throws: ``MediaError`` when the file can't be read, or holds no responses.
  static func load(
    _ request: ImpulseRequest, _ bounds: InputBounds, at point: TapPoint
  ) throws -> LoadedTap {
    let file = try TapFile(path: request.path, limit: largest, bounds)
    let log = DiagnosticLog()
    let sound = try SoundPlanes(
      path: request.path, bounds, limit: ImpulseFilter.mostTaps, log)
    let (planes, rate) = (sound.planes, sound.rate)
    guard planes.joined().allSatisfy(\.isFinite), planes.joined().contains(where: { $0 != 0 })
    else {
      throw MediaError(
        .usage, about: request.path,
        "holds no impulse response; give one that isn't silent")
    }
    let plan = PlannedTap(
      point: point, kind: "fir", name: file.name, sha256: file.sha256,
      settings: [
        "\(planes.count) response(s) of \(planes[0].count) samples at \(rate) Hz",
        "align=\(request.alignment.rawValue)",
      ])
    return LoadedTap(
      plan: plan, notes: log.degradations.map(\.message),
      processing: { context, _ in
        try filter(
          planes, rate: rate, alignment: request.alignment, context.format, name: request.path)
      })
  }

  private static func filter(
    _ planes: [[Float]], rate: Int, alignment: ImpulseRequest.Alignment, _ format: AudioFormat,
    name: String
  ) throws -> any AudioTap {
    let conversion = try ResponseRate(from: rate, to: format.sampleRate)
    let longest = planes.map { conversion.frames($0.count) }.max() ?? 1
    guard longest <= ImpulseFilter.mostTaps else {
      throw MediaError(
        .usage, about: name,
        "has \(longest) samples at \(format.sampleRate) Hz, more than \(ImpulseFilter.mostTaps); cut it"
      )
    }
    let responses = planes.map(conversion.converted).map {
      $0 + [Double](repeating: 0, count: longest - $0.count)
    }
    let beginning = alignment == .start ? 0 : peak(responses)
    switch (responses.count, format.channels) {
    case (1, let channels):
      return ImpulseFilter(
        .each([[Double]](repeating: responses[0], count: channels)), beginning: beginning)
    case (4, 2):
      return ImpulseFilter(
        .crossed(left: [responses[0], responses[2]], right: [responses[1], responses[3]]),
        beginning: beginning)
    case (let count, let channels) where count == channels:
      return ImpulseFilter(.each(responses), beginning: beginning)
    default:
      throw MediaError(
        .usage, about: name,
        "has \(responses.count) channels, and the sound has \(format.channels) there; give 1, or as many, or 4 for stereo"
      )
    }
  }

  /// Index of the largest sample of all.
  private static func peak(_ responses: [[Double]]) -> Int {
    var (best, place) = (0.0, 0)
    for response in responses {
      for (index, value) in response.enumerated() where value.magnitude > best {
        (best, place) = (value.magnitude, index)
      }
    }
    return place
  }
}
