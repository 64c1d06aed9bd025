// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Matroska
import MediaOut
import Platform

/// Tracks that are carried into an output as they are, with an account of what was handed out.
final class CarriedTracks: CodedTracks {
  private let source: any CodedTracks
  private var sums: [TrackSum]
  /// Accounts that were asked for; nothing more is handed out then.
  private var closed: [TrackAccount]?

  let tracks: [OutputTrackFacts]

  /// Hands out the samples of `source`; `hasDigests` is whether a report states their SHA-256.
  /// - Throws: ``MediaError`` of kind `outOfResources` where memory is out.
  init(_ source: any CodedTracks, hasDigests: Bool = true) throws {
    self.source = source
    tracks = source.tracks
    sums = try tracks.map { _ in try TrackSum(hasDigest: hasDigests) }
  }

  var name: String { source.name }

  /// When the last sample that was handed out is presented.
  private(set) var reached = MediaTime(ticks: 0, rate: 1)

  /// Samples handed out so far.
  var count: Int { sums.reduce(0) { $0 + $1.count } }

  /// Accounts of them, one a track, to be asked for after the last one.
  var accounts: [TrackAccount] {
    if let closed { return closed }
    let made = sums.map { $0.close() }
    closed = made
    return made
  }

  func nextOfAll() throws -> (track: Int, sample: MediaSample)? {
    guard closed == nil else { throw MediaError(.internal, "\(name): its account is closed") }
    guard let next = try source.nextOfAll() else { return nil }
    let (facts, sample) = (tracks[next.track], next.sample)
    sample.data.withUnsafeBytes { sums[next.track].add($0) }
    sums[next.track].add(
      decodeTime: sample.decodeTime, compositionOffset: sample.compositionOffset)
    let start =
      facts.startOffset + sample.decodeTime + sample.compositionOffset - facts.priming
    reached = MediaTime(ticks: start, rate: Int64(facts.timescale))
    sums[next.track].instants.append(reached.nanoseconds)
    if let frame = sample.frame { sums[next.track].add(frame) }
    return next
  }
}

/// Number, bytes and times of a track's samples.
struct TrackAccount: Equatable {
  let count: Int
  /// SHA-256 of the bytes, one sample after the other; `nil` where no report states it.
  let digest: String?
  /// Checksum of the same bytes, which proofs compare: nobody forges what was just written.
  let checksum: [UInt8]
  /// SHA-256 of the times at which samples are decoded and presented, in ticks since the first is decoded.
  let times: String
  /// When samples are presented, in nanoseconds; none where the file's own ticks are compared.
  let instants: [Int64]
  /// Lengths that blocks state, and padding that they state, in nanoseconds; none where the file's own ticks are compared.
  var durations: [Int64] = []
  var paddings: [Int64] = []
  /// Number of the blocks at which decoding may begin, and the sum of their places; 0 where the file's own tables are compared.
  var keys = SIMD2<Int>.zero
}

/// Sums up a ``TrackAccount``.
struct TrackSum {
  private(set) var count = 0
  private var bytes: SampleSum
  private var times = Digest(.sha256)
  fileprivate var instants: [Int64] = []
  private var durations: [Int64] = []
  private var paddings: [Int64] = []
  private var keys = SIMD2<Int>.zero
  private var blocks = 0

  /// A sum of no samples. Only what a report states needs a digest.
  /// - Throws: ``MediaError`` of kind `outOfResources` where memory is out.
  init(hasDigest: Bool = false) throws {
    bytes = try SampleSum(hasDigest: hasDigest)
  }

  /// The account of all that was added, once.
  func close() -> TrackAccount {
    TrackAccount(
      count: count, digest: bytes.hexadecimal, checksum: bytes.finish(),
      times: times.hexadecimal, instants: instants, durations: durations, paddings: paddings,
      keys: keys)
  }

