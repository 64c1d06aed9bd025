import AudioCore
import MediaIn
import Signal
import Spatial

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
      make: .processes { context, _ in
        try filter(
          planes, rate: rate, alignment: request.alignment, context.format, name: request.path)
      })
  }

  private static func filter(
    _ planes: [[Float]], rate: Int, alignment: ImpulseRequest.Alignment, _ format: AudioFormat,
    name: String
  ) throws -> any AudioTap {
    let converted = try planes.map {
      try ResponseRate.converted($0, from: rate, to: format.sampleRate)
    }
    let longest = converted.map(\.count).max() ?? 1
    guard longest <= ImpulseFilter.mostTaps else {
      throw MediaError(
        .usage, about: name,
        "has \(longest) samples at \(format.sampleRate) Hz, more than \(ImpulseFilter.mostTaps); cut it"
      )
    }
    let responses = converted.map { $0 + [Double](repeating: 0, count: longest - $0.count) }
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
