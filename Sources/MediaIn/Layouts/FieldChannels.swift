import AudioCore
import ISOBMFF

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
