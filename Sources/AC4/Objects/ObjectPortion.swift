import ObjectMetadata
import Signal

/// The metadata of the objects of one list, frame after frame: of a downmix, or of what is decoded from it
/// (`oamd_dyndata_single`, TS 103 190-2, 6.2.8.2).
///
/// A frame that can't be read changes nothing for later ones: only ``commit()`` renews what they depend on.
final class ObjectPortion {
  /// Updates of the frame read last.
  private(set) var timing = ObjectTiming()
  /// The timing that this list sent last; `nil` before the first.
  private(set) var sentTiming: ObjectTiming?

  /// Number of objects, low frequencies first where there are any.
  let count: Int
  /// Objects before this one have a fixed place.
  private let firstDynamic: Int
  private var pendingTiming: ObjectTiming?
  /// What each update says of each object, ``ObjectTiming/mostBlocks`` for an object.
  private let infos: FixedBuffer<ObjectInfo>
  /// What the last update of earlier frames said of each object.
  private let last: FixedBuffer<ObjectInfo>

  /// A list of `objects` full-band objects, of which the first `bed` are channels of a bed.
  init(objects: Int, bed: Int, hasLFE: Bool) {
    let lfe = hasLFE ? 1 : 0
    count = objects + lfe
    firstDynamic = bed + lfe
    infos = FixedBuffer(.defaults, count: count * ObjectTiming.mostBlocks)
    last = FixedBuffer(.defaults, count: count)
  }

  /// What update `block` of the frame read last says of an object.
  func info(_ object: Int, _ block: Int) -> ObjectInfo {
    infos.base[object * ObjectTiming.mostBlocks + block]
  }

  /// Reads the updates of a frame.
  /// - Parameters:
  ///   - sent: the timing that the frame sends for this list; `nil` for none.
  ///   - other: the timing that holds where the frame sends none.
  ///   - isAlternative: whether the presentation is an alternative one.
  /// - Throws: ``AC4Error/needsIFrame(_:)`` where no timing is known.
  func read(
    _ bits: inout BitReader, sent: ObjectTiming?, other: ObjectTiming?, isIFrame: Bool,
    isAlternative: Bool
  ) throws(AC4Error) {
    guard let timing = sent ?? other ?? sentTiming else { throw .needsIFrame("times of objects") }
    self.timing = timing
    pendingTiming = sent
    for object in 0..<count {
      for block in 0..<timing.count { try read(&bits, object, block, isIFrame: isIFrame) }
    }
    if isAlternative {
      try AlternativeObjectData.skip(&bits, objects: count, dynamic: count - firstDynamic)
    }
  }

  /// Makes the state after the frame read last the one that the next frame builds on.
  func commit() {
    if let pendingTiming { sentTiming = pendingTiming }
    guard timing.count > 0 else { return }
    for object in 0..<count { last.base[object] = info(object, timing.count - 1) }
  }

  /// Forgets all earlier frames.
  func reset() {
    (timing, sentTiming, pendingTiming) = (ObjectTiming(), nil, nil)
    last.fill(.defaults)
  }

  private func read(
    _ bits: inout BitReader, _ object: Int, _ block: Int, isIFrame: Bool
  ) throws(AC4Error) {
    let row = infos.base + object * ObjectTiming.mostBlocks
    var info = block > 0 ? row[block - 1] : last.base[object]
    let context = ObjectBlockReader.Context(
      isIndependent: isIFrame && block == 0, isDynamic: object >= firstDynamic,
      neighbourGain: object > 0 ? self.info(object - 1, block).gain : 0)
    try ObjectBlockReader.read(&bits, context, into: &info)
    row[block] = info
  }
}
