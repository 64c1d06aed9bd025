import AudioCore

/// Reads the generated text of the layouts, a line at a time.
struct LayoutFigureReader {
  private var name = ""
  private var speakers: [Loudspeaker] = []
  private var ranks: [Int] = []
  private var zoneGroups: [[[Int]]] = []
  private var virtuals: [LoudspeakerLayout.Virtual] = []
  private var regions: [PanningRegion] = []

  /// The layouts of a text as make_tables.py writes it.
  static func layouts(of text: String) -> [LoudspeakerLayout] {
    var layouts: [LoudspeakerLayout] = []
    var reader = LayoutFigureReader()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words[0] == "layout" {
        layouts += reader.layout
        reader = LayoutFigureReader()
        reader.name = words[1]
      } else {
        reader.read(words[0], Array(words.dropFirst()))
      }
    }
    return layouts + reader.layout
  }

  /// What has been read, one layout; none before the first line.
  private var layout: [LoudspeakerLayout] {
    guard !name.isEmpty else { return [] }
    return [
      LoudspeakerLayout(
        name: name, speakers: speakers, ranks: ranks, zoneGroups: zoneGroups, virtuals: virtuals,
        regions: regions)
    ]
  }

  private mutating func read(_ kind: String, _ words: [String]) {
    let values = words.compactMap(Double.init)
    let numbers = words.compactMap { Int($0) }
    switch kind {
    case "main", "lfe": speakers.append(speaker(words[0], isLFE: kind == "lfe", values))
    case "ranks": ranks = numbers
    case "zones": zoneGroups.append(words.map { $0.split(separator: ",").compactMap { Int($0) } })
    case "virtual":
      let place = RoomGeometry.point(azimuth: values[0], elevation: values[1])
      virtuals.append(LoudspeakerLayout.Virtual(place: place, goesTo: Int(values[2])))
    case "triplet": regions.append(.triplet(numbers))
    case "quad": regions.append(.quad(numbers))
    default:
      regions.append(
        .ring(Array(numbers.dropFirst(3)), centre: SIMD3(values[0], values[1], values[2])))
    }
  }

  private func speaker(_ name: String, isLFE: Bool, _ values: [Double]) -> Loudspeaker {
    Loudspeaker(
      name: name, direction: Direction(azimuth: values[0], elevation: values[1]), isLFE: isLFE,
      place: RoomGeometry.point(azimuth: values[0], elevation: values[1]),
      corner: SIMD3(values[2], values[3], values[4]), filter: Int(values[5]))
  }
}
