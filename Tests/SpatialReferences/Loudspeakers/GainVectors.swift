// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport

@testable import Spatial

/// Gains calculated by another implementation of ITU-R BS.2127, in files beside the checkout.
enum GainVectors {
  /// Gains of points: a row for each point and layout, without LFE.
  struct Points: Decodable {
    let positions: [[Double]]?
    let directions: [[Double]]?
    let gains: [String: [[Double]]]
  }

  /// Gains of objects.
  struct Objects: Decodable {
    let cases: [Case]
  }

  /// One object: its block of metadata, and its gains by layout, LFE included.
  struct Case: Decodable {
    let block: Block
    let direct: [String: [Double]]
    let diffuse: [String: [Double]]
  }

  /// The block of metadata.
  struct Block: Decodable {
    let position: [String: Double]
    let width: Double
    let height: Double
    let depth: Double
    let diffuse: Double
    let gain: Double
    let cartesian: Bool
    let channelLock: Lock?
    let objectDivergence: Divergence?
    let zoneExclusion: [[String: Double]]?

    struct Lock: Decodable {
      let maxDistance: Double?
    }

    struct Divergence: Decodable {
      let value: Double
      let azimuthRange: Double?
      let positionRange: Double?
    }
  }

  /// The values of one file.
  static func read<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
    let url = URL(fileURLWithPath: ObjectCases.path(name))
    return try JSONDecoder().decode(type, from: Data(contentsOf: url))
  }
}

extension GainVectors.Block {
  /// The state that the block describes.
  var state: ObjectState {
    var rules = ObjectRules()
    rules.lock = channelLock.map { ObjectRules.ChannelLock(within: $0.maxDistance) }
    rules.divergence = objectDivergence.map {
      ObjectRules.Divergence(
        value: $0.value, range: (cartesian ? $0.positionRange : $0.azimuthRange) ?? 0)
    }
    rules.zones = (zoneExclusion ?? []).map(zone)
    let value = { position[$0] ?? 0 }
    let direction = Direction(azimuth: value("azimuth"), elevation: value("elevation"))
    return ObjectState(
      position: cartesian
        ? .cartesian(x: value("X"), y: value("Y"), z: value("Z"))
        : .polar(direction, distance: value("distance")),
      gain: gain, extent: ObjectExtent(width: width, height: height, depth: depth),
      diffuse: diffuse, rules: rules)
  }

  private func zone(_ values: [String: Double]) -> ObjectRules.Zone {
    let range = { (axis: String) in (values["min" + axis] ?? 0)...(values["max" + axis] ?? 0) }
    if values["minX"] != nil { return .box(x: range("X"), y: range("Y"), z: range("Z")) }
    return .sector(
      fromAzimuth: values["minAzimuth"] ?? 0, toAzimuth: values["maxAzimuth"] ?? 0,
      elevations: range("Elevation"))
  }
}
