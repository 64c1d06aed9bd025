import AudioCore

/// A sound field, and which of its components each channel of a track holds.
struct FieldChannels {
  /// Order, and how components are scaled.
  let field: FieldInput
  /// The component of each channel, by its number in ACN order.
  let components: [Int]

  /// The channels of `field` in the order of its convention.
  init(_ field: FieldInput) {
    self.field = field
    components =
      field.convention == .fuMa
      ? Array(SceneNormalization.furseMalhamOrder.prefix(field.channels))
      : Array(0..<field.channels)
  }

  /// The channels of an AmbiX field of `order` whose component `n`, in ACN order, lies in channel `map[n]`; `nil` unless the map
  /// names each channel once.
  init?(order: Int, map: [Int]) {
    guard let field = FieldInput(order: order), map.sorted() == Array(0..<field.channels) else {
      return nil
    }
    self.field = field
    components = map.indices.sorted { map[$0] < map[$1] }
  }
}
