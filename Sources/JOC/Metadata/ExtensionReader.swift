import ObjectMetadata
import Signal

/// Reads what is added to the updates of the object element (`extended_object_element`, TS 103 420).
enum ExtensionReader {
  /// Reads the element into the updates of `frame`.
  static func read(_ bits: inout BitReader, into frame: ObjectFrame) throws(JOCError) {
    if try bits.flag() {
      for object in frame.assignment.firstDynamic..<frame.assignment.count {
        try readDivergence(&bits, frame, frame.row(object))
      }
    }
    guard try bits.flag() else { return }
    for object in frame.assignment.firstDynamic..<frame.assignment.count {
      let row = frame.row(object)
      for block in 0..<frame.blocks.count where row[block].isActive {
        row[block].precision = try precision(&bits)
      }
    }
  }

  private static func readDivergence(
    _ bits: inout BitReader, _ frame: ObjectFrame, _ row: UnsafeMutablePointer<ObjectInfo>
  ) throws(JOCError) {
    for block in 0..<frame.blocks.count {
      row[block].divergence = 0
      guard row[block].isActive, try bits.flag() else { continue }
      switch try bits.read(2) {
      case 0: row[block].divergence = ObjectTables.divergences[try bits.read(2)]
      case 1: row[block].divergence = block > 0 ? row[block - 1].divergence : 0
      // The reserved mode 3 has as many bits as mode 2.
      default: row[block].divergence = ObjectTables.divergenceCodes[try bits.read(6)]
      }
    }
  }

  private static func precision(_ bits: inout BitReader) throws(JOCError) -> ObjectInfo.Axes {
    var steps = ObjectInfo.Axes()
    guard try bits.flag() else { return steps }
    let sent = try bits.read(3)
    if sent & 1 != 0 { steps.x = ObjectTables.fineSteps[try bits.read(2)] }
    if sent & 2 != 0 { steps.y = ObjectTables.fineSteps[try bits.read(2)] }
    if sent & 4 != 0 { steps.z = ObjectTables.fineSteps[try bits.read(2)] }
    return steps
  }
}
