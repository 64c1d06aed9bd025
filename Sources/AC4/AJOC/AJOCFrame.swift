// SPDX-License-Identifier: Apache-2.0
import Signal

/// The control data of joint object coding of one frame (`ajoc`, TS 103 190-2, 6.2.7): how objects are mixed of the downmix
/// and of decorrelated sound.
final class AJOCFrame {
  /// Most parameter bands.
  static let mostBands = 23
  static let mostDecorrelators = 7
  /// Most data points of a frame.
  static let mostPoints = 2

  /// When the values of a data point begin to be reached, and how long that takes.
  struct Point {
    /// QMF slot behind which the ramp begins.
    var start = 0
    /// Slots of the ramp, 1…64.
    var length = 1
  }

  /// The form that an object's values share.
  struct Object {
    /// Whether it is made of anything in this frame.
    var isPresent = false
    /// Place of the number of parameter bands in `AJOCTables.bandCounts`.
    var bandCode = 0
    /// Whether values are coarse.
    var isCoarse = false
    /// Whether dialogue enhancement raises it.
    var isDialogue = false

    /// Number of parameter bands.
    var bands: Int { AJOCTables.bandCounts[bandCode] }
  }

  /// Signals of the downmix, 1…16.
  let inputs: Int
  /// Decoded objects, 1…64.
  let count: Int
  /// Decorrelators in use, at most ``mostDecorrelators``; those of number 0 and up.
  var decorrelators = 0
  /// One bit for each of them: whether it is on.
  var enabled: UInt8 = 0
  /// Data points, at most ``mostPoints``; without any the values before hold.
  var pointCount = 0
  /// Whether values are sent as differences to those of an earlier data point.
  var hasDifferences = false
  /// `de_max_gain`: dialogue may be raised by 3 dB more than 3 times this.
  var maximumGain = 0
  let objects: Buffer<Object>
  /// The data points.
  let points = Buffer<Point>(Point(), count: mostPoints)

  /// Values of a row, before dequantisation: object, data point, row of an input or a decorrelator, band.
  private let values: Buffer<UInt8>

  /// A frame of `objects` objects that are mixed of `inputs` signals.
  init(inputs: Int, objects: Int) {
    self.inputs = inputs
    count = objects
    self.objects = Buffer(Object(), count: objects)
    values = Buffer(
      0,
      count: objects * AJOCFrame.mostPoints * AJOCFrame.rows(inputs) * AJOCFrame.mostBands)
  }

  /// Rows of values of an object: one for each input, then one for each decorrelator.
  static func rows(_ inputs: Int) -> Int { inputs + mostDecorrelators }

  /// Decibels by which dialogue may be raised at most; `nil` where no object is dialogue.
  var dialogueLimit: Double? {
    guard (0..<count).contains(where: { objects.base[$0].isDialogue }) else { return nil }
    return 3 * Double(maximumGain + 1)
  }

  /// Tools of the frame that no real stream has proved.
  var unverified: AC4UnverifiedTools {
    var tools: AC4UnverifiedTools = enabled == 0 ? [] : .decorrelators
    guard pointCount > 0 else { return tools }
    if hasDifferences { tools.insert(.differences) }
    // With one point and one slot, values hold for the whole frame.
    if pointCount > 1 || points.base[0].length > 1 { tools.insert(.ramps) }
    for index in 0..<count where objects.base[index].isPresent {
      if objects.base[index].bands > 1 { tools.insert(.bands) }
      if !objects.base[index].isCoarse { tools.insert(.fineSteps) }
    }
    return tools
  }

  /// The values of a row at a data point, ``mostBands`` of them.
  func row(_ object: Int, _ point: Int, _ row: Int) -> UnsafeMutablePointer<UInt8> {
    let place = (object * AJOCFrame.mostPoints + point) * AJOCFrame.rows(inputs) + row
    return values.base + place * AJOCFrame.mostBands
  }

  /// The level that stands for 0.
  static func center(isWet: Bool, isCoarse: Bool) -> Int {
    ((isWet ? AJOCTables.wetLevels : AJOCTables.dryLevels)[isCoarse ? 1 : 0] - 1) / 2
  }
}

/// The values to which those of a frame may be coded as differences: those of each object's last data point.
final class AJOCHistory {
  /// The knowledge about an object.
  enum Known: Equatable {
    case nothing
    /// All of its values were 0: it was absent.
    case absent
    /// Values in these bands, in this resolution.
    case values(bandCode: Int, isCoarse: Bool)
  }

  /// Knowledge about each object.
  let known: Buffer<Known>
  private let values: Buffer<UInt8>
  private let rows: Int

  /// An empty history.
  init(inputs: Int, objects: Int) {
    rows = AJOCFrame.rows(inputs)
    known = Buffer(.nothing, count: objects)
    values = Buffer(0, count: objects * rows * AJOCFrame.mostBands)
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
