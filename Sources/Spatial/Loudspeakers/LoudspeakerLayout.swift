import AudioCore

/// A layout of ITU-R BS.2051-3 with the figures that ITU-R BS.2127 derives from it.
struct LoudspeakerLayout: Sendable {
  /// A loudspeaker that isn't there: a direction whose sound another one plays.
  struct Virtual: Sendable {
    /// Where it seems to be, on the unit sphere.
    let place: SIMD3<Double>
    /// Number of the loudspeaker that plays for it, LFE not counted.
    let goesTo: Int
  }

  /// Its name, e.g. `4+7+0`.
  let name: String
  /// Its loudspeakers in the order of ITU-R BS.2051, LFE included.
  let speakers: [Loudspeaker]
  /// Order of preference of each loudspeaker that isn't an LFE, for ``ChannelLock``; lowest first.
  let ranks: [Int]
  /// For each loudspeaker that isn't an LFE: groups of others that may take its power, in order.
  let zoneGroups: [[[Int]]]
  /// Virtual loudspeakers, numbered behind those that aren't LFE.
  let virtuals: [Virtual]
  /// Regions of the point source panner in the order in which they are tried; none for 0+2+0.
  let regions: [PanningRegion]

  /// Numbers of the loudspeakers that aren't LFE.
  var mains: [Int] { speakers.indices.filter { !speakers[$0].isLFE } }
  /// The loudspeakers that aren't LFE.
  var mainSpeakers: [Loudspeaker] { speakers.filter { !$0.isLFE } }

  /// All layouts of the tables.
  static let all: [LoudspeakerLayout] = LayoutFigureReader.layouts(of: LayoutFigures.text)

  /// The layout with this name.
  static func named(_ name: String) -> LoudspeakerLayout? { all.first { $0.name == name } }
}
