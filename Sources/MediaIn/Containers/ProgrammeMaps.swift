// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform
import Signal

/// Streams of the programmes of a transport stream from its beginning to its end, by its programme maps
/// (ISO/IEC 13818-1, 2.4.4.8). Recordings may give the streams other PIDs in mid-file, and go back to the first ones, as for
/// advertisements.
struct ProgrammeMaps {
  /// A stream of a programme.
  struct Stream: Equatable {
    let pid: Int
    let type: UInt8
  }

  /// Bytes that are looked at together. Maps come twice a second at least.
  private static let window: Int64 = 2 << 20
  /// Bytes from one such place to the next, at least; 2 MiB of each 16 take a small part of the time of a decode.
  private static let step: Int64 = 16 << 20
  /// Places at most, so that long recordings are opened soon; a change between two of them that is taken back shows as a gap.
  private static let mostPlaces: Int64 = 64
  /// Types of streams that hold sound (2.4.4.9, and those that ATSC and Blu-ray use).
  private static let sound: Set<UInt8> = [
    0x03, 0x04, 0x0F, 0x11, 0x1C, 0x2D, 0x2E, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
  ]

  /// Types of MPEG-H 3D Audio: of a main stream and of an auxiliary one. Older libavformat takes them for MP3.
  private static let mpegH: Set<UInt8> = [0x2D, 0x2E]

  /// The maps of each programme by its number, in the order in which they came; each differs from the one before.
  private let versions: [Int: [[Stream]]]
  /// Streams by the programme's number, as the file ends.
  private let last: [Int: [Stream]]

  /// The maps of `file`; none for other containers.
  init(_ file: LocalFile) {
    var versions: [Int: [[Stream]]] = [:]
    var last: [Int: [Stream]] = [:]
    for start in ProgrammeMaps.places(in: file.size) {
      let count = min(ProgrammeMaps.window, file.size - start)
      var reader = ProgrammeMapReader(file.bytes(at: start, count: Int(count)))
      reader.read()
      for (programme, found) in reader.versions {
        for streams in found where versions[programme]?.last != streams {
          versions[programme, default: []].append(streams)
        }
      }
      last = reader.versions.compactMapValues(\.last)
    }
    self.versions = versions
    self.last = last
  }

  /// Places in a file of `size` bytes that are looked at: its beginning, its end, and some in between.
  private static func places(in size: Int64) -> [Int64] {
    let end = max(0, size - window)
    let step = max(step, size / mostPlaces)
    return Array(stride(from: 0, to: end, by: Int(step))) + [end]
  }

  private var first: [Int: [Stream]] { versions.compactMapValues(\.first) }

  /// Whether programmes have other PIDs further on, for the same kinds of streams in the same order: libavformat can then
  /// read the new streams as the old ones (`merge_pmt_versions`).
  var isRenumbered: Bool {
    let changed = versions.values.filter { maps in
      maps.contains { Set($0.map(\.pid)) != Set(maps[0].map(\.pid)) }
    }
    return !changed.isEmpty
      && changed.allSatisfy { maps in maps.allSatisfy { $0.map(\.type) == maps[0].map(\.type) } }
  }

  /// `stream` with the codec that its type states, where libavformat doesn't know the type; `nil` for other streams.
  func named(_ stream: StreamInfo) -> StreamInfo? {
    let types = first.values.joined().filter { $0.pid == stream.id }.map(\.type)
    guard types.contains(where: ProgrammeMaps.mpegH.contains) else { return nil }
    var stream = stream
    (stream.kind, stream.codec, stream.profile) = (.audio, CodecTraits.mpegH, nil)
    return stream
  }

  /// PIDs of sound that weren't there at the beginning, where `pid` isn't there any more: in a later map of its programme, or
  /// at the end of the file.
  func successors(of pid: Int) -> [Int] {
    let before = first.values.flatMap(\.self)
    guard let gone = before.first(where: { $0.pid == pid }) else { return [] }
    let known = Set(before.map(\.pid))
    let own = versions.values.filter { $0.first?.contains { $0.pid == pid } == true }
    let later = own.flatMap { $0.dropFirst() } + [last.values.flatMap(\.self)]
    let found = later.filter { map in !map.contains { $0.pid == pid } }.joined().filter { stream in
      !known.contains(stream.pid)
        && (stream.type == gone.type || ProgrammeMaps.sound.contains(stream.type))
    }
    return Set(found.map(\.pid)).sorted()
  }
}