  /// Adds the facts of a block of Matroska. Frames that shared one state no length of their own.
  mutating func add(_ frame: MatroskaFrame) {
    // Hostile lengths saturate here.
    if frame.lace.count == 1, let length = frame.duration { durations.append(min(length, 1 << 53)) }
    if frame.discardPadding != 0 { paddings.append(frame.discardPadding) }
    if frame.isKey { keys &+= SIMD2(1, blocks) }
    blocks += 1
  }

  /// Adds bytes of samples, which may come in other pieces than they were written in.
  mutating func add(_ piece: UnsafeRawBufferPointer) {
    bytes.update(piece)
  }

  /// Adds a sample's times.
  mutating func add(decodeTime: Int64, compositionOffset: Int64) {
    count += 1
    withUnsafeBytes(of: (decodeTime.littleEndian, compositionOffset.littleEndian)) {
      times.update($0)
    }
  }
}

/// The tracks of a written file as a reader that isn't the writer finds them.
protocol StoredTracks {
  /// The first fault of the file's structure; `nil` for none.
  var fault: String? { get }
  /// Kinds of the tracks in the order of the file; `nil` for a kind that isn't written.
  var kinds: [OutputTrackFacts.Kind?] { get }

  /// Accounts of the tracks with these places in the file; none for a place without a track.
  /// - Throws: ``MediaError`` of kind `outOfResources` where memory is out.
  func accounts(of places: Set<Int>) throws -> [Int: TrackAccount]

  /// Whether the times that were found are those that were meant, as exactly as the file can state them.
  func hasTimes(_ found: TrackAccount, of meant: TrackAccount) -> Bool
}

extension StoredTracks {
  func hasTimes(_ found: TrackAccount, of meant: TrackAccount) -> Bool {
    found.times == meant.times
  }
}

/// The tracks of a fragmented movie.
struct FragmentedTracks: StoredTracks {
  let fault: String?
  let kinds: [OutputTrackFacts.Kind?]
  private let source: ByteSource
  private let reader: FragmentedMovieReader?

  init(_ file: LocalFile) {
    source = file.source
    fault = FragmentedMovieCheck(source).findings.first.map { "\($0)" }
    reader = FragmentedMovieReader(source)
    kinds = (reader?.tracks ?? []).map { OutputTrackFacts.Kind(handler: $0.handler) }
  }

  func accounts(of places: Set<Int>) throws -> [Int: TrackAccount] {
    guard let reader, !places.isEmpty else { return [:] }
    var sums: [Int: (sum: TrackSum, time: Int64, first: Int64?)] = [:]
    let ids = Dictionary(
      places.filter(reader.tracks.indices.contains).map { (reader.tracks[$0].id, $0) },
      uniquingKeysWith: { first, _ in first })
    for place in ids.values { sums[place] = (try TrackSum(), 0, nil) }
    reader.forEachFragment { fragment in
      for part in fragment.tracks {
        // Taken out, the entry is the only owner of its digests, which then aren't copied.
        guard let place = ids[part.trackID], var entry = sums.removeValue(forKey: place) else {
          continue
        }
        if let base = part.baseDecodeTime {
          entry.first = entry.first ?? base
          entry.time = base - (entry.first ?? base)
        }
        for run in part.samples {
          for _ in 0..<run.count {
            entry.sum.add(
              decodeTime: entry.time, compositionOffset: run.sample.compositionOffset)
            entry.time += run.sample.duration
          }
        }
        for extent in part.extents { entry.sum.add(source, extent.offset, extent.size) }
        sums[place] = entry
      }
      return true
    }
    return sums.mapValues { $0.sum.close() }
  }
}

/// The tracks of a movie whose samples lie in tables.
struct ProgressiveTracks: StoredTracks {
  let fault: String?
  let kinds: [OutputTrackFacts.Kind?]
  private let source: ByteSource
  private let reader: ProgressiveMovieReader?

  init(_ file: LocalFile) {
    source = file.source
    fault = ProgressiveMovieCheck(source).findings.first.map { "\($0)" }
    reader = ProgressiveMovieReader(source)
    kinds = (reader?.movie.tracks ?? []).map { OutputTrackFacts.Kind(handler: $0.handler) }
  }

