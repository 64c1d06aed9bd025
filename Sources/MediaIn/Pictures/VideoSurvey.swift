// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Everything that must be known of a video track before its first picture is copied. All of its packets
/// are read once to find it.
package struct VideoSurvey: Sendable {
  package let stream: StreamInfo
  /// The sample entry, HDR metadata included.
  package private(set) var entry: VisualSampleEntry
  /// Size at which it is shown, in pixels.
  package let size: FragmentedTrack.Size
  /// Packets before the first that is copied.
  package private(set) var skipped = 0
  /// Packets that are copied.
  package private(set) var count = 0
  /// Decoding time of the first copied packet, in ticks.
  package private(set) var firstDecode: Int64 = 0
  /// First time that is shown, in ticks of the stream's own clock.
  package private(set) var start: Int64 = 0
  /// End of what is shown, in the same ticks.
  package private(set) var end: Int64 = 0
  /// Ticks of which all times are multiples, counted from ``start``; what each picture lasts where that doesn't vary.
  package private(set) var grid: Int64 = 1
  /// Ticks that an edit list adds to the stream's own times.
  package let shift: Int64
  /// Whether a picture that is decoded after a key frame is shown before it (an open group of pictures).
  /// Decoding that begins at such a key frame loses pictures.
  package private(set) var hasOpenGroups = false
  /// Packets that the container marks as damaged.
  package private(set) var corrupt = 0
  /// Why reading ended early, if it did.
  package private(set) var damage: String?

  /// Codecs that can be copied.
  package static let codecs = ["h264", "hevc", "av1", "vp9"]

  /// Reads all packets of `stream`.
  /// - Parameters:
  ///   - file: the file.
  ///   - stream: a video stream of it.
  ///   - from: where the range begins on the presentation timeline; the first picture copied is the last
  ///     key frame at or before it. `nil` for the beginning.
  ///   - to: where the range ends; `nil` for the end.
  ///   - options: how the file is opened.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when it can't be copied.
  package init(
    file: LocalFile, stream: StreamInfo, from: MediaTime? = nil, to: MediaTime? = nil,
    options: InputOptions
  ) throws {
    self.stream = stream
    guard VideoSurvey.codecs.contains(stream.codec) else {
      throw MediaError(.unsupportedFeature, "its codec \(stream.codec) can't be copied")
    }
    let media = try MediaFile(file: file, options: options)
    let edits = media.track(of: stream)?.edits ?? []
    guard edits.filter({ $0.mediaTime >= 0 }).count <= 1, !edits.contains(where: \.changesSpeed)
    else { throw MediaError(.unsupportedFeature, "its edit list has several parts") }
    guard edits.allSatisfy({ $0.mediaTime.magnitude < 1 << 50 && $0.duration < 1 << 50 }) else {
      throw MediaError(.unsupportedFeature, "the times of its edit list are damaged")
    }
    let shift = media.editShift(of: stream)
    self.shift = shift
    let tag = VideoSurvey.tag(stream)
    let header = try VideoSurvey.header(media, stream, tag)
    size = header.size
    entry = header.entry
    let framing = NALFraming(
      codec: stream.codec, extradata: stream.extradata, entry: header.entry)
    let base = stream.timeBase
    func ticks(_ time: MediaTime?) -> Int64? {
      time.map {
        MediaTime.rescale($0.ticks, by: base.denominator, over: $0.rate * base.numerator) - shift
      }
    }
    // The part of the media that the edit list leaves out isn't copied either.
    let scale = Int64(media.movie?.timescale ?? 1)
    let edit = edits.first { $0.mediaTime >= 0 }
    let editEnd = edit.flatMap { edit in
      edit.duration > 0
        ? edit.mediaTime
          + MediaTime.rescale(edit.duration, by: base.denominator, over: scale * base.numerator)
        : nil
    }
    let wanted = (
      from: [edit?.mediaTime, ticks(from)].compactMap { $0 }.max(),
      to: [editEnd, ticks(to)].compactMap { $0 }.min()
    )
    try survey(media, framing, wanted.from, wanted.to)
  }

  private mutating func survey(
    _ media: MediaFile, _ framing: NALFraming, _ from: Int64?, _ to: Int64?
  ) throws {
    media.container?.select(streams: [stream.index])
    let packet = try Packet()
    var sum = Sum()
    var clock = DecodeClock(stream: stream)
    var index = 0
    while try read(media, packet) {
      guard packet.streamIndex == stream.index else { continue }
      let times = try clock.times(of: packet)
      if let to, times.decode >= to, sum.hasKey { break }
      let isNewStart = packet.isKey && (!sum.hasKey || times.shown <= from ?? .min)
      if isNewStart {
        sum = Sum()
        sum.hasKey = true
        skipped = index
        firstDecode = times.decode
        hasOpenGroups = false
        corrupt = 0
      }
      index += 1
      guard sum.hasKey else { continue }
      if packet.isKey {
        sum.key = isNewStart ? nil : times.shown
      } else if let key = sum.key, times.shown < key {
        hasOpenGroups = true
      }
      let sample = try framing.sample(packet.bytes())
      if sum.count == 0 { completeEntry(sample) }
      if packet.isCorrupt { corrupt += 1 }
      sum.add(times, min(max(0, packet.duration), 1 << 32))
    }
    guard sum.count > 0, sum.end > sum.start else {
      throw MediaError(.unsupportedFeature, "it has no key frame to begin with")
    }
    count = sum.count
    grid = max(1, sum.grid)
    start = max(sum.start, from ?? .min)
    end = min(sum.end, to ?? .max)
    let (product, isFar) = max(start.magnitude, end.magnitude, shift.magnitude)
      .multipliedReportingOverflow(by: stream.timeBase.numerator.magnitude)
    guard !isFar, product < 1 << 58 else {
      throw MediaError(.unsupportedFeature, "the times of its pictures are damaged")
    }
    guard end > start else {
      throw MediaError(.unsupportedFeature, "it shows nothing in the range")
    }
  }

  private mutating func read(_ media: MediaFile, _ packet: Packet) throws -> Bool {
    do { return try media.opened().read(into: packet) } catch let error as LibAVError {
      guard error.meaning != .outOfMemory else {
        throw MediaError(.outOfResources, about: media.file.path, "memory is out; try again")
      }
      damage = "\(error)"
      return false
    }
  }

  private mutating func completeEntry(_ sample: [UInt8]) {
    let metadata = HDRMetadata(codec: stream.codec, sample: sample, sets: entry.parameterSets)
    if let box = metadata.masteringDisplay { entry.append("mdcv", box) }
    if let box = metadata.lightLevel { entry.append("clli", box) }
  }

  /// Name of the sample entry, where the codec has several. `hvc1` states that all parameter sets lie in
  /// the sample entry.
  private static func tag(_ stream: StreamInfo) -> String? {
    stream.codec == "hevc" ? "hvc1" : nil
  }

  /// Dolby Vision's own name of the sample entry, which libavformat 5.1 doesn't write. This name is used when the
  /// source had such a name, or when players without Dolby Vision can't show the base layer.
  private static func dolbyName(_ stream: StreamInfo) -> String? {
    let names = ["hevc": "dvh1", "h264": "dva1", "av1": "dav1"]
    let had = ["dvh1", "dvhe", "dva1", "dvav", "dav1"].contains(stream.tag ?? "")
    guard had || stream.picture?.dolbyVision?.compatibility == 0 else { return nil }
    return names[stream.codec]
  }

  private static func header(
    _ media: MediaFile, _ stream: StreamInfo, _ tag: String?
  ) throws -> (entry: VisualSampleEntry, size: FragmentedTrack.Size) {
    let bytes: [UInt8]
    do {
      bytes = try media.opened().movieHeader(stream: stream.index, tag: tag)
    } catch let error as LibAVError {
      throw MediaError(.unsupportedFeature, "MP4 can't hold it (\(error))")
    }
    let source = ByteSource(bytes)
    guard let track = FragmentedMovieReader(source)?.tracks.first,
      var entry = VisualSampleEntry(track.sampleEntryBox)
    else { throw MediaError(.unsupportedFeature, "its codec header can't be used") }
    if let name = dolbyName(stream) { entry.rename(to: name) }
    return (entry, track.size)
  }

  /// Sums over the packets since the latest key frame at which copying may start.
  private struct Sum {
    var hasKey = false
    var key: Int64?
    var count = 0
    var start = Int64.max
    var end = Int64.min
    /// The greatest common divisor of the distances between pictures; 0 for one picture.
    private(set) var grid: Int64 = 0
    private var step: Int64 = 1
    private var before: Int64?
    private var first: Int64?

    mutating func add(_ times: (decode: Int64, shown: Int64), _ duration: Int64) {
      if let before { step = max(1, times.decode - before) }
      before = times.decode
      grid = grid.commonDivisor(times.shown - (first ?? times.shown))
      first = first ?? times.shown
      count += 1
      start = min(start, times.shown)
      end = max(end, times.shown + (duration > 0 ? duration : step))
    }
  }
}

