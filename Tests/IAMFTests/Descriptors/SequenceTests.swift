// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import IAMF

/// Ends of temporal units in a raw sequence, and OBUs that are passed over.
@Suite struct SequenceTests {
  private let sequence = SyntheticSequence.twoElements
  private var a: [UInt8] { sequence.audio(0) }
  private var b: [UInt8] { sequence.audio(40) }
  private let delimiter = SyntheticUnit.obu(4, [])
  private let block = SyntheticUnit.obu(3, [91, 16, 16, 0, 0, 0])

  /// The substreams of each unit, and what was found.
  private func units(_ data: [[UInt8]]) throws -> ([[Int]], UnitFindings) {
    let file = try MediaFile(raw: sequence.descriptors + data.flatMap { $0 })
    return (file.units.map { $0.frames.map(\.substream) }, file.findings)
  }

  @Test(
    "a temporal unit ends where a substream repeats and before a delimiter, block or descriptor")
  func unitsEnd() throws {
    let both = [0, 40]
    let redundant = SyntheticUnit.obu(6, Array(repeating: 0, count: 32), isRedundant: true)
    let copy = SyntheticUnit.obu(31, Array("iamf".utf8) + [2, 2], isRedundant: true)
    let cases: [(String, [[UInt8]], [[Int]])] = [
      ("where a substream comes again", [a, b, a, b], [both, both]),
      ("with the substreams in any order", [b, a, a, b], [[40, 0], both]),
      ("before a block behind frames", [block, a, b, block, a, b], [both, both]),
      ("before a delimiter", [delimiter, a, b, delimiter, a, b], [both, both]),
      ("before a copied descriptor", [a, b, copy, a, b], [both, both]),
      ("without a missing frame", [a, a, b], [[0], both]),
      ("with one frame before a delimiter", [a, delimiter, b, a], [[0], [40, 0]]),
      ("where nothing follows", [a], [[0]]),
      ("not at a redundant frame", [a, redundant, b, a, b], [both, both]),
      ("not at a reserved unit", [a, SyntheticUnit.obu(24, [1]), b], [both]),
      ("not at a foreign frame", [a, sequence.audio(5), b], [both]),
    ]
    for (name, data, wanted) in cases { #expect(try units(data).0 == wanted, "\(name)") }
  }

  /// A block belongs to the frames behind it.
  @Test("parameter blocks belong to the unit of the frames that follow them")
  func blocksBelongToTheFramesBehindThem() throws {
    let data = [block, block, a, b, block, a, b, a, b]
    let file = try MediaFile(raw: sequence.descriptors + data.flatMap { $0 })
    #expect(file.units.map(\.blocks.count) == [2, 1, 0])
  }

  @Test(
    "missing and short frames, idle and unreadable blocks, lost bytes and stray descriptors are counted"
  )
  func everythingIsCounted() throws {
    let lost = try units([block, a, b, a, delimiter, block, delimiter, a, b, [0x30, 99]])
    var wanted = UnitFindings()
    wanted.units = 3
    wanted.missingFrames = 1
    wanted.idleBlocks = 1
    wanted.lostBytes = 2
    wanted.unreadableUnits = 1
    #expect(lost.1 == wanted)
    let odd = try units([
      SyntheticUnit.obu(3, [91, 0]), SyntheticUnit.obu(3, [17]), SyntheticUnit.obu(6, [1, 2, 3]),
      SyntheticUnit.obu(5, [40]), SyntheticUnit.obu(0, [1, 2]),
    ])
    wanted = UnitFindings()
    wanted.units = 1
    wanted.unreadableBlocks = 1
    wanted.unknownBlocks = 1
    wanted.shortFrames = 1
    wanted.emptyFrames = 1
    wanted.strayDescriptors = 1
    #expect(odd.1 == wanted)
  }

  @Test(
    "a second sequence header in a file starts a sequence with its own elements, without damage")
  func aNewHeaderBeginsASequence() throws {
    var other = SyntheticSequence()
    other.elements = [
      SyntheticSequence.element(5, substreams: [3], layers: [SyntheticSequence.layer(1, 1, 1)])
    ]
    let bytes =
      sequence.descriptors + a + b + other.descriptors + other.audio(3, channels: 2)
      + other.audio(3, channels: 2)
    var reader = try RawSequenceReader(bytes: bytes)
    #expect(try reader.next()?.sequence == 0)
    #expect(reader.description.playableMixes.count == 2)
    #expect(try reader.next()?.sequence == 1)
    #expect(reader.description.playableMixes[0].elements.map(\.id) == [5])
    #expect(try reader.next()?.sequence == 1)
    #expect(try reader.next() == nil)
    #expect(reader.findings.units == 3 && !reader.findings.isDamaged)
  }

  /// The sample is the unit, whatever stands in it.
  @Test(
    "a sample with two frames and two blocks is one unit, and a sample without frames gives none")
  func aSampleIsAUnit() throws {
    var reader = SampleUnitReader(try sequence.description())
    let first = reader.unit(delimiter + block + a + block + b)
    let unit = try #require(first)
    #expect(unit.frames.map(\.substream) == [0, 40] && unit.blocks.count == 2)
    let (empty, idle) = (reader.unit([]), reader.unit(block))
    #expect(empty == nil && idle == nil)
    _ = reader.unit(a + [0x30, 0x7F])
    #expect(reader.findings.lostBytes == 2 && reader.findings.missingFrames == 1)
  }

  @Test("a unit whose frames disagree on trims is counted, and the first element's trim holds")
  func trimmingOfDifferentFramesIsNoticed() throws {
    let samples = Array(repeating: UInt8(0), count: 32)
    let first = SyntheticUnit.obu(6, samples, trim: (3, 1))
    let second = SyntheticUnit.obu(5, [40] + samples, trim: (4, 1))
    let file = try MediaFile(raw: sequence.descriptors + second + first + a + b)
    #expect(file.findings.disagreeingTrims == 1)
    // That of the first element counts.
    let description = file.description
    let needed = description.substreams(of: description.playableMixes[0])
    #expect(needed == [0, 40])
    #expect(description.substreams(of: description.playableMixes[1]) == [40])
    #expect(file.units.map { $0.trim(needed) } == [OBU.Trim(start: 3, end: 1), OBU.Trim()])
  }

  @Test(
    "a configuration box of version 1 gives its descriptors, and another version or a cut box is refused"
  )
  func theConfigurationBox() throws {
    let bytes = sequence.descriptors
    let box = try ConfigurationBox([1] + SyntheticUnit.leb128(bytes.count, size: 3) + bytes + [9])
    #expect(box.configOBUs == bytes && box.offset == 4)
    #expect(throws: IAMFError.self) { try ConfigurationBox([2, 0]) }
    #expect(throws: IAMFError.self) { try ConfigurationBox([1, 5, 0]) }
    #expect(throws: IAMFError.self) { try ConfigurationBox([]) }
  }

  @Test("bytes that begin with a sequence header of iamf are recognised, and other bytes aren't")
  func sequencesAreRecognised() {
    let wanted = [
      "f80669616d660000": true, "fc0669616d660000": true, "f886800069616d66": true,
      "f9070179": false, "f908016169616d660000": true, "f80649414d460000": false,
      "000669616d660000": false, "": false, "f8": false,
    ]
    for (hex, isSequence) in wanted {
      let bytes = SyntheticUnit.bytes(hex: hex)
      #expect(RawSequenceReader.isSequence(bytes) == isSequence, "\(hex)")
    }
  }

  @Test("a sequence reader whose reads return no bytes throws unreadable")
  func readingThatFailsIsNoDamage() {
    #expect(throws: IAMFError.unreadable) { try RawSequenceReader(size: 100) { _, _ in [] } }
  }
}
