// SPDX-License-Identifier: Apache-2.0
import Signal

/// The metadata of one payload's objects (OAMD, TS 103 420). One value is read into again for each payload.
package final class ObjectFrame {
  /// Most objects of a programme in E-AC-3 and TrueHD.
  package static let mostObjects = 16
  /// Most updates of an object in a payload.
  package static let mostBlocks = 8

  /// When an update begins, and how long it takes.
  package struct Block: Equatable, Sendable {
    /// Samples behind the payload's own time.
    package var offset = 0
    /// Samples until the values are reached.
    package var ramp = 0
  }

  /// The composition of the programme (`program_assignment`).
  package struct Assignment: Equatable, Sendable {
    /// Whether it has no bed but perhaps an LFE.
    package var isDynamicOnly = false
    /// Whether its bed's channels may be spread over several loudspeakers.
    package var isDistributed = false
    package var beds: [BedSet] = []
    /// Number of objects of an intermediate spatial format.
    package var spatialObjects = 0
    /// Number of all objects.
    package var count = 0

    /// Number of the first dynamic object; beds and the intermediate format come first.
    package var firstDynamic: Int { beds.reduce(spatialObjects) { $0 + $1.count } }
  }

  package internal(set) var assignment = Assignment()
  /// Whether an object element was read.
  package internal(set) var hasObjects = false
  /// Samples by which all updates are later.
  package internal(set) var sampleOffset = 0
  package internal(set) var blocks: [Block] = []
  /// `warp_mode` of the trim element.
  package internal(set) var warp = 0
  /// `global_trim_mode`.
  package internal(set) var trimMode = 0
  /// Trims of ``Trim/layouts``; empty unless they are sent.
  package internal(set) var trims: [Trim] = []
  /// Objects without trims; bit n stands for object n.
  package internal(set) var untrimmed: UInt32 = 0
  /// Whether every element ended where its size says.
  package internal(set) var endsExactly = true

  private let infos = Buffer<ObjectInfo>(
    ObjectInfo.defaults, count: mostObjects * mostBlocks)

  /// A frame without objects.
  package init() {
    assignment.beds.reserveCapacity(ObjectFrame.mostObjects)
    blocks.reserveCapacity(ObjectFrame.mostBlocks)
    trims.reserveCapacity(Trim.layouts)
  }

  /// Data of block number `block` on an object.
  package func info(_ object: Int, _ block: Int) -> ObjectInfo { row(object)[block] }

  /// Data of all blocks on an object.
  func row(_ object: Int) -> UnsafeMutablePointer<ObjectInfo> {
    infos.base + object * ObjectFrame.mostBlocks
  }

  /// Whether an update asks for an object at two further places.
  package var hasDivergence: Bool {
    (0..<assignment.count).contains { object in
      blocks.indices.contains { row(object)[$0].divergence > 0 }
    }
  }

  /// Forgets what was read.
  func clear() {
    assignment.beds.removeAll(keepingCapacity: true)
    (assignment.isDynamicOnly, assignment.isDistributed) = (false, false)
    (assignment.spatialObjects, assignment.count) = (0, 0)
    (hasObjects, endsExactly) = (false, true)
    (sampleOffset, warp, trimMode, untrimmed) = (0, 0, 0, 0)
    blocks.removeAll(keepingCapacity: true)
    trims.removeAll(keepingCapacity: true)
  }
}

extension ObjectTimeline {
  /// Adds the updates of a payload.
  /// - Parameters:
  ///   - base: the sample that the times of its updates count from, without those of ``ObjectFrame/sampleOffset``.
  ///   - objects: number of each plane's object; `nil` for a plane without one.
  package mutating func add(_ frame: ObjectFrame, from base: Int64, objects: [Int?]) {
    for (index, block) in frame.blocks.enumerated() {
      let time = base + Int64(frame.sampleOffset + block.offset)
      for (plane, object) in objects.enumerated() {
        guard let object else { continue }
        add(plane, at: time, ramp: block.ramp, frame.info(object, index))
      }
    }
  }
}

/// By how much parts of the programme are lowered for a layout of loudspeakers (`trim_element`, TS 103 420).
/// Rendering for headphones needs no trim, but the element is read to prove that its bits fit.
package struct Trim: Equatable, Sendable {
  /// The origin of the values.
  package enum Mode: Sendable {
    /// The renderer chooses.
    case standard
    /// No trim.
    case disabled
    /// The values are sent.
    case custom
  }

  package var mode = Mode.standard
  /// Of centre, surround and height channels in dB; `nil` where none is sent.
  package var center: Double?
  package var surround: Double?
  package var height: Double?
  /// Balances of top and bottom and of the listener; `nil` where none is sent.
  package var heightBalance: Double?
  package var listenerBalance: Double?

  /// Layouts in their order: 2.0, 5.1, 7.1, 2.x.2, 5.1.2, 7.1.2, 2.x.4, 5.1.4, 7.1.4.
  static let layouts = 9
}
