// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The scene of a selection, for a renderer: the elements of a programme, where their planes get their samples
/// from, and how objects change.
package struct SceneLayout: Sendable {
  /// Planes that are accepted.
  private static let mostPlanes = 1024

  /// Objects, loudspeaker channels and sound fields, in the order of the items.
  package private(set) var elements: [Programme.Element] = []
  /// One for each plane of the elements.
  package private(set) var planes: [ScenePlane] = []
  /// The states of each object, with its plane.
  package private(set) var timelines: [(plane: Int, timeline: ItemTimeline)] = []

  private let rate: Int
  private let states: ItemStates
  private let names: [ElementID: String]

  /// The elements of `selection` for samples at `rate` Hz; `names` of objects are shown to the user.
  /// - Throws: ``ADMError`` of code `limit` for more than 1,024 planes, of code `unsupported` for sound
  ///   fields above the seventh order.
  package init(
    _ selection: Selection, states: ItemStates, names: [ElementID: String], rate: Int
  ) throws(ADMError) {
    self.rate = rate
    self.states = states
    self.names = names
    let count = selection.items.reduce(0) { $0 + $1.channels.count }
    guard count <= SceneLayout.mostPlanes else {
      throw ADMError(
        .limit,
        "\(count) channels would have to be rendered, and at most \(SceneLayout.mostPlanes) are")
    }
    for item in selection.items {
      if item.kind == .hoa { try addField(item) } else { try addObject(item) }
    }
  }

  private mutating func addObject(_ item: RenderingItem) throws(ADMError) {
    guard let channel = item.channels.first else { return }
    let timeline = ItemTimeline(item, states: states, rate: rate)
    elements.append(
      .object(
        name: name(of: item, channel.format), start: timeline.start))
    timelines.append((planes.count, timeline))
    planes.append(ScenePlane(terms: try SampleTerms(channel.samples, rate: rate)))
  }

  private func name(of item: RenderingItem, _ format: AudioChannelFormat) -> String? {
    let name = item.object.flatMap { names[$0] } ?? ""
    if item.kind == .objects, !name.isEmpty { return name }
    return [name, format.name].filter { !$0.isEmpty }.joined(separator: ", ")
  }

  /// Adds a sound field in ACN order, SN3D; components that the file lacks are silent.
  private mutating func addField(_ item: RenderingItem) throws(ADMError) {
    var known: [Int: ScenePlane] = [:]
    var highest = 0
    let scaling = (item.scene.normalization ?? .sn3d).factors
    for channel in item.channels {
      guard let block = channel.format.blocks.first,
        let place = channel.format.details(of: block).scene, let order = place.order,
        let degree = place.degree
      else { continue }
      guard order <= scaling.highestOrder else { throw SceneLayout.refusal(order, scaling) }
      highest = max(highest, order)
      var plane = ScenePlane(terms: try SampleTerms(channel.samples, rate: rate))
      plane.gain = block.gain * item.gain / scaling.factor(order: order, degree: degree)
      let isMuted = item.blockThreshold > 0 && Int(block.importance) < item.blockThreshold
      plane.range = isMuted ? 0..<0 : try range(of: item, block)
      known[order * order + order + degree] = plane
    }
    elements.append(.scene(order: highest))
    let silence = ScenePlane(terms: try SampleTerms(.silence, rate: rate))
    for number in 0..<(highest + 1) * (highest + 1) { planes.append(known[number] ?? silence) }
  }

  private static func refusal(_ order: Int, _ scaling: SceneNormalization) -> ADMError {
    let kind = scaling == .fuMa ? "sound field in FuMa's scaling" : "sound field"
    return ADMError(
      .unsupported,
      "a \(kind) of order \(order) can't be rendered; at most order \(scaling.highestOrder) can")
  }

  /// Samples in which the only block of a sound field's channel sounds.
  private func range(
    of item: RenderingItem, _ block: AudioBlock
  ) throws(ADMError) -> Range<Int64> {
    guard let begin = item.start.adding(block.start) else {
      throw ADMError(.value, "the times of a sound field are too fine to be added exactly")
    }
    let end = block.flags.contains(.hasDuration) ? begin.adding(block.duration) : item.end
    let first = begin.firstSample(at: rate)
    return first..<max(first, end?.firstSample(at: rate) ?? .max)
  }
}

extension SceneDetails.Normalization {
  /// The factors of this scaling (ITU-R BS.2127, 9).
  var factors: SceneNormalization {
    switch self {
    case .sn3d: return .sn3d
    case .n3d: return .n3d
    case .fuMa: return .fuMa
    }
  }
}

/// The source of samples for a plane of the rendered programme.
package struct ScenePlane: Sendable {
  /// The tracks.
  package var terms: SampleTerms
  /// Amplitude of all of them.
  package var gain = 1.0
  /// Samples in which it sounds, on the file's clock; it is silent outside.
  package var range: Range<Int64> = 0..<(.max)

  /// A plane that always sounds.
  package init(terms: SampleTerms) { self.terms = terms }
}

/// A sum of tracks with gains and delays, which is what every ``SampleSource`` comes to.
package struct SampleTerms: Sendable, Equatable {
  /// One addend.
  package struct Term: Sendable, Equatable {
    /// Track of the file, from 0.
    package var track: Int
    /// Amplitude.
    package var gain: Double
    /// Delay in samples, at least 0.
    package var delay: Int
  }

  /// The longest delay that is accepted, in seconds.
  private static let longestDelay = 10.0
  /// Addends of one channel.
  private static let most = 65536

  /// The addends; none is silence.
  package private(set) var terms: [Term] = []

  /// The addends of `source` at `rate` Hz.
  /// - Throws: ``ADMError`` of code `limit` for delays of more than 10 s and more than 65,536 addends.
  package init(_ source: SampleSource, rate: Int) throws(ADMError) {
    try add(source, gain: 1, delay: 0, rate)
  }

  package init(track: Int) { terms = [Term(track: track, gain: 1, delay: 0)] }

  /// The longest delay, in samples.
  package var delay: Int { terms.map(\.delay).max() ?? 0 }

  private mutating func add(
    _ source: SampleSource, gain: Double, delay: Int, _ rate: Int
  ) throws(ADMError) {
    guard delay <= Int(SampleTerms.longestDelay * Double(rate)), terms.count < SampleTerms.most
    else {
      throw ADMError(
        .limit,
        "a matrix delays a channel by more than \(Int(SampleTerms.longestDelay)) s, or has more than "
          + "\(SampleTerms.most) addends")
    }
    switch source {
    case .silence: break
    case .track(let track): terms.append(Term(track: track, gain: gain, delay: delay))
    case .mix(let parts):
      for part in parts {
        let own = (part.delay * Double(rate) / 1000 - 0.5).rounded(.up)
        guard own < Double(Int32.max) else {
          throw ADMError(.limit, "a matrix delays a channel by \(part.delay) ms")
        }
        try add(part.source, gain: gain * part.gain, delay: delay + max(0, Int(own)), rate)
      }
    }
  }
}
