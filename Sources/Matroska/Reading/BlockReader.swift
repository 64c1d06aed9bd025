// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A frame as it was read.
package struct MatroskaFrame: Sendable {
  /// The number of its track.
  package let track: Int
  /// Ticks of its block: the cluster's timestamp and the block's.
  package let ticks: Int64
  /// The time of its block in nanoseconds, with the track's encoder delay; of a later frame of a lace the time that the durations
  /// of those before it make.
  package let time: Int64
  /// Whether decoding may begin here.
  package let isKey: Bool
  /// Whether decoders decode it and don't show it.
  package let isInvisible: Bool
  /// Whether players may leave it out when they are late.
  package let isDiscardable: Bool
  /// Nanoseconds that its block says it lasts; `nil` where it doesn't say so.
  package let duration: Int64?
  /// Nanoseconds at its end that aren't presented, below zero for its beginning; 0 for none.
  package let discardPadding: Int64
  /// Times of the frames that it refers to, from its own on, in nanoseconds.
  package let references: [Int64]
  /// The whole BlockAdditions element; empty for none.
  package let additions: [UInt8]
  package let data: [UInt8]
  /// The step that `data` still have to be freed from, such as compression; `nil` where they are what the codec made.
  package let encoding: MatroskaContentEncoding.Method?
  /// Place in its lace from 0 on, and the number of its frames; 1 for a block without lacing.
  package let lace: (index: Int, count: Int)
  package let cluster: EBMLPlace
  /// Offset of its SimpleBlock or BlockGroup.
  package let offset: Int64
}

extension MatroskaFrame {
  /// A frame of another container, alone in its block. Its time is the writer's to say.
  package init(
    _ data: [UInt8], isKey: Bool, duration: MediaTime? = nil, discardPadding: MediaTime? = nil
  ) {
    self.init(
      track: 0, ticks: 0, time: 0, isKey: isKey, isInvisible: false, isDiscardable: false,
      duration: duration?.nanoseconds, discardPadding: discardPadding?.nanoseconds ?? 0,
      references: [], additions: [], data: data, encoding: nil, lace: (0, 1),
      cluster: EBMLPlace(id: 0, offset: 0, body: 0, end: 0, isOpen: false, isCut: false),
      offset: 0)
  }
}

extension MatroskaReader {
  /// Forms in which frames are handed out.
  package enum FrameForm: Sendable {
    /// As the codec made them: bytes that header stripping took away are back.
    case restored
    /// As they lie in the file, for a copy that keeps the track's ContentEncodings.
    case stored
    /// Without their bytes, of which only the sizes of laces are read.
    case heads
  }

  /// Hands out frames in file order, until `body` returns `false`. Memory holds a block at most.
  /// - Parameters:
  ///   - wanted: the numbers of the tracks; `nil` for all. Blocks of others aren't read.
  ///   - form: whether header stripping is undone.
  /// - Throws: ``MatroskaFinding`` at the first damaged element, and what `body` throws.
  package func forEachBlock(
    of wanted: Set<Int>? = nil, as form: FrameForm = .restored,
    _ body: (MatroskaFrame) throws -> Bool
  ) throws {
    var frames = frames(of: wanted, as: form)
    while let frame = try frames.next() {
      guard try body(frame) else { return }
    }
  }

  /// The frames of ``forEachBlock(of:as:_:)``, one for each call.
  package func frames(of wanted: Set<Int>? = nil, as form: FrameForm = .restored)
    -> MatroskaFrames
  {
    MatroskaFrames(self, wanted, form)
  }
}

