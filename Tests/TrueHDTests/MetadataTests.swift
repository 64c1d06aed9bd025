// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import ObjectMetadata
@testable import TrueHD

/// Metadata of objects, with their times, against what other implementations read.
@Suite(.tags(.media), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct MetadataTests {
  @Test("each payload of a stream has its values and times", arguments: TrueHDOracle.withMetadata)
  func payloadsAreRead(name: String) throws {
    let path = (name as NSString).deletingPathExtension + ".oamd.jsonl"
    let wanted = try TrueHDOracle.lines(TrueHDOracle.data(path)).map(MetadataRow.completed)
    var found: [[String: Any]] = []
    _ = try DecodedStream(TrueHDOracle.bytes(name), wanted: [0]) { unit, decoder, first in
      guard let first, let extra = decoder.extraStart, decoder.sync.hasMetadata else { return }
      EvolutionFrame.objects(unit, from: extra) { bits, size, offset in
        let frame = ObjectFrame()
        var row: [String: Any] = [
          "unit": decoder.units - 1, "at": Int(first), "smploffst": offset,
        ]
        do {
          try ObjectReader.read(bits, size: size, into: frame)
          row.merge(MetadataRow.row(frame, first: Int(first) + offset)) { $1 }
        } catch { row["error"] = "\(error)" }
        found.append(row)
      }
    }
    #expect(found.count == wanted.count)
    for (row, fact) in zip(found, wanted) {
      let place = "unit \(fact["unit"] ?? "")"
      #expect(Set(row.keys) == Set(fact.keys), "\(place)")
      for (key, value) in fact {
        #expect(
          MetadataRow.text(row[key] ?? "") == MetadataRow.text(value), "\(place), \(key)")
      }
    }
  }
}

/// Metadata as the rows that the oracle has.
private enum MetadataRow {
  private static let labels = [
    "L", "R", "C", "LFE", "Ls", "Rs", "Lb", "Rb", "Tfl", "Tfr", "Tsl", "Tsr", "Tbl", "Tbr", "Lw",
    "Rw", "LFE2",
  ]
  private static var defaults: [String: Any] {
    [
      "active": true, "gain": 0, "priority": 1, "pos": [31, 31, 0], "zone": 0, "elevation": 1,
      "size": [0, 0, 0], "snap": 0, "screen": NSNull(), "distance": NSNull(), "fine": [0, 0, 0],
      "divergence": 0,
    ]
  }

  /// A row of the oracle with what it leaves out. The numbers of elements are of no use.
  static func completed(_ row: [String: Any]) -> [String: Any] {
    var row = row
    row["elements"] = nil
    let infos = row["info"] as? [[[String: Any]]]
    row["info"] = infos?.map { $0.map { info in defaults.merging(info) { $1 } } }
    if var trim = row["trim"] as? [String: Any] {
      row["untrimmed"] = trim["untrimmed"]
      trim["untrimmed"] = nil
      row["trim"] = trim
    }
    let count = row["objects"] as? Int ?? 0
    row["untrimmed"] = row["untrimmed"] ?? Array(repeating: 0, count: count)
    row["trim"] = row["trim"] ?? ["warp": 0, "mode": 0]
    return row
  }

  static func row(_ frame: ObjectFrame, first: Int) -> [String: Any] {
    let assignment = frame.assignment
    let infos = (0..<assignment.count).map { object in
      frame.blocks.indices.map { info(frame.info(object, $0)) }
    }
    let blocks = frame.blocks.map { block in
      [
        "offset": block.offset, "ramp": block.ramp,
        "time": first + frame.sampleOffset + block.offset,
      ]
    }
    return [
      "objects": assignment.count, "isf": assignment.spatialObjects,
      "beds": assignment.beds.map { $0.channels.map { labels[$0.rawValue] } },
      "dynamic_only": assignment.isDynamicOnly, "exact": frame.endsExactly,
      "sample_offset": frame.sampleOffset, "blocks": blocks, "info": infos,
      "untrimmed": (0..<assignment.count).map { Int(frame.untrimmed >> UInt32($0) & 1) },
      "trim": trim(frame),
    ]
  }

  private static func info(_ info: ObjectInfo) -> [String: Any] {
    let axes = { (axes: ObjectInfo.Axes) in [axes.x, axes.y, axes.z] }
    let distance: Any =
      switch info.distance {
      case .unstated: NSNull()
      case .infinite: "inf"
      case .factor(let factor): factor
      }
    return [
      "active": info.isActive, "gain": info.gain ?? NSNull(), "priority": info.priority,
      "pos": axes(info.position), "zone": info.zone, "elevation": info.hasElevation,
      "size": axes(info.size), "snap": info.isSnapped, "distance": distance,
      "screen": info.screen.map { [$0.factor, $0.depth] } ?? NSNull(),
      "fine": axes(info.precision), "divergence": info.divergence,
    ]
  }

  private static func trim(_ frame: ObjectFrame) -> [String: Any] {
    var row: [String: Any] = ["warp": frame.warp, "mode": frame.trimMode]
    guard frame.trimMode == 2 else { return row }
    row["configs"] = frame.trims.map { trim -> Any in
      switch trim.mode {
      case .standard: return "default"
      case .disabled: return "off"
      case .custom:
        let values = [
          "centre": trim.center, "surround": trim.surround, "height": trim.height,
          "balance_tb": trim.heightBalance, "balance_listener": trim.listenerBalance,
        ]
        return values.compactMapValues { $0 }
      }
    }
    return row
  }

  /// A value of JSON as a text that is equal for equal values.
  static func text(_ value: Any) -> String {
    switch value {
    case let list as [Any]: return "[" + list.map(text).joined(separator: ",") + "]"
    case let row as [String: Any]:
      return "{" + row.keys.sorted().map { "\($0):\(text(row[$0] ?? ""))" }.joined() + "}"
    case is NSNull: return "null"
    case let number as Double: return "\(number)"
    case let number as Int: return "\(Double(number))"
    case let flag as Bool: return flag ? "1.0" : "0.0"
    default: return "\(value)"
    }
  }
}
