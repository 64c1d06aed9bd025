// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reads the boxes of one `moof` (ISO/IEC 14496-12, 8.8.4 to 8.8.12, 8.9.2).
struct FragmentParser {
  /// Bytes of one box's table at most.
  private static let limit = 1 << 24

  private let scanner: BoxScanner
  private let defaults: [Int: FragmentedTrack.Defaults]
  private var offset: Int64 = 0
  private var malformed: [String] = []
  /// Start of data without a stated offset: after the data of the run before.
  private var dataEnd: Int64 = 0

  init(_ scanner: BoxScanner, tracks: [FragmentedTrack]) {
    self.scanner = scanner
    defaults = Dictionary(tracks.map { ($0.id, $0.defaults) }) { first, _ in first }
  }

  /// The fragment whose `moof` begins at `offset`.
  mutating func fragment(_ box: BoxHeader, at offset: Int64, data: BoxHeader?) -> MovieFragment {
    self.offset = offset
    dataEnd = offset
    var number = 0
    var tracks: [TrackFragment] = []
    for child in scanner.boxes(from: box.payload, to: box.end) {
      if child.type == "mfhd" {
        let bytes = payload(child, least: 8, "moof/mfhd")
        number = Int(bytes.bigEndian32(at: 4))
      } else if child.type == "traf" {
        tracks.append(track(child))
      }
    }
    return MovieFragment(
      sequenceNumber: number, box: box, offset: offset, data: data, tracks: tracks,
      malformed: malformed)
  }

  private mutating func payload(_ box: BoxHeader, least: Int, _ path: String) -> [UInt8] {
    let bytes = scanner.payload(box, limit: FragmentParser.limit)
    if bytes.count < least { malformed.append(path) }
    return bytes
  }

  private mutating func track(_ box: BoxHeader) -> TrackFragment {
    var track = TrackFragment(trackID: 0)
    var shared = FragmentedTrack.Defaults()
    var base = offset
    for child in scanner.boxes(from: box.payload, to: box.end) {
      switch child.type {
      case "tfhd": (base, shared) = header(child, &track)
      case "tfdt":
        let bytes = payload(child, least: 8, "moof/traf/tfdt")
        track.baseDecodeTime =
          bytes.first == 1
          ? Int64(clamping: bytes.bigEndian64(at: 4)) : Int64(bytes.bigEndian32(at: 4))
        if bytes.first == 1, bytes.count < 12 { malformed.append("moof/traf/tfdt") }
      case "trun": run(child, base, shared, &track)
      case "sbgp":
        let bytes = payload(child, least: 16, "moof/traf/sbgp")
        if bytes.count >= 20, bytes[4..<8].elementsEqual("roll".utf8) {
          track.rollSamples = Int64(bytes.bigEndian32(at: 12))
        }
      default: break
      }
    }
    return track
  }

  /// `tfhd` (8.8.7): where offsets count from and what the samples share.
  private mutating func header(
    _ box: BoxHeader, _ track: inout TrackFragment
  ) -> (Int64, FragmentedTrack.Defaults) {
    let bytes = payload(box, least: 8, "moof/traf/tfhd")
    let flags = bytes.bigEndian32(at: 0) & 0xFF_FFFF
    track.trackID = Int(bytes.bigEndian32(at: 4))
    var shared = defaults[track.trackID] ?? FragmentedTrack.Defaults()
    var place = 8
    // Without either flag, data of later tracks follow those of the ones before.
    var base = flags & 0x02_0000 != 0 ? offset : dataEnd
    if flags & 0x01 != 0 {
      base = Int64(clamping: bytes.bigEndian64(at: place))
      place += 8
    }
    if flags & 0x02 != 0 { place += 4 }
    func take(_ flag: UInt32, _ field: inout UInt32) {
      guard flags & flag != 0 else { return }
      field = bytes.bigEndian32(at: place)
      place += 4
    }
    take(0x08, &shared.duration)
    take(0x10, &shared.size)
    take(0x20, &shared.flags)
    if bytes.count < place { malformed.append("moof/traf/tfhd") }
    return (base, shared)
  }

  /// `trun` (8.8.8).
  private mutating func run(
    _ box: BoxHeader, _ base: Int64, _ shared: FragmentedTrack.Defaults,
    _ track: inout TrackFragment
  ) {
    let bytes = payload(box, least: 8, "moof/traf/trun")
    let flags = bytes.bigEndian32(at: 0) & 0xFF_FFFF
    let count = Int64(bytes.bigEndian32(at: 4))
    var place = 8
    var start = track.extents.isEmpty ? base : dataEnd
    if flags & 0x01 != 0 {
      start = Saturating.sum(base, Int64(Int32(bitPattern: bytes.bigEndian32(at: place))))
      place += 4
    }
    var first: UInt32?
    if flags & 0x04 != 0 {
      first = bytes.bigEndian32(at: place)
      place += 4
    }
    let fields = [0x100, 0x200, 0x400, 0x800].map { flags & UInt32($0) != 0 }
    let width = fields.filter { $0 }.count * 4
    if Int64(bytes.count) != Int64(place) + count * Int64(width) {
      malformed.append("moof/traf/trun")
    }
    let listed = width == 0 ? count : min(count, Int64(max(0, bytes.count - place) / width))
    var size: Int64 = 0
    var index: Int64 = 0
    while index < listed {
      let values = FragmentParser.entry(bytes, place, fields, shared)
      let sync = (index == 0 && !fields[2] ? first ?? values.flags : values.flags)
      let offset = Int64(values.offset)
      let sample = FragmentSample(
        size: Int(values.size), duration: Int64(values.duration),
        compositionOffset: bytes.first == 0 ? offset : Int64(Int32(bitPattern: values.offset)),
        isSync: sync & SampleFlags.nonSyncBit == 0)
      // Without fields of their own, all samples but perhaps the first are alike.
      let alike = width == 0 && (index > 0 || first == nil) ? listed - index : 1
      let run = SampleRun(count: alike, sample: sample)
      size = Saturating.sum(size, run.size)
      if let last = track.samples.indices.last, track.samples[last].sample == sample {
        track.samples[last].count = Saturating.sum(track.samples[last].count, alike)
      } else {
        track.samples.append(run)
      }
      index += alike
      place += width
    }
    track.extents.append(TrackFragment.Extent(offset: start, size: size))
    dataEnd = Saturating.sum(start, size)
  }

  private static func entry(
    _ bytes: [UInt8], _ place: Int, _ fields: [Bool], _ shared: FragmentedTrack.Defaults
  ) -> (duration: UInt32, size: UInt32, flags: UInt32, offset: UInt32) {
    var place = place
    var values = [shared.duration, shared.size, shared.flags, 0]
    for index in 0..<4 where fields[index] {
      values[index] = bytes.bigEndian32(at: place)
      place += 4
    }
    return (values[0], values[1], values[2], values[3])
  }
}
