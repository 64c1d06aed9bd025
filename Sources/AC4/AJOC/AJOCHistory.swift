import Signal

/// What the values of a frame may be coded as differences to: those of each object's last data point.
final class AJOCHistory {
  /// What is known of an object.
  enum Known: Equatable {
    /// Nothing.
    case nothing
    /// All of its values were 0: it was absent.
    case absent
    /// Values in these bands, in this resolution.
    case values(bandCode: Int, isCoarse: Bool)
  }

  /// What is known of each object.
  let known: FixedBuffer<Known>
  private let values: FixedBuffer<UInt8>
  private let rows: Int

  /// An empty history.
  init(inputs: Int, objects: Int) {
    rows = AJOCFrame.rows(inputs)
    known = FixedBuffer(.nothing, count: objects)
    values = FixedBuffer(0, count: objects * rows * AJOCFrame.mostBands)
  }

  /// The last values of a row of an object.
  func row(_ object: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
    values.base + (object * rows + row) * AJOCFrame.mostBands
  }

  /// Takes over all of `other`, a history of the same size.
  func copy(_ other: AJOCHistory) {
    known.base.update(from: other.known.base, count: known.count)
    values.base.update(from: other.values.base, count: values.count)
  }

  /// Forgets everything.
  func reset() { known.fill(.nothing) }
}
