// SPDX-License-Identifier: Apache-2.0

/// Puts units of the bitstream together to temporal units.
struct UnitAssembler {
  /// Blocks of a temporal unit that are kept; more than any encoder needs.
  private static let mostBlocks = 4096

  /// Findings so far.
  private(set) var findings = UnitFindings()
  let description: SequenceDescription
  /// Substreams of all elements.
  private let known: Set<Int>
  /// Substreams that mixes need.
  private let needed: Set<Int>
  private let sequence: Int
  /// Whether temporal units keep the bytes of their units.
  private let keepsBytes: Bool
  private var unit = TemporalUnit()

  /// An assembler of the sequence number `sequence`, going on with `findings`.
  init(
    _ description: SequenceDescription, sequence: Int = 0, findings: UnitFindings = .init(),
    keepsBytes: Bool = false
  ) {
    self.description = description
    self.keepsBytes = keepsBytes
    self.sequence = sequence
    self.findings = findings
    // Substreams of elements that can't be played take part in telling where a unit ends.
    known = Set(description.elements.flatMap(\.substreamIDs))
    needed = Set(description.neededSubstreams)
    unit.sequence = sequence
  }

  /// Counts bytes at the end that can't be read.
  mutating func lose(_ bytes: Int64) {
    findings.unreadableUnits += 1
    findings.lostBytes += bytes
  }

  /// Whether the temporal unit must be complete before `obu` is taken: it is a second frame of a substream, a
  /// block behind frames, a delimiter or a descriptor.
  func ends(before obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    switch obu.kind {
    case .audioFrame:
      guard !obu.isRedundant, let id = try? UnitAssembler.frame(obu, bytes).id else { return false }
      return unit.frame(of: id) != nil
    case .parameterBlock: return !unit.frames.isEmpty
    case .reserved: return false
    case .temporalDelimiter, .codecConfig, .audioElement, .mixPresentation, .sequenceHeader:
      return true
    }
  }

  /// Takes a unit of the bitstream whose first byte is at `position` of the file or sample. Descriptors say
  /// nothing here: a header that begins a sequence needs another assembler.
  mutating func add(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>, position: Int64) {
    if keepsBytes, [.audioFrame, .parameterBlock, .reserved].contains(obu.kind) {
      unit.stored += bytes[obu.offset..<obu.offset + obu.size]
    }
    switch obu.kind {
    case .audioFrame: addFrame(obu, bytes, position)
    case .parameterBlock: addBlock(obu, bytes)
    case .temporalDelimiter: break
    case .reserved: findings.reservedUnits += 1
    case .codecConfig, .audioElement, .mixPresentation, .sequenceHeader:
      if obu.isRedundant {
        findings.redundantUnits += 1
      } else {
        findings.strayDescriptors += 1
      }
    }
  }

  /// The temporal unit so far, and begins the next; `nil` where it has no frame.
  mutating func take() -> TemporalUnit? {
    guard !unit.frames.isEmpty else {
      findings.idleBlocks += unit.blocks.count
      unit.blocks.removeAll()
      unit.stored.removeAll()
      return nil
    }
    findings.units += 1
    let trims = unit.frames.filter { needed.contains($0.substream) }.map(\.trim)
    findings.missingFrames += needed.count - trims.count
    if trims.contains(where: { $0 != trims[0] }) { findings.disagreeingTrims += 1 }
    let complete = unit
    unit = TemporalUnit()
    unit.sequence = sequence
    return complete
  }

  /// The substream of a frame, and where its bytes lie.
  private static func frame(
    _ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(IAMFError) -> (id: Int, bytes: Range<Int>) {
    var bits = try obu.payloadReader(bytes)
    let id = obu.type == 5 ? try bits.leb128() : obu.type - 6
    return (id, bits.position / 8..<obu.payload.upperBound)
  }

  private mutating func addFrame(
    _ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int64
  ) {
    guard let (id, range) = try? UnitAssembler.frame(obu, bytes) else {
      findings.unreadableUnits += 1
      return
    }
    guard known.contains(id) else {
      findings.foreignFrames += 1
      return
    }
    guard unit.frame(of: id) == nil else {
      findings.redundantUnits += 1
      return
    }
    // A frame without a byte counts as empty; that it is missing as well would count it twice.
    if range.isEmpty { findings.emptyFrames += 1 }
    if isShort(id, range.count), !range.isEmpty { findings.shortFrames += 1 }
    let start = unit.bytes.count
    unit.bytes.append(contentsOf: bytes[range])
    unit.add(
      TemporalUnit.Frame(
        substream: id, bytes: start..<unit.bytes.count,
        position: position + Int64(range.lowerBound - obu.offset), trim: obu.trim))
  }

  /// Whether `count` bytes are no whole frame of LPCM.
  private func isShort(_ id: Int, _ count: Int) -> Bool {
    guard let substream = description.substreams[id],
      let codec = description.playableElements[substream.element]?.codec,
      case .lpcm(let config) = codec.decoder
    else { return false }
    let sampleBytes = config.sampleBytes * substream.channels
    return count < codec.samplesPerFrame * sampleBytes || !count.isMultiple(of: sampleBytes)
  }

  private mutating func addBlock(_ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>) {
    do throws(IAMFError) {
      var bits = try obu.payloadReader(bytes)
      guard let rule = description.parameters[try ParameterBlock.readID(&bits)] else {
        findings.unknownBlocks += 1
        return
      }
      let block = try ParameterBlock(&bits, rule)
      guard unit.blocks.count < UnitAssembler.mostBlocks else {
        throw .malformed("more than \(UnitAssembler.mostBlocks) blocks in a temporal unit")
      }
      unit.blocks.append(block)
    } catch {
      findings.unreadableBlocks += 1
    }
  }
}

/// The findings made while temporal units were read.
package struct UnitFindings: Equatable, Sendable {
  /// Temporal units.
  package var units = 0
  /// Frames that a unit lacks; silence stands in.
  package var missingFrames = 0
  /// Frames without a byte; the same.
  package var emptyFrames = 0
  /// Frames of LPCM that are shorter than a frame or no whole number of samples; silence fills them.
  package var shortFrames = 0
  /// Units of the bitstream whose header can't be read.
  package var unreadableUnits = 0
  /// Bytes at the end that belong to no unit.
  package var lostBytes: Int64 = 0
  /// Blocks of parameters that can't be read; the defaults hold.
  package var unreadableBlocks = 0
  /// Blocks of parameters that nobody defines.
  package var unknownBlocks = 0
  /// Blocks without a frame that they hold for.
  package var idleBlocks = 0
  /// Frames of substreams that no element that can be played has.
  package var foreignFrames = 0
  /// Units of the bitstream of reserved types.
  package var reservedUnits = 0
  /// Units of the bitstream that repeat others.
  package var redundantUnits = 0
  /// Descriptors in the middle that are neither copies nor begin a sequence.
  package var strayDescriptors = 0
  /// Temporal units whose frames are trimmed differently.
  package var disagreeingTrims = 0

  /// Whether sound is missing.
  package var isDamaged: Bool {
    missingFrames + emptyFrames + shortFrames + unreadableUnits > 0 || lostBytes > 0
  }
}
