// SPDX-License-Identifier: Apache-2.0

/// A description of the sound that a source delivers to the renderer: its sample rate, what its planes
/// hold, and what is known of it.
public struct Programme: Sendable, Hashable, Codable {
  /// Planes that belong together.
  public enum Element: Sendable, Hashable, Codable {
    /// Channels for the loudspeakers of a layout, one plane each, in the layout's order.
    case bed(ChannelLayout)
    /// A sound of its own that may move, in one plane; `start` holds until its first update.
    case object(name: String?, start: ObjectState)
    /// A sound field in spherical harmonics up to `order`, at least 0: (order + 1)² planes in ACN
    /// order, SN3D normalised (ITU-R BS.2076).
    case scene(order: Int)

    /// Number of planes.
    public var planes: Int {
      switch self {
      case .bed(let layout): return layout.count
      case .object: return 1
      case .scene(let order): return (order + 1) * (order + 1)
      }
    }
  }

  /// Samples per second and plane.
  public var sampleRate: Int
  /// Elements that the planes hold, in their order.
  public var elements: [Element]
  /// Facts about the programme besides its samples.
  public var facts: ProgrammeFacts

  /// A programme from its rate (Hz), elements and facts.
  public init(
    sampleRate: Int, elements: [Element], facts: ProgrammeFacts = ProgrammeFacts()
  ) {
    self.sampleRate = sampleRate
    self.elements = elements
    self.facts = facts
  }

  /// A programme of one bed.
  public init(_ format: AudioFormat, facts: ProgrammeFacts = ProgrammeFacts()) {
    self.init(sampleRate: format.sampleRate, elements: [.bed(format.layout)], facts: facts)
  }

  /// Number of planes of all elements.
  public var planes: Int { elements.reduce(0) { $0 + $1.planes } }

  /// Whether a channel of it is for low frequencies only.
  public var hasLFE: Bool { !lfePlanes.isEmpty }

  /// The planes of channels that are for low frequencies only.
  package var lfePlanes: [Int] {
    var (planes, first): ([Int], Int) = ([], 0)
    for element in elements {
      switch element {
      case .bed(let layout):
        planes += layout.speakers.indices.filter { layout.speakers[$0].isLFE }.map { first + $0 }
      case .object(_, let start):
        if case .speaker(let channel) = start.rules.role, channel.isLFE { planes.append(first) }
      case .scene: break
      }
      first += element.planes
    }
    return planes
  }

  /// The format of a programme that is one bed and nothing else; `nil` for any other.
  package var bedFormat: AudioFormat? {
    guard elements.count == 1, case .bed(let layout) = elements[0] else { return nil }
    return AudioFormat(sampleRate: sampleRate, layout: layout)
  }

  /// The format of a programme that is one bed and nothing else.
  /// - Parameter user: who needs plain channels; the error message begins with this name.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for any other programme.
  public func bedFormat(for user: String) throws -> AudioFormat {
    if let bedFormat { return bedFormat }
    throw MediaError(
      .unsupportedFeature,
      "\(user) takes loudspeaker channels only, but the programme holds \(contents); give a version "
        + "of it that is mixed to channels")
  }

  /// Whether the planes hold the same elements in the same order. Names and start states of objects may
  /// differ.
  public func hasSamePlanes(as other: Programme) -> Bool {
    elements.count == other.elements.count
      && zip(elements, other.elements).allSatisfy { one, another in
        switch (one, another) {
        case (.object, .object): return true
        default: return one == another
        }
      }
  }

  /// The elements in words, e.g. `a 5.1 bed and 12 objects`.
  public var contents: String {
    var parts: [String] = []
    var (objects, channels) = (0, 0)
    for element in elements {
      switch element {
      case .bed(let layout): parts.append("\(Programme.article(of: layout)) \(layout) bed")
      case .scene(let order): parts.append("a sound field of order \(order)")
      case .object(_, let start):
        if case .source = start.rules.role { objects += 1 } else { channels += 1 }
      }
    }
    if channels > 0 { parts.append(channels == 1 ? "1 channel" : "\(channels) channels") }
    if objects > 0 { parts.append(objects == 1 ? "1 object" : "\(objects) objects") }
    guard let last = parts.popLast() else { return "nothing" }
    return parts.isEmpty ? last : parts.joined(separator: ", ") + " and " + last
  }

  /// The article before a layout's name: names of loudspeakers are spelt, so that it is "an LFE bed".
  private static func article(of layout: ChannelLayout) -> String {
    layout.name.first.map { "FLSo".contains($0) } == true ? "an" : "a"
  }
}

/// How the spherical harmonics of a scene are normalised, and how FuMa orders its channels.
package enum SceneNormalization: String, Sendable, CaseIterable {
  /// Schmidt's semi-normalisation: no channel exceeds the first one (ITU-R BS.2076-2, 10.1).
  case sn3d
  /// Equal mean power in every channel: SN3D times the root of 2n + 1.
  case n3d
  /// Furse and Malham's factors, order 3 at most.
  case fuMa

  /// Highest order of a sound field that Pinna takes in this normalisation.
  package var highestOrder: Int { self == .fuMa ? 3 : 7 }

  /// Factor that gives a channel of SN3D this normalisation, for `order` n ≤
  /// ``highestOrder`` and `degree` −n…n; dividing by it brings a channel to SN3D.
  package func factor(order: Int, degree: Int) -> Double {
    precondition((0...highestOrder).contains(order) && abs(degree) <= order, "order out of range")
    switch self {
    case .sn3d: return 1
    case .n3d: return Double(2 * order + 1).squareRoot()
    case .fuMa: return SceneNormalization.furseMalham[order][abs(degree)]
    }
  }

  /// The ACN channels of FuMa's channels W X Y Z R S T U V K L M N O P Q.
  package static let furseMalhamOrder = [0, 3, 1, 2, 6, 7, 5, 8, 4, 12, 13, 11, 14, 10, 15, 9]

  /// Factors by order and magnitude of the degree.
  private static let furseMalham: [[Double]] = [
    [(1.0 / 2).squareRoot()], [1, 1], [1, (4.0 / 3).squareRoot(), (4.0 / 3).squareRoot()],
    [1, (45.0 / 32).squareRoot(), (9.0 / 5).squareRoot(), (8.0 / 5).squareRoot()],
  ]
}