/// Reads the programme maps in a piece of a transport stream.
private struct ProgrammeMapReader {
  /// The maps of each programme, in the order in which they came; each differs from the one before.
  private(set) var versions: [Int: [[ProgrammeMaps.Stream]]] = [:]

  private let bytes: [UInt8]
  /// Programmes by the PID of their maps.
  private var maps: Set<Int> = []
  /// Sections that have begun, by their PID.
  private var begun: [Int: [UInt8]] = [:]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() {
    guard let (start, step) = grid else { return }
    for place in stride(from: start, through: bytes.count - 188, by: step)
    where bytes[place] == 0x47 {
      read(bytes[place..<place + 188])
    }
  }

  /// The byte at which packets begin, and how far apart: 188 bytes, 192 with the times of Blu-ray, 204 with check bytes.
  private var grid: (start: Int, step: Int)? {
    for step in [188, 192, 204] {
      let start = (0..<step).first { start in
        bytes.count >= start + 5 * step && (0..<5).allSatisfy { bytes[start + $0 * step] == 0x47 }
      }
      if let start { return (start, step) }
    }
    return nil
  }

  /// Takes one packet (2.4.3.2); one that arrived damaged is passed over.
  private mutating func read(_ packet: ArraySlice<UInt8>) {
    let at = packet.startIndex
    let pid = packet[at + 1...at + 2].bigEndian(Int.self) & 0x1FFF
    guard packet[at + 1] & 0x80 == 0, pid == 0 || maps.contains(pid),
      packet[at + 3] & 0x10 != 0
    else { return }
    let hasAdaptation = packet[at + 3] & 0x20 != 0
    let payload = packet.dropFirst(hasAdaptation ? 5 + Int(packet[at + 4]) : 4)
    if packet[at + 1] & 0x40 != 0 {
      guard let pointer = payload.first else { return }
      append(payload.dropFirst().prefix(Int(pointer)), pid)
      begun[pid] = []
      append(payload.dropFirst(1 + Int(pointer)), pid)
    } else {
      append(payload, pid)
    }
  }

  /// Adds bytes to the section that has begun, and reads those that are whole.
  private mutating func append(_ more: ArraySlice<UInt8>, _ pid: Int) {
    guard var section = begun[pid] else { return }
    section += more
    while section.count > 3, section[0] != 0xFF {
      let length = 3 + Int(section.bigEndian16(at: 1) & 0xFFF)
      guard section.count >= length else { break }
      read(section: Array(section.prefix(length)))
      section.removeFirst(length)
    }
    begun[pid] = section
  }

  /// Reads a whole section (2.4.4.3, 2.4.4.8) that is in force and undamaged.
  private mutating func read(section: [UInt8]) {
    guard section.count >= 12, section[5] & 1 == 1, ProgrammeMapReader.isIntact(section) else {
      return
    }
    let end = section.count - 4
    func number(_ place: Int, _ mask: UInt16) -> Int { Int(section.bigEndian16(at: place) & mask) }
    if section[0] == 0 {
      for place in stride(from: 8, to: end - 3, by: 4) where number(place, 0xFFFF) != 0 {
        maps.insert(number(place + 2, 0x1FFF))
      }
    } else if section[0] == 2, section.count >= 16 {
      var streams: [ProgrammeMaps.Stream] = []
      var place = 12 + number(10, 0xFFF)
      while place + 5 <= end {
        streams.append(ProgrammeMaps.Stream(pid: number(place + 1, 0x1FFF), type: section[place]))
        place += 5 + number(place + 3, 0xFFF)
      }
      let programme = number(3, 0xFFFF)
      if versions[programme]?.last != streams {
        versions[programme, default: []].append(streams)
      }
    }
  }

  /// The checksum of annex A over all bytes, its own included, is 0.
  private static func isIntact(_ section: [UInt8]) -> Bool {
    Checksums.oggPage.of(section, from: .max) == 0
  }
}
