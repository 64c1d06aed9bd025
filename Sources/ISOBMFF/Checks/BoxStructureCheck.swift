/// Checks that boxes fill their parents exactly (ISO/IEC 14496-12, 4.2).
struct BoxStructureCheck {
  /// Boxes that contain boxes only, and the number of bytes before the first one.
  private static let containers: [String: Int64] = [
    "moov": 0, "trak": 0, "edts": 0, "mdia": 0, "minf": 0, "dinf": 0, "stbl": 0, "mvex": 0,
    "moof": 0, "traf": 0, "mfra": 0, "udta": 0, "ludt": 0, "ilst": 0, "meta": 4, "stsd": 8,
    "dref": 8,
  ]
  /// Levels of boxes that are checked; this bounds the recursion.
  private static let deepest = 8
  /// Boxes visited in all; this bounds the time that a file full of empty boxes takes.
  private static let mostBoxes = 10_000_000

  private let source: ByteSource
  private let scanner: BoxScanner
  private let limit: Int
  private var seen = 0
  private(set) var findings: [FragmentedMovieFinding] = []

  init(_ source: ByteSource, limit: Int) {
    self.source = source
    scanner = BoxScanner(source)
    self.limit = limit
  }

  mutating func run() { walk(from: 0, to: source.size, path: "", depth: 0) }

  private mutating func walk(from start: Int64, to end: Int64, path: String, depth: Int) {
    var offset = start
    while offset < end, seen < BoxStructureCheck.mostBoxes, findings.count < limit {
      guard let box = scanner.box(at: offset, before: end) else {
        return note(path, "\(end - offset) bytes at \(offset) are no box")
      }
      seen += 1
      let name = path.isEmpty ? box.type : "\(path)/\(box.type)"
      if box.isTruncated { note(name, "reaches beyond its parent's end at \(end)") }
      if let skipped = BoxStructureCheck.containers[box.type], depth < BoxStructureCheck.deepest {
        if box.end - box.payload < skipped {
          note(name, "\(box.payloadSize) bytes are too few")
        } else {
          walk(from: box.payload + skipped, to: box.end, path: name, depth: depth + 1)
        }
      }
      offset = box.end
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    findings.append(
      FragmentedMovieFinding(
        code: .malformedBox, path: path.isEmpty ? "file" : path, message: message))
  }
}