  func accounts(of places: Set<Int>) throws -> [Int: TrackAccount] {
    var accounts: [Int: TrackAccount] = [:]
    for place in places {
      guard let reader, reader.tables.indices.contains(place), let tables = reader.tables[place]
      else { continue }
      var sum = try TrackSum()
      tables.forEachTime { sum.add(decodeTime: $0, compositionOffset: $1) }
      for chunk in tables.chunks { sum.add(source, chunk.offset, chunk.size) }
      accounts[place] = sum.close()
    }
    return accounts
  }
}

/// The tracks of a Matroska file.
struct MatroskaTracks: StoredTracks {
  let fault: String?
  let kinds: [OutputTrackFacts.Kind?]
  private let reader: MatroskaReader?
  private let originals: Set<Int>

  /// - Parameter originals: places of tracks that were copied as they are, whose times and first frames are as good as their source's.
  init(_ file: LocalFile, originals: Set<Int>) {
    self.originals = originals
    let source = file.source
    let read = try? MatroskaReader(source)
    let numbers = Set(
      originals.compactMap { place in
        read.flatMap { $0.tracks.indices.contains(place) ? $0.tracks[place].number : nil }
      })
    fault = MatroskaCheck(source).findings.first { finding in
      // Sources may be interleaved so widely that clusters go back.
      if finding.code == .clusterTime { return originals.isEmpty }
      let isTimely = [.blockTime, .keyFrame].contains(finding.code)
      return !(isTimely && finding.track.map(numbers.contains) == true)
    }.map { "\($0)" }
    reader = read
    kinds = (reader?.tracks ?? []).map { track in
      switch track.kind {
      case .audio: return .sound
      case .video: return .pictures
      case .subtitle: return .subtitles
      default: return .other
      }
    }
  }

  func accounts(of places: Set<Int>) throws -> [Int: TrackAccount] {
    guard let reader, !places.isEmpty else { return [:] }
    var sums: [Int: TrackSum] = [:]
    let numbers = Dictionary(
      places.filter(reader.tracks.indices.contains).map { (reader.tracks[$0].number, $0) },
      uniquingKeysWith: { first, _ in first })
    for place in numbers.values { sums[place] = try TrackSum() }
    do {
      try reader.forEachBlock(of: Set(numbers.keys), as: .stored) { frame in
        // Taken out, the sum is the only owner of its digests, which then aren't copied.
        guard let place = numbers[frame.track], var sum = sums.removeValue(forKey: place) else {
          return true
        }
        frame.data.withUnsafeBytes { sum.add($0) }
        sum.add(decodeTime: 0, compositionOffset: 0)
        sum.instants.append(
          Saturating.difference(frame.time, reader.tracks[place].codecDelay.nanoseconds))
        if originals.contains(place) { sum.add(frame) }
        sums[place] = sum
        return true
      }
    } catch { return [:] }
    return sums.mapValues { $0.close() }
  }

  /// Times are rounded to a tick, once, and so are both ends of a length.
  func hasTimes(_ found: TrackAccount, of meant: TrackAccount) -> Bool {
    let tick = reader?.info.timestampScale ?? 0
    func agree(_ found: [Int64], _ meant: [Int64], within slack: Int64) -> Bool {
      found.count == meant.count && zip(found, meant).allSatisfy { ($0 - $1).magnitude <= slack }
    }
    return agree(found.instants, meant.instants, within: (tick + 1) / 2)
      && agree(found.durations, meant.durations, within: tick)
      && found.paddings == meant.paddings && found.keys == meant.keys
  }
}

extension OutputTrackFacts.Kind {
  /// The kind of a track with this handler; `nil` for one that isn't written.
  fileprivate init?(handler: String) {
    let kinds: [String: OutputTrackFacts.Kind] = [
      "soun": .sound, "vide": .pictures, "sbtl": .subtitles, "text": .chapters,
    ]
    guard let kind = kinds[handler] else { return nil }
    self = kind
  }
}

extension TrackSum {
  /// Bytes read at once.
  private static let piece: Int64 = 1 << 20

