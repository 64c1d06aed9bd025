// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads the data of joint object coding, frame after frame (`ajoc` and `ajoc_dmx_de_data`, TS 103 190-2, 6.2.7).
///
/// A frame that can't be read changes nothing for later ones: only ``commit()`` renews what they depend on.
final class AJOCReader {
  private let slots: Int
  private let books = AJOCBooks()
  private let committed: AJOCHistory
  private let pending: AJOCHistory
  private var enhancement: AJOCEnhancement
  private var pendingEnhancement: AJOCEnhancement
  /// Rows sent of the object being read, one bit each.
  private let sent: Buffer<UInt32>

  /// A reader for `objects` objects that are mixed of `inputs` signals, in frames of `slots` QMF slots.
  init(inputs: Int, objects: Int, slots: Int) {
    self.slots = slots
    committed = AJOCHistory(inputs: inputs, objects: objects)
    pending = AJOCHistory(inputs: inputs, objects: objects)
    enhancement = AJOCEnhancement()
    pendingEnhancement = enhancement
    sent = Buffer(0, count: objects)
  }

  /// Reads `ajoc`.
  /// - Throws: ``AC4Error/damaged(_:)`` for values outside their range, and for differences to values that aren't known.
  func read(
    _ bits: inout BitReader, isIFrame: Bool, into frame: AJOCFrame
  ) throws(AC4Error) {
    pending.copy(committed)
    frame.hasDifferences = false
    frame.decorrelators = try bits.read(3)
    frame.enabled = 0
    for index in 0..<frame.decorrelators where try bits.flag() { frame.enabled |= 1 << index }
    for object in 0..<frame.count { frame.objects.base[object].isPresent = try bits.flag() }
    try readPoints(&bits, frame)
    if frame.pointCount > 0 {
      for object in 0..<frame.count where frame.objects.base[object].isPresent {
        try readForm(&bits, object, frame)
      }
    }
    let lacksTime = try bits.flag()
    guard frame.pointCount > 0 else { return }
    for object in 0..<frame.count {
      guard frame.objects.base[object].isPresent else {
        // Of the two readings of the text, an absent object counts as one whose values are all 0.
        pending.known.base[object] = .absent
        continue
      }
      try readValues(&bits, object, lacksTime, frame)
    }
  }

  /// Reads `ajoc_dmx_de_data`.
  func readEnhancement(
    _ bits: inout BitReader, isIFrame: Bool, into frame: AJOCFrame
  ) throws(AC4Error) {
    pendingEnhancement = enhancement
    try pendingEnhancement.read(
      &bits, isIFrame: isIFrame, inputs: frame.inputs, objects: frame.count)
    frame.maximumGain = pendingEnhancement.maximumGain
    for object in 0..<frame.count {
      frame.objects.base[object].isDialogue = pendingEnhancement.isDialogue(object)
    }
  }

  /// Makes the state after the frame read last the one that the next frame builds on.
  func commit() {
    committed.copy(pending)
    enhancement = pendingEnhancement
  }

  /// Forgets all earlier frames.
  func reset() {
    committed.reset()
    enhancement = AJOCEnhancement()
  }

  // MARK: Parts

  private func readPoints(_ bits: inout BitReader, _ frame: AJOCFrame) throws(AC4Error) {
    let count = try bits.read(2)
    // The text gives the field the values 0 to 2.
    guard count <= AJOCFrame.mostPoints else { throw .damaged("\(count) data points of objects") }
    frame.pointCount = count
    for index in 0..<count {
      let start = try bits.read(5)
      guard start < slots else { throw .damaged("a data point of objects at slot \(start)") }
      frame.points.base[index] = AJOCFrame.Point(start: start, length: try bits.read(6) + 1)
    }
  }

  /// Bands, resolution and, of a sparse object, which rows are sent.
  private func readForm(
    _ bits: inout BitReader, _ object: Int, _ frame: AJOCFrame
  ) throws(AC4Error) {
    frame.objects.base[object].bandCode = try bits.read(3)
    frame.objects.base[object].isCoarse = try bits.flag()
    let rows = frame.inputs + frame.decorrelators
    guard try bits.flag() else {
      // Without gaps, even disabled decorrelators have values.
      sent.base[object] = UInt32(1 << rows - 1)
      return
    }
    var mask: UInt32 = 0
    for row in 0..<frame.inputs where try bits.flag() { mask |= 1 << UInt32(row) }
    for index in 0..<frame.decorrelators where frame.enabled >> index & 1 == 1 {
      if try bits.flag() { mask |= 1 << UInt32(frame.inputs + index) }
    }
    sent.base[object] = mask
  }