/// The frames of a file in file order. Memory holds a block at most.
package struct MatroskaFrames {
  private let reader: MatroskaReader
  private let wanted: Set<Int>?
  private let form: MatroskaReader.FrameForm
  private let tracks: [Int: MatroskaTrackEntry]
  private var clusters: ArraySlice<EBMLPlace>
  private var open: BlockReader?
  /// Frames of the last block that wait, the next one last.
  private var waiting: [MatroskaFrame] = []

  fileprivate init(
    _ reader: MatroskaReader, _ wanted: Set<Int>?, _ form: MatroskaReader.FrameForm
  ) {
    self.reader = reader
    self.wanted = wanted
    self.form = form
    tracks = Dictionary(
      reader.tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    clusters = reader.clusters[...]
  }

  /// The next frame; `nil` after the last.
  /// - Throws: ``MatroskaFinding`` at a damaged element.
  package mutating func next() throws(MatroskaFinding) -> MatroskaFrame? {
    while true {
      if let frame = waiting.popLast() { return frame }
      if let block = try open?.next() {
        waiting = block.reversed()
      } else if let ended = open {
        open = nil
        if let finding = reader.scanner.cut(ended.cluster) { throw finding }
      } else if let cluster = clusters.popFirst() {
        open = BlockReader(
          scanner: reader.scanner, cluster: cluster, scale: reader.info.timestampScale,
          tracks: tracks, wanted: wanted, form: form)
      } else if let lost = reader.lost {
        throw lost
      } else {
        return nil
      }
    }
  }
}

/// Reads the blocks of one cluster (RFC 9559, 5.1.3 and 10).
private struct BlockReader {
  /// Bytes of a block at most: a picture without compression in 8K has 200 MB.
  private static let largest = 1 << 28

  /// A block with what its group says of it.
  private struct Group {
    var block: EBMLPlace?
    var duration: Int64?
    var discardPadding: Int64 = 0
    var references: [Int64] = []
    var additions: [UInt8] = []
  }

  let scanner: EBMLScanner
  let cluster: EBMLPlace
  let scale: Int64
  let tracks: [Int: MatroskaTrackEntry]
  let wanted: Set<Int>?
  let form: MatroskaReader.FrameForm
  private var timestamp: Int64?
  /// Offset of the next child of the cluster.
  private var offset: Int64

  init(
    scanner: EBMLScanner, cluster: EBMLPlace, scale: Int64,
    tracks: [Int: MatroskaTrackEntry], wanted: Set<Int>?, form: MatroskaReader.FrameForm
  ) {
    self.scanner = scanner
    self.cluster = cluster
    self.scale = scale
    self.tracks = tracks
    self.wanted = wanted
    self.form = form
    offset = cluster.body
  }

  /// The frames of the next block that is wanted; `nil` at the cluster's end.
  mutating func next() throws(MatroskaFinding) -> [MatroskaFrame]? {
    while offset < cluster.end {
      let child = try scanner.element(at: offset, before: cluster.end)
      offset = child.end
      switch child.known {
      case .timestamp: timestamp = Int64(clamping: try number(child))
      case .simpleBlock:
        let group = Group(block: child)
        if let found = try frames(of: group, at: child.offset, isSimple: true) { return found }
      case .blockGroup:
        if let found = try frames(of: group(child), at: child.offset, isSimple: false) {
          return found
        }
      default: break
      }
    }
    return nil
  }

  private func number(_ place: EBMLPlace) throws(MatroskaFinding) -> UInt64 {
    try scanner.content(place, limit: 8).bigEndian()
  }

  private func signed(_ place: EBMLPlace) throws(MatroskaFinding) -> Int64 {
    let bytes = try scanner.whole(place, limit: 8 + EBMLHead.longest)
    return EBMLElement(bytes[...])?.signed ?? 0
  }

  private func group(_ place: EBMLPlace) throws(MatroskaFinding) -> Group {
    var group = Group()
    var offset = place.body
    while offset < place.end {
      let child = try scanner.element(at: offset, before: place.end)
      offset = child.end
      switch child.known {
      case .block: group.block = child
      case .blockDuration:
        group.duration = Saturating.product(Int64(clamping: try number(child)), scale)
      case .discardPadding: group.discardPadding = try signed(child)
      case .referenceBlock:
        // No codec refers to more frames than it can hold; the rest says nothing new.
        if group.references.count < 64 {
          group.references.append(nanoseconds(try signed(child)))
        }
      case .blockAdditions:
        group.additions = try scanner.whole(child, limit: BlockReader.largest)
      default: break
      }
    }
    guard group.block != nil else {
      throw MatroskaFinding(.missing, at: place.offset, "a BlockGroup has no Block")
    }
    return group
  }

  /// The frames of a block; `nil` where it isn't wanted.
  private func frames(
    of group: Group, at offset: Int64, isSimple: Bool
  ) throws(MatroskaFinding) -> [MatroskaFrame]? {
    guard let place = group.block else { return nil }
    if let wanted, let number = VariableInteger.parse(scanner.front(place, count: 8))?.value,
      !wanted.contains(Int(clamping: number))
    {
      return nil
    }
    // The head is a track's number, two bytes of time and the flags.
    let head = scanner.front(place, count: 8 + 3)
    guard let number = VariableInteger.parse(head), head.count >= number.width + 3 else {
      throw MatroskaFinding(
        .malformedElement, at: place.offset, "a block of \(place.size) bytes has no head")
    }
    guard let timestamp else {
      throw MatroskaFinding(.clusterTime, at: cluster.offset, "a block precedes the timestamp")
    }
    let flags = head[number.width + 2]
    let frames = try frames(of: place, Lacing(flags: flags), after: number.width + 3)
    let relative = Int16(bitPattern: head.bigEndian16(at: number.width))
    let ticks = Saturating.sum(timestamp, Int64(relative))
    let track = Int(clamping: number.value ?? 0)
    return frames.enumerated().map { index, data in
      let isLast = index == frames.count - 1
      let isPadded = group.discardPadding < 0 ? index == 0 : isLast
      let (bytes, left) = restored(data, tracks[track])
      return MatroskaFrame(
        track: track, ticks: ticks,
        time: time(ticks, index, of: frames.count, group, tracks[track]),
        isKey: isSimple ? flags & 0x80 != 0 : group.references.isEmpty,
        isInvisible: flags & 0x08 != 0, isDiscardable: isSimple && flags & 0x01 != 0,
        duration: group.duration.map { $0 / Int64(frames.count) },
        discardPadding: isPadded ? group.discardPadding : 0, references: group.references,
        additions: group.additions, data: bytes, encoding: left,
        lace: (index, frames.count), cluster: cluster, offset: offset)
    }
  }

  /// The bytes of a block's frames, which lie after a head of so many bytes.
  private func frames(
    of place: EBMLPlace, _ lacing: Lacing, after head: Int
  ) throws(MatroskaFinding) -> [[UInt8]] {
    if lacing == .none, form == .heads, place.size <= BlockReader.largest { return [[]] }
    let content = try scanner.content(place, skipping: head, limit: BlockReader.largest)
    guard lacing != .none else { return [content] }
    guard let frames = lacing.frames(in: content[...]) else {
      throw MatroskaFinding(
        .lacing, at: place.offset, "the sizes of frames don't fit \(place.size) bytes")
    }
    return frames.map { form == .heads ? [] : Array($0) }
  }

  private func restored(
    _ data: [UInt8], _ track: MatroskaTrackEntry?
  ) -> (bytes: [UInt8], left: MatroskaContentEncoding.Method?) {
    guard let track, !track.contentEncodings.isEmpty else { return (data, nil) }
    guard form == .restored else {
      // A copy keeps the encoding of its track.
      return (data, track.contentEncodings.first { $0.scope.contains(.frames) }?.method)
    }
    return MatroskaContentEncoding.restored(data, by: track.contentEncodings, of: .frames)
  }

  /// A time or a distance in nanoseconds; it ends at the bounds of Int64.
  private func nanoseconds(_ ticks: Int64) -> Int64 {
    let (product, isFar) = ticks.multipliedReportingOverflow(by: scale)
    return isFar ? (ticks < 0 ? -.max : .max) : product
  }

  /// Nanoseconds at which a frame of a block begins. The times of later frames aren't stated (RFC 9559, 10.3).
  private func time(
    _ ticks: Int64, _ index: Int, of count: Int, _ group: Group, _ track: MatroskaTrackEntry?
  ) -> Int64 {
    let start = nanoseconds(ticks)
    guard index > 0 else { return start }
    let usual = track?.defaultDuration?.nanoseconds
    let whole =
      usual.map { Saturating.product($0, Int64(index)) }
      ?? group.duration.map { $0 / Int64(count) * Int64(index) } ?? 0
    return Saturating.sum(start, whole)
  }
}
