// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF

/// A sound field in spherical harmonics whose file doesn't say so: its order, and how its channels are ordered and
/// scaled.
public struct FieldInput: Sendable, Hashable, Codable, CustomStringConvertible {
  /// How channels are ordered and scaled.
  public enum Convention: Sendable, Hashable, CaseIterable {
    /// ACN order, SN3D: AmbiX, and what ITU-R BS.2076 takes for granted.
    case ambix
    /// ACN order, N3D.
    case ambixN3D
    /// Furse and Malham's order and factors, for orders 1 to 3: W X Y Z R S T U V K L M N O P Q.
    case fuMa

    /// The orders that it is defined for.
    var orders: ClosedRange<Int> {
      self == .fuMa ? 1...normalization.highestOrder : 0...normalization.highestOrder
    }

    /// The factors.
    var normalization: SceneNormalization {
      switch self {
      case .ambix: return .sn3d
      case .ambixN3D: return .n3d
      case .fuMa: return .fuMa
      }
    }
  }

  /// The first order in ACN and SN3D.
  public static let firstOrder = FieldInput(known: 1, .ambix)

  /// The order, 0…7.
  public let order: Int
  /// How channels are ordered and scaled.
  public let convention: Convention

  private init(known order: Int, _ convention: Convention) {
    (self.order, self.convention) = (order, convention)
  }

  /// A sound field of `order`: 0…7, in FuMa 1…3; `nil` for any other.
  public init?(order: Int, convention: Convention = .ambix) {
    guard convention.orders.contains(order) else { return nil }
    self.order = order
    self.convention = convention
  }

  /// The sound field of this name, in any letter case: `ambix0` to `ambix7`, `ambix0-n3d` to
  /// `ambix7-n3d`, `fuma1` to `fuma3`; `nil` for any other text.
  public init?(name: String) {
    let wanted = name.lowercased()
    let known = Convention.allCases.lazy.flatMap { convention in
      convention.orders.compactMap { FieldInput(order: $0, convention: convention) }
    }
    guard let match = known.first(where: { $0.name == wanted }) else { return nil }
    self = match
  }

  /// Reads a sound field from its name.
  /// - Throws: `DecodingError` when none has this name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let field = FieldInput(name: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no sound field")
    }
    self = field
  }

  /// Writes the sound field's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Number of channels, (order + 1)².
  public var channels: Int { (order + 1) * (order + 1) }

  /// Its name, e.g. `ambix3`, `ambix3-n3d` or `fuma3`.
  public var name: String {
    switch convention {
    case .ambix: return "ambix\(order)"
    case .ambixN3D: return "ambix\(order)-n3d"
    case .fuMa: return "fuma\(order)"
    }
  }

  /// Same as ``name``.
  public var description: String { name }
}

/// A sound field, and which of its components each channel of a track holds.
struct FieldChannels {
  /// Order, and how components are scaled.
  let field: FieldInput
  /// The component of each channel, by its number in ACN order; left and right that are locked to the head have the numbers after these.
  let components: [Int]

  /// Whether two channels are no component, but locked to the head.
  var hasHeadLockedStereo: Bool { components.count > field.channels }

  /// The channels of `field` in the order of its convention.
  init(_ field: FieldInput) {
    self.field = field
    components =
      field.convention == .fuMa
      ? Array(SceneNormalization.furseMalhamOrder.prefix(field.channels))
      : Array(0..<field.channels)
  }

  /// The channels of an AmbiX field, alone or with two that are locked to the head, as a box of MP4 states them; `nil` for an order
  /// that isn't known.
  init?(_ box: SpatialAudioBox) {
    guard let field = FieldInput(order: box.order) else { return nil }
    self.field = field
    let map = box.channelMap
    // The RFC's example of W X Y Z gives each component's channel, but its example of head-locked stereo each channel's
    // component; tracks of either kind are read as the example of their kind.
    components =
      box.hasHeadLockedStereo ? map : map.indices.sorted { map[$0] < map[$1] }
  }
}

/// Brings the channels of a sound field to the planes of a programme: ACN order, SN3D (ITU-R BS.2076-2, 10.1).
struct FieldPlanes {
  /// The order of the planes.
  private let swaps: PlaneSwaps
  /// Factor of each plane once it is in its place.
  private let gains: [Float]

  /// Exchanges and gains for the channels of a sound field.
  init(_ channels: FieldChannels) {
    let field = channels.field
    let normalization = field.convention.normalization
    gains = (0...field.order).flatMap { order in
      (-order...order).map { Float(1 / normalization.factor(order: order, degree: $0)) }
    }
    let held = channels.components
    swaps = PlaneSwaps(held.indices.compactMap { held.firstIndex(of: $0) })
  }

  /// Brings the frames of `buffer` from `start` on to ACN order and SN3D.
  func arrange(_ buffer: AudioBuffer, from start: Int) {
    let count = buffer.frames - start
    swaps.apply(to: buffer, from: start)
    for (plane, gain) in gains.enumerated() where gain != 1 {
      guard let samples = buffer.channel(plane).baseAddress else { continue }
      for index in start..<start + count { samples[index] *= gain }
    }
  }
}

/// Brings planes into another order by exchanging pairs of them.
struct PlaneSwaps {
  /// Planes that change places, one pair after the other.
  private var pairs: [(Int, Int)] = []

  /// Exchanges that bring plane `sources[i]` to place `i`; `sources` holds each number below its count once.
  init(_ sources: [Int]) {
    var held = Array(sources.indices)
    for place in sources.indices {
      guard let other = held[place...].firstIndex(of: sources[place]), other != place else {
        continue
      }
      pairs.append((place, other))
      held.swapAt(place, other)
    }
  }

  /// Exchanges that bring the channels of `order` into mask order.
  init(_ order: ChannelOrder) {
    self.init(order.layout.speakers.compactMap(order.speakers.firstIndex))
  }

  /// Whether all planes stay where they are.
  var isEmpty: Bool { pairs.isEmpty }

  /// Exchanges the planes of the frames of `buffer` from `start` on.
  func apply(to buffer: AudioBuffer, from start: Int) {
    for (one, other) in pairs {
      guard let first = buffer.channel(one).baseAddress,
        let second = buffer.channel(other).baseAddress
      else { continue }
      for index in start..<buffer.frames {
        (first[index], second[index]) = (second[index], first[index])
      }
    }
  }
}
