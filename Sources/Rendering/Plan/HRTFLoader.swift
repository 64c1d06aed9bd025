// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import Platform
import Report
import Signal
import Spatial
import Verify

/// Loads HRTF sets with the fingerprints that reports name them by.
package struct HRTFLoader {
  /// Keeps what was read of SOFA files; `nil` reads them every time.
  package var cache: HRTFCache?
  /// Process in which SOFA files are parsed.
  package var reading: SOFAReading
  /// Sets of earlier renders; `nil` makes each anew.
  package var shared: SharedSets?

  /// A loader that keeps what it reads in `cache`, parses SOFA files with `reading` and takes built-in sets from `shared`.
  package init(
    cache: HRTFCache? = nil, reading: SOFAReading = .inProcess, shared: SharedSets? = nil
  ) {
    self.cache = cache
    self.reading = reading
    self.shared = shared
  }

  /// A set ready for rendering.
  package struct Loaded {
    /// The content of a set.
    package enum Content {
      /// Responses of directions.
      case directions(HRTFSet)
      /// Responses of single loudspeakers.
      case channels(ChannelSet)
    }

    /// The set.
    package let content: Content
    /// SHA-256 of the file or of the built-in data.
    package let sha256: String

    /// `kemar`, or the file's name.
    package var id: String {
      switch content {
      case .directions(let set): return set.id
      case .channels(let set): return set.id
      }
    }

    /// The set where it holds responses of directions.
    /// - Throws: ``MediaError`` of kind `unsupportedFeature` for one of single loudspeakers.
    package var set: HRTFSet {
      get throws {
        switch content {
        case .directions(let set): return set
        case .channels(let set):
          throw MediaError(
            .unsupportedFeature, about: set.id,
            "holds responses of single loudspeakers, which only headphones play that get channels; give a SOFA file "
              + "for objects, for loudspeakers, and to inspect or compare")
        }
      }
    }
  }

  /// Refuses options that the set can't follow.
  /// - Throws: ``MediaError`` of kind `usage` when the built-in set is to stay uneven: only its left
  ///   half was measured; and for a head that nobody has.
  package static func check(_ hrtf: HRTFRequest) throws {
    try hrtf.options.check()
    guard hrtf.options.isSymmetrised || hrtf.choice != .builtIn else {
      throw MediaError(
        .usage,
        "\(setting: .symmetry) off: only the left half of the built-in set was measured, its right half "
          + "is the mirror image; give a SOFA file")
    }
  }

  /// Loads a set.
  /// - Throws: what ``check(_:)``, ``HRTFSet/load(path:options:)`` and ``LocalFile/init(path:)``
  ///   throw.
  package func load(_ hrtf: HRTFRequest) throws -> Loaded {
    try HRTFLoader.check(hrtf)
    switch hrtf.choice {
    case .builtIn:
      let set =
        try shared?.builtIn(hrtf.options) ?? HRTFSet.builtIn(options: hrtf.options)
      return Loaded(content: .directions(set), sha256: HRTFSet.builtInSHA256)
    case .file(let path):
      let file = try LocalFile(path: path)
      if let channels = HeSuViFile.channels(file) {
        return try HeSuViFile.load(file, channels: channels, hrtf.options)
      }
      let sha256 = try file.sha256()
      let set = try HRTFSet.load(
        file, sha256: sha256, options: hrtf.options, cache: cache, reading: reading)
      return Loaded(content: .directions(set), sha256: sha256)
    case .room(let path):
      let file = try LocalFile(path: path)
      if let channels = HeSuViFile.channels(file) {
        return try HeSuViFile.load(file, channels: channels, hrtf.options)
      }
      return try room(file, hrtf.options)
    }
  }

  /// Refuses options for a set of single loudspeakers, called `name`, which is played as it is.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func checkPlain(_ options: HRTFOptions, of name: String) throws {
    // Whether it would be processed changes nothing.
    guard options == HRTFOptions(isProcessed: options.isProcessed) else {
      throw MediaError(
        .usage, about: name,
        "is played as it is; leave out \(setting: .symmetry) off, \(setting: .delayScale) and \(setting: .headCircumference)"
      )
    }
  }

  /// The measured room `set` in the file at `path`, which had this SHA-256, as each of `views` hears it.
  /// - Throws: ``MediaError`` when the file can't be used any more, or holds more than is read.
  func turned(
    _ set: ChannelSet, path: String, sha256: String, views: [Int]
  ) throws -> [ChannelSet] {
    let (read, room) = try room(try LocalFile(path: path), views: views)
    guard read == sha256 else { throw HRTFLoader.changed(set.id) }
    return try set.turned(room)
  }

  /// The measured room in the SOFA `file`.
  private func room(_ file: LocalFile, _ options: HRTFOptions) throws -> Loaded {
    let name = PathParts.split(file.path).name
    try HRTFLoader.checkPlain(options, of: name)
    let (sha256, room) = try room(file, views: [])
    return Loaded(content: .channels(try ChannelSet(id: name, room: room)), sha256: sha256)
  }

  /// The responses in the SOFA `file` of a room, with the SHA-256 of the file.
  private func room(
    _ file: LocalFile, views: [Int]
  ) throws -> (sha256: String, room: RoomMeasurements) {
    let sha256 = try file.sha256()
    let room = try reading.room(path: file.path, sha256: sha256, views: views)
    guard !file.hasChanged, file.isSameFile(as: file.path) else {
      throw HRTFLoader.changed(PathParts.split(file.path).name)
    }
    return (sha256, room)
  }

  private static func changed(_ name: String) -> MediaError {
    MediaError(.inputUnreadable, about: name, "changed while it was read; try again")
  }
}

