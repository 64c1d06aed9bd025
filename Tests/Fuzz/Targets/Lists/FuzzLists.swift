// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue

/// The bytes are a cue sheet.
func fuzzCUE(_ bytes: [UInt8]) { fuzzList(bytes, .cue, name: "list.cue") }

/// The bytes are a list of files.
func fuzzM3U(_ bytes: [UInt8]) { fuzzList(bytes, .m3u, name: "list.m3u") }

/// The bytes are a playlist of XSPF.
func fuzzXSPF(_ bytes: [UInt8]) { fuzzList(bytes, .xspf, name: "list.xspf") }

/// The bytes are a list in PLS.
func fuzzPLS(_ bytes: [UInt8]) { fuzzList(bytes, .pls, name: "list.pls") }

/// The bytes are a timeline of OpenTimelineIO.
func fuzzOTIO(_ bytes: [UInt8]) { fuzzList(bytes, .otio, name: "list.otio") }

/// Reads a list, places its items, and writes it in every format. Each text is read as the same queue, so that
/// writing it once more gives the same text.
private func fuzzList(_ bytes: [UInt8], _ format: QueueFormat, name: String) {
  _ = QueueFormat.of(name: name, bytes: bytes)
  _ = QueueFormat.of(name: "list", bytes: bytes)
  for gaps in format == .cue ? CueGaps.allCases : [.append] {
    guard let read = try? format.read(bytes, name: name, gaps: gaps, in: changingFolder) else {
      continue
    }
    demand(read.lines.count == read.queue.items.count, "each item has a line, or none")
    demand(read.queue.items.count <= bytes.count * 2, "items take bytes")
    for path in read.queue.files { checkInside(path) }
    checkPlacement(read.queue)
    checkWriting(read.queue)
  }
  // Encodings other than the assumed one take the same bytes.
  for encoding in ["windows-1251", "iso-8859-1", "utf-8"] {
    guard let encoding = try? TextEncoding.named(encoding) else { continue }
    _ = try? format.read(bytes, name: name, encoding: encoding, in: changingFolder)
  }
}

/// A folder in which about one name of seven is missing, and others may take its place.
private var changingFolder: ListFolder {
  ListFolder(
    path: "/nowhere", exists: { $0.utf8.count % 7 != 0 },
    list: { _ in ["a.wav", "B.flac", "b.FLAC", "track.wav", "track.flac"] })
}

/// A folder in which every file exists.
private var fullFolder: ListFolder { ListFolder(exists: { _ in true }, list: { _ in [] }) }

private func checkInside(_ path: String) {
  let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  let isInside = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual("..".utf8) }
  demand(isInside, "\(path) lies in the list's folder")
  demand(!path.utf8.contains(0), "a path holds no zero byte")
}

/// Writes `queue` in every format that can hold it, reads that, and writes it again.
func checkWriting(_ queue: PlayQueue) {
  for format in QueueFormat.allCases {
    guard let text = try? QueueWriter.text(of: queue, as: format) else { continue }
    let again = readAgain(text, format)
    demand(
      again.items.count == queue.items.count, "\(format) holds the same items:\n\(text)")
    let second: String
    do { second = try QueueWriter.text(of: again, as: format) } catch {
      return demand(false, "what is read from \(format) can be written: \(error)\n\(text)")
    }
    demand(second == text, "\(format) is read as it was written:\n\(text)\n---\n\(second)")
  }
}

private func readAgain(_ text: String, _ format: QueueFormat) -> PlayQueue {
  guard format != .queue else { return queueOfFile(text) }
  do {
    let read = try format.read(
      Array(text.utf8), name: "list." + (format == .m3u ? "m3u8" : format.rawValue),
      in: fullFolder)
    var queue = read.queue
    // Readers also call the programme what the album is called.
    if queue.tags["title"] == queue.tags["album"] { queue.tags["title"] = nil }
    return queue
  } catch {
    fatalError("what is written as \(format) can't be read: \(error)\n\(text)")
  }
}

/// Places the items, as if each file had some length, and compares the queue with itself and with its reverse.
func checkPlacement(_ queue: PlayQueue) {
  let lengths = queue.items.enumerated().map { index, item in
    if case .silence(let length) = item.source {
      return Placement.length(ofSilence: length, at: 48_000)
    }
    return MediaTime(
      ticks: Int64(index + 1) * 1_000_003, rate: [44_100, 48_000, 96_000][index % 3])
  }
  guard let placement = try? Placement(queue, lengths: lengths, rate: 48_000) else { return }
  demand(placement.items.count == queue.items.count, "each item is placed")
  for item in placement.items {
    demand(0 <= item.start && item.start <= item.end, "an item lies behind the beginning")
    demand(item.end <= placement.frames, "the programme ends with its last item")
    demand(item.conversion.zeros >= 0, "silence in front of an item isn't negative")
  }
  let placed = PlacedQueue(queue, placement)
  let same = QueueDiff(from: placed, to: placed)
  demand(same.changes.isEmpty, "a queue doesn't differ from itself")
  guard queue.items.count > 1 else { return }
  var other = queue
  other.items.swapAt(0, queue.items.count - 1)
  other.items[0].transition = nil
  other.items[0].isPart = false
  guard let moved = try? Placement(other, lengths: lengths, rate: 48_000) else { return }
  for change in QueueDiff(from: placed, to: PlacedQueue(other, moved)).changes {
    demand(0 <= change.from && change.from < change.to, "a change has samples")
    demand(change.to <= max(placement.frames, moved.frames), "a change lies in the programme")
  }
}
