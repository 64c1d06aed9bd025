/// Checks that the index at a file's end points at fragments (ISO/IEC 14496-12, 8.8.9 to 8.8.11).
struct FragmentIndexCheck {
  private let scanner: BoxScanner
  private let fileSize: Int64
  private(set) var findings: [FragmentedMovieFinding] = []

  init(_ scanner: BoxScanner, _ fileSize: Int64) {
    self.scanner = scanner
    self.fileSize = fileSize
  }

  /// Checks `mfra` if there is one.
  mutating func run() {
    var found: (box: BoxHeader, offset: Int64)?
    FragmentedMovieReader.forEachBox(scanner, fileSize) { box, offset in
      if box.type == "mfra" { found = (box, offset) }
      return found == nil
    }
    guard let (index, offset) = found else { return }
    let children = scanner.boxes(from: index.payload, to: index.end)
    for (number, table) in children.filter({ $0.type == "tfra" }).prefix(256).enumerated() {
      check(table, "mfra/tfra[\(number + 1)]")
    }
    guard let size = children.last, size.type == "mfro" else {
      return note("mfra", "doesn't end with mfro")
    }
    let stated = Int64(scanner.payload(size, limit: 8).bigEndian32(at: 4))
    if stated != index.end - offset || index.end != fileSize {
      note("mfra/mfro", "says \(stated) bytes, mfra has \(index.end - offset) at the file's end")
    }
  }

  private mutating func check(_ table: BoxHeader, _ path: String) {
    let bytes = scanner.payload(table, limit: 1 << 24)
    let lengths = bytes.bigEndian32(at: 8)
    let numbers = (0..<3).reduce(0) { $0 + Int(lengths >> UInt32(2 * $1) & 3) + 1 }
    let isLong = bytes.first == 1
    let width = (isLong ? 16 : 8) + numbers
    let count = Int(bytes.bigEndian32(at: 12))
    if bytes.count != 16 + count * width {
      note(path, "\(bytes.count) bytes don't hold \(count) entries")
    }
    for entry in 0..<min(count, max(0, bytes.count - 16) / width) {
      let place = 16 + entry * width
      let offset =
        isLong
        ? Int64(clamping: bytes.bigEndian64(at: place + 8))
        : Int64(bytes.bigEndian32(at: place + 4))
      guard scanner.box(at: offset, before: fileSize)?.type != "moof" else { continue }
      note(path, "entry \(entry + 1) points at \(offset), where no moof begins")
      guard findings.count < FragmentedMovieCheck.limit else { return }
    }
  }

  private mutating func note(_ path: String, _ message: String) {
    findings.append(FragmentedMovieFinding(code: .index, path: path, message: message))
  }
}