  /// Adds `size` bytes of `source` from `offset` on, as far as there are any.
  fileprivate mutating func add(_ source: ByteSource, _ offset: Int64, _ size: Int64) {
    var offset = max(0, offset)
    // A hostile size must not cause a trap.
    let end = size < source.size - offset ? offset + max(0, size) : source.size
    while offset < end {
      let bytes = source.bytes(at: offset, count: Int(min(TrackSum.piece, end - offset)))
      guard !bytes.isEmpty else { return }
      bytes.withUnsafeBytes { add($0) }
      offset += Int64(bytes.count)
    }
  }
}

/// Reads the written files of a movie back: their structure, and every track that was carried into them.
struct TracksProof {
  let target: OutputTarget
  /// The files as they were written.
  let files: [MultiplexedFile]
  /// Kind of the output.
  let kind: ContainerKind

  /// Compares all files.
  /// - Throws: ``MediaError`` of kind `verification-failed` when one isn't as meant.
  func check() throws {
    let opened = try target.openedMultiplexedFiles()
    // A file without a partner would pass unread.
    guard !files.isEmpty, files.count == opened.count else {
      throw failure("\(opened.count) files aren't the \(files.count) that were written", "file")
    }
    for (written, file) in zip(files, opened) {
      // HLS keeps pictures in a file of their own.
      let isOfPictures = written.tracks.first?.tracks.first?.kind == .pictures
      let what = files.count > 1 && isOfPictures ? "video" : "file"
      try check(stored(file, written), TracksProof.places(written), what)
    }
  }

  private func stored(_ file: LocalFile, _ written: MultiplexedFile) -> any StoredTracks {
    switch kind {
    case .matroska, .webm:
      // The pushed track has a place, too.
      let places = written.order.flatMap { $0?.tracks.map(\.isOriginal) ?? [false] }
      return MatroskaTracks(file, originals: Set(places.indices.filter { places[$0] }))
    case .mp4: return ProgressiveTracks(file)
    default: return FragmentedTracks(file)
    }
  }

  /// A track of a file: what is meant of one that was carried, `nil` of one that was encoded.
  private typealias Place = (facts: OutputTrackFacts, account: TrackAccount)?

  private static func places(_ file: MultiplexedFile) -> [Place] {
    file.order.flatMap { source -> [Place] in
      guard let source else { return [nil] }
      guard let carried = source as? CarriedTracks else { return source.tracks.map { _ in nil } }
      return Array(zip(carried.tracks, carried.accounts))
    }
  }

  private func check(
    _ stored: some StoredTracks, _ written: [Place], _ what: String
  ) throws {
    if let fault = stored.fault { throw failure(fault, what) }
    guard stored.kinds.count == written.count else {
      throw failure(
        "\(stored.kinds.count) tracks aren't the \(written.count) that were written", what)
    }
    let carried = written.indices.compactMap { place in written[place].map { (place, $0) } }
    let accounts = try stored.accounts(of: Set(carried.map(\.0)))
    for (place, (facts, meant)) in carried {
      let (name, what) = TracksProof.words(facts.kind, what)
      guard stored.kinds[place] == facts.kind, let found = accounts[place],
        found.count == meant.count, found.checksum == meant.checksum
      else {
        throw failure(
          "\(accounts[place]?.count ?? 0) \(name) aren't the \(meant.count) that were copied", what)
      }
      guard stored.hasTimes(found, of: meant) else {
        throw failure("its \(name) have other times", what)
      }
    }
  }

  /// Names of a track's samples and of what isn't as meant, for messages.
  private static func words(_ kind: OutputTrackFacts.Kind, _ what: String) -> (String, String) {
    switch kind {
    case .sound: return ("frames", what)
    case .pictures: return ("pictures", "video")
    case .subtitles: return ("texts", what)
    case .chapters: return ("titles", what)
    case .other: return ("frames", what)
    }
  }

  private func failure(_ fault: String, _ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written \(what) isn't as meant: \(fault); nothing was kept")
  }
}
