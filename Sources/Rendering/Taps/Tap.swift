import AudioCore

/// Processing of the user's own at one point of an output's chain.
public struct Tap: Sendable, Hashable, Codable {
  /// What it does.
  public enum Work: Sendable, Hashable, Codable {
    /// An equaliser from a text file of AutoEq or Equalizer APO.
    case equalizer(path: String)
    /// A convolution with the impulse responses of a sound file.
    case impulse(ImpulseRequest)
    /// A program that the sound is sent through.
    case program(ProgramRequest)
    /// Filters of libavfilter, of those that may be used.
    case filters(FilterRequest)
    /// An LV2 plugin.
    case plugin(PluginRequest)
    /// A look at the samples that are written, at ``TapPoint/output`` only.
    case analysis(AnalysisRequest)
    /// Code of the caller's own.
    case own(OwnTap)
  }

  /// How the delay of a program, of filters or of a plugin is known.
  public enum Latency: Sendable, Hashable, Codable {
    /// What it states is used and checked by a test signal; where it states none or a wrong one, what the signal shows.
    case automatic
    /// What it states is used, whatever a test signal shows.
    case report
    /// What a test signal shows is used; a run without such a sign fails.
    case measure
    /// So many samples; whatever the tap states or does, for example because its purpose is a delay.
    case samples(Int)
  }

  /// Where it sits.
  public var point: TapPoint
  /// What it does.
  public var work: Work
  /// How its delay is known, where it isn't Pinna's or the caller's own.
  public var latency = Latency.automatic

  /// A tap at `point`.
  public init(_ point: TapPoint, _ work: Work) {
    self.point = point
    self.work = work
  }

  /// A tap of the caller's own that changes sound.
  /// - Parameters:
  ///   - point: where it sits; not `output`.
  ///   - identity: what reports and caches know it by. Another processing needs another identity.
  ///   - make: makes one tap; called once for each output, at `item` for each item, and once more to try it.
  public init(
    _ point: TapPoint, _ identity: String,
    make: @escaping @Sendable (TapContext) throws -> any AudioTap
  ) {
    self.init(point, .own(OwnTap(identity, .processes(make))))
  }

  /// A tap at ``TapPoint/output`` that only looks at the samples that are written.
  /// - Parameters:
  ///   - identity: what reports know it by.
  ///   - make: makes one observer; called once for each output.
  public static func observing(
    _ identity: String, make: @escaping @Sendable (TapContext) throws -> any AudioObserver
  ) -> Tap {
    Tap(.output, .own(OwnTap(identity, .observes(make))))
  }
}

extension Tap.Work {
  /// The file that it is made of; `nil` where there is none.
  var path: String? {
    switch self {
    case .equalizer(let path): return path
    case .impulse(let request): return request.path
    case .plugin(let request): return request.statePath
    case .program, .filters, .analysis, .own: return nil
    }
  }

  /// The same from the file at `path`.
  func renamed(_ path: String) -> Tap.Work {
    switch self {
    case .equalizer: return .equalizer(path: path)
    case .impulse(var request):
      request.path = path
      return .impulse(request)
    case .plugin(var request):
      request.statePath = path
      return .plugin(request)
    case .program, .filters, .analysis, .own: return self
    }
  }
}

/// Impulse responses to convolve with.
public struct ImpulseRequest: Sendable, Hashable, Codable {
  /// Which sample of the responses counts as their beginning, so that it stays where the input's sample is.
  public enum Alignment: String, Sendable, Hashable, Codable, CaseIterable {
    /// The largest one: what a filter of linear phase delays is removed.
    case peak
    /// The first one.
    case start
  }

  /// The sound file: one channel for all, one for each, or four for stereo (left to left, left to right, right to
  /// left, right to right).
  public var path: String
  /// What counts as the beginning.
  public var alignment: Alignment

  /// The responses in the file at `path`.
  public init(path: String, alignment: Alignment = .peak) {
    self.path = path
    self.alignment = alignment
  }
}