/// Static HDR metadata that a bitstream carries in SEI messages (ITU-T H.265, D.2.28 and D.2.35).
///
/// Readers of MP4 look for it in the sample entry only, where the source's container often doesn't have it.
struct HDRMetadata: Equatable {
  /// Payload of `mdcv`: mastering display colour volume.
  private(set) var masteringDisplay: [UInt8]?
  /// Payload of `clli`: content light level.
  private(set) var lightLevel: [UInt8]?

  /// Searches one sample of length-prefixed NAL units, and the NAL units of the sample entry.
  init(codec: String, sample: [UInt8], sets: ParameterSets?) {
    guard let sets, ["h264", "hevc"].contains(codec) else { return }
    var units = sets.units.map { $0[...] }
    var position = 0
    while position + sets.lengthSize <= sample.count {
      let start = position + sets.lengthSize
      let size = sample[position..<start].bigEndian(Int.self)
      guard size > 0, size <= sample.count - start else { break }
      units.append(sample[start..<(start + size)])
      position = start + size
    }
    for unit in units {
      guard let head = unit.first else { continue }
      let isAVC = codec == "h264"
      guard isAVC ? head & 0x1F == 6 : [39, 40].contains(head >> 1 & 0x3F) else { continue }
      read(HDRMetadata.unescaped(unit.dropFirst(isAVC ? 1 : 2)))
    }
  }

