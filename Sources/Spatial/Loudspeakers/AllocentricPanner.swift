/// Pans a point of the room to the loudspeakers around it: planes of equal Z, rows of equal Y in a plane,
/// and loudspeakers by X in a row (ITU-R BS.2127-1, 7.3).
struct AllocentricPanner: Sendable {
  /// Numbers of the steps that a loudspeaker has along the axes.
  struct Member: Sendable {
    /// Its step among ``AllocentricPanner/columns``.
    let column: Int
    /// Its step among ``AllocentricPanner/rows``.
    let row: Int
    /// Its step among ``AllocentricPanner/planes``.
    let plane: Int
  }

  /// Different steps along X.
  let columns: [AxisStep]
  /// Different steps along Y.
  let rows: [AxisStep]
  /// Different steps along Z.
  let planes: [AxisStep]
  /// The loudspeakers' steps.
  let members: [Member]

  /// A panner for loudspeakers at `corners` of the room, ±1.
  init(_ corners: [SIMD3<Double>]) {
    var (columns, rows, planes) = ([AxisStep](), [AxisStep](), [AxisStep]())
    members = corners.map { corner in
      let plane = corners.filter { $0.z == corner.z }
      let row = plane.filter { $0.y == corner.y }
      return Member(
        column: AllocentricPanner.step(of: corner.x, among: row.map(\.x), in: &columns),
        row: AllocentricPanner.step(of: corner.y, among: plane.map(\.y), in: &rows),
        plane: AllocentricPanner.step(of: corner.z, among: corners.map(\.z), in: &planes))
    }
    (self.columns, self.rows, self.planes) = (columns, rows, planes)
  }

  /// Gains for a point; their power is 1.
  func gains(_ point: SIMD3<Double>) -> [Double] {
    let x = columns.map { $0.gain(at: point.x) }
    let y = rows.map { $0.gain(at: point.y) }
    let z = planes.map { $0.gain(at: point.z) }
    return members.map { x[$0.column] * y[$0.row] * z[$0.plane] }
  }

  /// Number of a step in `known`, where it is added if it is new.
  private static func step(
    of level: Double, among levels: [Double], in known: inout [AxisStep]
  ) -> Int {
    let sorted = Set(levels).sorted()
    let step = AxisStep(levels: sorted, index: sorted.firstIndex(of: level) ?? 0)
    if let place = known.firstIndex(of: step) { return place }
    known.append(step)
    return known.count - 1
  }
}