  private func readValues(
    _ bits: inout BitReader, _ object: Int, _ lacksTime: Bool, _ frame: AJOCFrame
  ) throws(AC4Error) {
    let form = frame.objects.base[object]
    for point in 0..<frame.pointCount {
      for row in 0..<AJOCFrame.rows(frame.inputs) {
        let target = frame.row(object, point, row)
        let isWet = row >= frame.inputs
        if sent.base[object] >> UInt32(row) & 1 == 1 {
          let overTime = point == 0 && lacksTime ? false : try bits.flag()
          if overTime {
            frame.hasDifferences = true
            try readOverTime(&bits, object, row, isWet, form, target)
          } else {
            try readOverFrequency(&bits, isWet, form, target)
          }
        } else {
          let center = AJOCFrame.center(isWet: isWet, isCoarse: form.isCoarse)
          target.update(repeating: UInt8(center), count: form.bands)
        }
        pending.row(object, row).update(from: target, count: form.bands)
      }
      pending.known.base[object] = .values(bandCode: form.bandCode, isCoarse: form.isCoarse)
    }
  }

  /// A row whose bands are coded as differences to the band below; sums wrap around.
  private func readOverFrequency(
    _ bits: inout BitReader, _ isWet: Bool, _ form: AJOCFrame.Object,
    _ target: UnsafeMutablePointer<UInt8>
  ) throws(AC4Error) {
    let family = books.family(isWet: isWet, isCoarse: form.isCoarse)
    let levels = family.first.count
    var value = try family.first.index(&bits)
    target[0] = UInt8(value)
    for band in 1..<max(1, form.bands) {
      value = (value + (try family.frequency.value(&bits))) % levels
      target[band] = UInt8(value)
    }
  }

  /// A row whose bands are coded as differences to the last data point.
  private func readOverTime(
    _ bits: inout BitReader, _ object: Int, _ row: Int, _ isWet: Bool, _ form: AJOCFrame.Object,
    _ target: UnsafeMutablePointer<UInt8>
  ) throws(AC4Error) {
    let family = books.family(isWet: isWet, isCoarse: form.isCoarse)
    let last = pending.row(object, row)
    switch pending.known.base[object] {
    case .nothing: throw .needsIFrame("differences of objects")
    case .absent:
      let center = AJOCFrame.center(isWet: isWet, isCoarse: form.isCoarse)
      last.update(repeating: UInt8(center), count: form.bands)
    case .values(let bandCode, let isCoarse):
      guard bandCode == form.bandCode, isCoarse == form.isCoarse else {
        throw .damaged("differences to values of objects in other bands")
      }
    }
    for band in 0..<form.bands {
      let value = Int(last[band]) + (try family.time.value(&bits))
      guard (0..<family.first.count).contains(value) else {
        throw .damaged("object parameter \(value)")
      }
      target[band] = UInt8(value)
    }
  }
}

/// Codebooks of joint object coding (A-JOC, TS 103 190-2, Annex A.1).
final class AJOCBooks {
  private let dry = [
    BookFamily(
      ObjectCodebooks.ajocDryFineF0, ObjectCodebooks.ajocDryFineDf, ObjectCodebooks.ajocDryFineDt),
    BookFamily(
      ObjectCodebooks.ajocDryCoarseF0, ObjectCodebooks.ajocDryCoarseDf,
      ObjectCodebooks.ajocDryCoarseDt),
  ]
  private let wet = [
    BookFamily(
      ObjectCodebooks.ajocWetFineF0, ObjectCodebooks.ajocWetFineDf, ObjectCodebooks.ajocWetFineDt),
    BookFamily(
      ObjectCodebooks.ajocWetCoarseF0, ObjectCodebooks.ajocWetCoarseDf,
      ObjectCodebooks.ajocWetCoarseDt),
  ]

  /// The books of wet or dry values.
  func family(isWet: Bool, isCoarse: Bool) -> BookFamily { (isWet ? wet : dry)[isCoarse ? 1 : 0] }
}

/// The settings of dialogue enhancement of objects (`ajoc_dmx_de_data`, TS 103 190-2, 6.2.7.4).
struct AJOCEnhancement {
  /// `de_max_gain`, 0…3.
  private(set) var maximumGain = 0
  private var isConfigured = false
  /// `de_main_dlg_flag`: one bit for each object.
  private var flags: UInt64 = 0

  /// Whether dialogue enhancement raises an object.
  func isDialogue(_ object: Int) -> Bool { flags >> UInt64(object) & 1 == 1 }

  /// Reads the data of a frame.
  ///
  /// The coefficients are skipped: they take dialogue out of the downmix where objects aren't decoded.
  mutating func read(
    _ bits: inout BitReader, isIFrame: Bool, inputs: Int, objects: Int
  ) throws(AC4Error) {
    let isSent = try bits.flag()
    let keeps = try bits.flag()
    if isSent {
      isConfigured = true
      maximumGain = try bits.read(2)
      flags = 0
      for object in 0..<objects where try bits.flag() { flags |= 1 << UInt64(object) }
    } else if isIFrame {
      self = AJOCEnhancement()
    }
    guard !keeps else { return }
    guard isConfigured else {
      if isIFrame { return }
      throw .needsIFrame("dialogue of objects")
    }
    for _ in 0..<flags.nonzeroBitCount * inputs where try bits.flag() {
      // A code of four bits stands for 1; other values have five.
      if try bits.read(3) != 7 { try bits.skip(1) }
    }
  }
}