  /// Reads the messages of one SEI NAL unit (ITU-T H.265, 7.3.5).
  private mutating func read(_ bytes: [UInt8]) {
    var position = 0
    // Types and sizes are sums of bytes; 255 means that another byte follows.
    func number() -> Int {
      var value = 0
      while position < bytes.count {
        value += Int(bytes[position])
        position += 1
        guard bytes[position - 1] == 255 else { break }
      }
      return value
    }
    while position + 2 < bytes.count {
      let type = number()
      let size = number()
      guard size <= bytes.count - position else { return }
      let payload = Array(bytes[position..<(position + size)])
      // 137 is mastering_display_colour_volume, 144 content_light_level_info.
      if type == 137, size == 24 { masteringDisplay = payload }
      if type == 144, size == 4 { lightLevel = payload }
      position += size
    }
  }

  /// Without emulation prevention bytes (ITU-T H.265, 7.3.1.1).
  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }
}

/// Times of a video stream's packets.
///
/// Matroska stores when a picture is shown, but not when it is decoded. Decoding times are then the
/// presentation times in ascending order, assigned `delay` packets later; the first `delay` packets get
/// times before the first one, a picture's duration apart.
struct DecodeClock {
  private let delay: Int
  private var isStored: Bool?
  private var waiting: [Int64] = []
  private var count = 0
  private var first: Int64 = 0
  private var step: Int64 = 1
  private var last: Int64?

  // H.264 and H.265 reorder at most 16 pictures (size of the decoded picture buffer).
  init(stream: StreamInfo) { delay = min(16, max(0, stream.picture?.reorderDelay ?? 0)) }

  /// Times of the next packet in ticks; decoding times ascend, and none is behind its presentation.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` when the packets have no such times.
  mutating func times(of packet: Packet) throws -> (decode: Int64, shown: Int64) {
    guard let shown = packet.presentationTime, shown.magnitude < 1 << 56 else {
      throw MediaError(.unsupportedFeature, "its pictures have no times")
    }
    let stored = packet.decodeTime
    if isStored == nil { isStored = stored != nil }
    let decode = isStored == true ? stored : derive(shown, packet.duration)
    guard let decode, decode.magnitude < 1 << 56, last.map({ decode > $0 }) ?? true,
      shown >= decode
    else { throw MediaError(.unsupportedFeature, "the times of its pictures don't ascend") }
    last = decode
    return (decode, shown)
  }

  private mutating func derive(_ shown: Int64, _ duration: Int64) -> Int64 {
    if count == 0 {
      first = shown
      step = max(1, duration)
    }
    let place = waiting.firstIndex { $0 > shown } ?? waiting.count
    waiting.insert(shown, at: place)
    defer { count += 1 }
    guard count >= delay else { return first - Int64(delay - count) * step }
    return waiting.removeFirst()
  }
}
