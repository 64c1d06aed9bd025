// SPDX-License-Identifier: Apache-2.0
import Foundation

@testable import IAMF

/// Writes what is read as the oracle does, so that both can be compared field by field.
struct Dump {
  private static let names = [
    0: "codec_config", 1: "audio_element", 2: "mix_presentation", 3: "parameter_block",
    4: "temporal_delimiter", 24: "metadata", 31: "sequence_header",
  ]

  let description: SequenceDescription

  /// All units of the bitstream in `bytes`, whose first one is at `base` of the file.
  func units(_ bytes: [UInt8], base: Int) throws -> [[String: Any]] {
    try bytes.withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      var all: [[String: Any]] = []
      while bits.remaining > 0 { all.append(try unit(try OBU(&bits), buffer, base)) }
      return all
    }
  }

  private func unit(
    _ obu: OBU, _ bytes: UnsafeBufferPointer<UInt8>, _ base: Int
  ) throws -> [String: Any] {
    var result: [String: Any] = [
      "type": obu.type, "offset": base + obu.offset, "total_size": obu.size,
      "redundant": obu.isRedundant ? 1 : 0,
      "name": Dump.names[obu.type] ?? (obu.kind == .audioFrame ? "audio_frame" : "reserved"),
    ]
    if obu.flag, obu.kind == .audioFrame {
      result["trim_start"] = obu.trim.start
      result["trim_end"] = obu.trim.end
    }
    if let bytes = obu.extensionBytes { result["extension_hex"] = Dump.hex(bytes) }
    var bits = try obu.payloadReader(bytes)
    switch obu.kind {
    case .sequenceHeader: result["sequence_header"] = Dump.header(try SequenceHeader(&bits))
    case .codecConfig: result["codec_config"] = Dump.codec(try CodecConfig(&bits))
    case .audioElement: result["audio_element"] = Dump.element(try AudioElement(&bits))
    case .mixPresentation: result["mix_presentation"] = Dump.mix(try MixPresentation(&bits))
    case .parameterBlock: result["parameter_block"] = try block(&bits)
    case .temporalDelimiter: break
    case .audioFrame:
      result["substream_id"] = obu.type == 5 ? try bits.leb128() : obu.type - 6
      result["payload_offset"] = base + bits.position / 8
      result["payload_size"] = bits.bytesLeft
      _ = try bits.rest()
    case .reserved: _ = try bits.rest()
    }
    if bits.bytesLeft > 0 { result["unread_bytes"] = bits.bytesLeft }
    return result
  }

  private func block(_ bits: inout BitReader) throws -> [String: Any] {
    let id = try ParameterBlock.readID(&bits)
    guard let rule = description.parameters[id] else {
      return ["parameter_id": id, "unknown": true]
    }
    return Dump.block(try ParameterBlock(&bits, rule))
  }

  static func block(_ block: ParameterBlock) -> [String: Any] {
    var result: [String: Any] = ["parameter_id": block.id]
    if let timing = block.timing {
      result["duration"] = timing.duration
      result["constant_subblock_duration"] = timing.constant
    }
    result["subblocks"] = block.subblocks.map { subblock in
      var fields = value(subblock.value)
      if block.timing?.constant == 0 { fields["duration"] = subblock.duration }
      return fields
    }
    return result
  }

  private static func value(_ value: ParameterBlock.Value) -> [String: Any] {
    switch value {
    case .mixGain(.step(let start)):
      return ["animation": 0, "start_db": start]
    case .mixGain(.linear(let start, let end)):
      return ["animation": 1, "start_db": start, "end_db": end]
    case .mixGain(.bezier(let start, let end, let control, let time)):
      return [
        "animation": 2, "start_db": start, "end_db": end, "control_db": control,
        "control_time": Double(time) / 256,
      ]
    case .demixing(let mode):
      return ["dmixp_mode": mode]
    case .reconGain(let layers):
      return ["layers": layers.map { $0.map(gains) as Any? ?? NSNull() }]
    }
  }

  private static func gains(_ layer: ParameterBlock.LayerGains) -> [String: Any] {
    let bits = (0..<12).filter { layer.flags >> $0 & 1 == 1 }
    var gains: [String: Any] = [:]
    for (bit, gain) in zip(bits, layer.gains) { gains["\(bit)"] = Int(gain) }
    return ["flags": layer.flags, "gains": gains]
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Differences of `found` and `wanted`: paths with both values.
  static func differences(_ found: Any, _ wanted: Any, _ path: String = "") -> [String] {
    if let found = found as? [String: Any], let wanted = wanted as? [String: Any] {
      return Set(found.keys).union(wanted.keys).sorted().flatMap { key -> [String] in
        guard let one = found[key] else { return ["\(path)/\(key) is missing"] }
        guard let other = wanted[key] else { return ["\(path)/\(key) is too much"] }
        return differences(one, other, path + "/" + key)
      }
    }
    if let found = found as? [Any], let wanted = wanted as? [Any] {
      guard found.count == wanted.count else {
        return ["\(path): \(found.count) instead of \(wanted.count)"]
      }
      return zip(found, wanted).enumerated().flatMap { index, pair in
        differences(pair.0, pair.1, "\(path)[\(index)]")
      }
    }
    if let found = number(found), let wanted = number(wanted) {
      return found == wanted ? [] : ["\(path): \(found) instead of \(wanted)"]
    }
    if found is NSNull, wanted is NSNull { return [] }
    if let found = found as? String, let wanted = wanted as? String, found == wanted { return [] }
    return ["\(path): \(found) instead of \(wanted)"]
  }

  private static func number(_ value: Any) -> Double? {
    (value as? Int).map(Double.init) ?? value as? Double ?? (value as? NSNumber)?.doubleValue
      ?? (value as? Bool).map { $0 ? 1 : 0 }
  }
}