/// WAV files with the responses of seven loudspeakers, as HeSuVi reads them.
package enum HeSuViFile {
  /// Bytes in which the description of the samples is looked for.
  private static let head = 1 << 16
  /// Largest file, in bytes.
  private static let largest = 64 << 20

  /// Whether the file at `path` is WAV with as many channels as such a set has.
  package static func looksLikeASet(_ path: String) -> Bool {
    guard let file = try? LocalFile(path: path) else { return false }
    return channels(file).map(ChannelSet.channelCounts.contains) ?? false
  }

  /// The number of channels of `file`; `nil` where it is no WAV file.
  static func channels(_ file: LocalFile) -> Int? {
    let bytes = file.bytes(at: 0, count: Int(min(file.size, Int64(head))))
    guard bytes.count > 36, bytes.starts(with: "RIFF".utf8) || bytes.starts(with: "RF64".utf8),
      bytes[8..<12].elementsEqual("WAVE".utf8)
    else { return nil }
    var position = 12
    while position + 12 <= bytes.count {
      if bytes[position..<position + 4].elementsEqual("fmt ".utf8) {
        return Int(bytes[position + 10]) + Int(bytes[position + 11]) << 8
      }
      let size = (0..<4).reduce(0) { $0 + Int(bytes[position + 4 + $1]) << (8 * $1) }
      position += 8 + size + size % 2
    }
    return 0
  }

  /// The set in the WAV `file` with so many `channels`, as its header says.
  /// - Throws: ``MediaError`` for files that hold something else or are damaged, and of kind `usage` for options that such a set
  ///   can't follow.
  static func load(
    _ file: LocalFile, channels: Int, _ options: HRTFOptions
  ) throws -> HRTFLoader.Loaded {
    let path = file.path
    let name = PathParts.split(path).name
    func refusal(_ what: String) -> MediaError { MediaError(.inputUnreadable, about: name, what) }
    guard ChannelSet.channelCounts.contains(channels) else {
      throw refusal(
        (channels == 0 ? "has a header that isn't understood" : "has \(channels) channels")
          + "; a HeSuVi file has 14, or 7 for a symmetric head")
    }
    guard file.size <= Int64(largest) else {
      throw refusal("has \(file.size) bytes, more than a set has; give another file")
    }
    try HRTFLoader.checkPlain(options, of: name)
    let sha256 = try file.sha256()
    let log = DiagnosticLog()
    // The channels are pairs of ears, whatever places the file names for them.
    let places = Array(Speaker.allCases.filter { $0.rawValue < 18 }.prefix(channels))
    let sound = try SoundPlanes(
      path: path, InputBounds(), layout: ChannelLayout(places),
      limit: Int(ChannelSet.longest * 96_000), log)
    if let doubt = log.degradations.first { throw refusal("is damaged: \(doubt.message)") }
    guard !file.hasChanged, file.isSameFile(as: path) else {
      throw refusal("changed while it was read; try again")
    }
    return HRTFLoader.Loaded(
      content: .channels(try ChannelSet(id: name, planes: sound.planes, rate: sound.rate)),
      sha256: sha256)
  }
}

/// All channels of a short sound file that holds responses, not a programme.
struct SoundPlanes {
  /// The channels, equally long.
  let planes: [[Float]]
  /// Samples a second.
  let rate: Int

  /// Reads the file at `path`, which keeps to `bounds` and has at most `limit` samples. A `layout` takes the place of what the file
  /// says of its channels, whose places don't matter. Doubts go to `log`.
  /// - Throws: ``MediaError`` when it can't be read, is damaged, a playlist, too long or empty.
  init(
    path: String, _ bounds: InputBounds, layout: ChannelLayout? = nil, limit: Int,
    _ log: DiagnosticLog
  ) throws {
    var clip = Clip(.file(path))
    clip.decoding.damage = .fail
    clip.decoding.bounds = bounds
    clip.decoding.bounds.isOffline = true
    clip.decoding.layout = layout
    let input = try MediaInput(
      path: path, track: clip.decoding.track, bounds: clip.decoding.bounds, log: log,
      isCancelled: { false })
    // Files that a playlist names aren't in the digest that reports and caches know the file by.
    guard input.presentation == nil else {
      throw MediaError(
        .usage, about: path, "is a playlist, so it is no impulse response; give a sound file")
    }
    let source = try OpenedClip(clip, of: input, log: log).source
    let bed = try BedSource(source, for: "a file of impulse responses")
    let all = AudioBuffer(channels: bed.format.channels)
    try bed.forEachBlock { block in
      all.append(block)
      guard all.frames <= limit else {
        throw MediaError(
          .usage, about: path,
          "is longer than \(limit) samples, so it is no impulse response; cut it")
      }
    }
    planes = (0..<all.channels).map { Array(all.channel($0)) }
    rate = bed.format.sampleRate
  }
}

/// HRTF sets that a process keeps from one render to the next. The averages over all directions that make a set take longer than
/// the rendering of a short sound; a process that renders once had better give the set's memory back.
package final class SharedSets: Sendable {
  /// A batch mostly has one; outputs and jobs may ask for others.
  private let builtIn = SharedDesigns<HRTFOptions, HRTFSet>(capacity: 2)

  /// No sets yet.
  package init() {}

  /// The built-in set.
  /// - Throws: what ``HRTFSet/builtIn(options:)`` throws.
  func builtIn(_ options: HRTFOptions) throws -> HRTFSet {
    try builtIn.design(for: options) { try HRTFSet.builtIn(options: options) }
  }
}
