// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska
import Testing

/// A small file in Matroska, laid out in one of the ways that writers have.
struct MadeMatroska: Sendable, CustomTestStringConvertible {
  static let uid: UInt64 = 0x1234_5678_9ABC

  /// The place of other tags.
  enum Place { case front, end }

  var testDescription: String { name }
  var name = "usual"
  /// Place of a Tags element with a title; `nil` for none.
  var tags: Place? = .front
  /// Bytes of Void behind the tags in front, behind SeekHead, and before Tracks; 0 for none.
  var tagRoom = 0
  var seekRoom = 40
  var frontRoom = 0
  var hasSeekHead = true
  var listsOldTags = true
  var hasChecksums = false
  var isOpen = false
  var sizeWidth = 8
  var blockLength = 200
  var sounds = 1
  var hasUID = true
  var hasStaleTags = false
  var hasPictures = false
  /// Children of Tags behind the others.
  var moreTags: [UInt8] = []
  var copiesOfTags = 1
  /// Whether a SeekHead behind the clusters names Tags with loudness alone, and the one in front names it.
  var hasLastSeekHead = false
  var hasSegmentChecksum = false

  /// Bytes by which tags of four fields make the file longer.
  var growth = 0
  /// Whether SeekHead names each Tags element then.
  var isListed = true
  var notes: [String] = []
  /// Whether removal gives the old bytes back.
  var comesBack = true

  init(tags: Place? = .front) { self.tags = tags }

  private static func made(_ name: String, _ change: (inout MadeMatroska) -> Void) -> MadeMatroska {
    var made = MadeMatroska()
    made.name = name
    change(&made)
    return made
  }

  /// Bytes of a Tag with four fields of loudness.
  private static let own = 191

  /// The note on tags that no SeekHead names.
  static let hidden =
    "No SeekHead has room for a place after the clusters, where the tags lie, so that some players don't find them."

  static let layouts = [
    made("room behind the tags") { $0.tagRoom = 400 },
    made("room for all but one byte of Void") { $0.tagRoom = own + 1 + 1 },
    made("tags in front without room") {
      $0.growth = own + 37
      $0.comesBack = false
    },
    made("tags at the end") {
      $0.tags = .end
      $0.growth = own + 1
    },
    made("tags at the end, with checksums") {
      $0.tags = .end
      $0.hasChecksums = true
      $0.growth = own + 1
    },
    made("tags in front without room, with checksums") {
      $0.hasChecksums = true
      $0.growth = own + 43
      $0.comesBack = false
    },
    made("no tags, Void in front") {
      $0.tags = nil
      $0.frontRoom = 400
    },
    made("no tags") {
      $0.tags = nil
      $0.growth = own + 6
    },
    made("no tags, no room in SeekHead") {
      $0.tags = nil
      $0.seekRoom = 0
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("no tags, no SeekHead, a small Void in front") {
      $0.tags = nil
      $0.hasSeekHead = false
      $0.frontRoom = 60
      $0.growth = own + 6
      $0.comesBack = false
    },
    made("tags in front without room, no SeekHead") {
      $0.hasSeekHead = false
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("tags in front that an old SeekHead without room doesn't name") {
      $0.listsOldTags = false
      $0.seekRoom = 0
      $0.growth = own + 6
      $0.isListed = false
      $0.notes = [hidden]
    },
    made("segment and last cluster of unknown size") {
      $0.tags = nil
      $0.isOpen = true
      $0.growth = own + 6
    },
  ]

  var bytes: [UInt8] {
    var head = EBMLBuilder()
    head.append(MatroskaDocType.matroska.header)
    let body = segment
    let size =
      isOpen
      ? VariableInteger.unknown() : VariableInteger.bytes(UInt64(body.count), width: sizeWidth)
    return head.bytes + EBMLID.segment.bytes + size + body
  }

  private var segment: [UInt8] {
    let front = hasSegmentChecksum ? MadeMatroska.sealed([]) : []
    let info = master(.info) { $0.float(.duration, 10) }
    var parts: [(id: EBMLID?, bytes: [UInt8])] = [
      (.info, info), (nil, MadeMatroska.void(frontRoom)), (.tracks, tracks),
    ]
    if tags == .front {
      for _ in 0..<copiesOfTags { parts.append((.tags, otherTags)) }
      parts.append((nil, MadeMatroska.void(tagRoom)))
    }
    parts.append((nil, clusters))
    if tags == .end { parts.append((.tags, otherTags)) }
    if hasLastSeekHead { parts += [(.seekHead, seekHead([(.tags, 0)])), (.tags, loudness)] }
    // Places of four bytes make all SeekHeads equally long.
    let listed = hasLastSeekHead ? parts.dropLast() : parts[...]
    var offset = front.count + seekHead(listed.compactMap(\.id).map { ($0, 0) }).count
    var places: [(EBMLID, Int)] = []
    for (id, bytes) in parts {
      if let id { places.append((id, offset)) }
      offset += bytes.count
    }
    if hasLastSeekHead, let last = places.popLast() {
      parts[parts.count - 2].bytes = seekHead([last])
    }
    return front + seekHead(places) + parts.flatMap(\.bytes)
  }

  private func seekHead(_ places: [(EBMLID, Int)]) -> [UInt8] {
    guard hasSeekHead else { return [] }
    return master(.seekHead) {
      for (id, offset) in places where listsOldTags || id != .tags {
        $0.master(.seek) { seek in
          seek.binary(.seekID, id.bytes)
          seek.binary(.seekPosition, UInt32(offset).bigEndianBytes)
        }
      }
    } + MadeMatroska.void(seekRoom)
  }

  private var tracks: [UInt8] {
    master(.tracks) {
      for number in 0..<max(1, sounds) {
        $0.master(.trackEntry) { entry in
          entry.unsigned(.trackNumber, number + 1)
          if hasUID { entry.unsigned(.trackUID, MadeMatroska.uid + UInt64(number)) }
          entry.unsigned(.trackType, sounds == 0 ? 17 : 2)
          entry.text(.codecID, "A_PCM/INT/LIT")
        }
      }
      guard hasPictures else { return }
      $0.master(.trackEntry) { entry in
        entry.unsigned(.trackNumber, 99)
        entry.unsigned(.trackUID, 99)
        entry.unsigned(.trackType, 1)
        entry.text(.codecID, "V_VP9")
      }
    }
  }

  private var loudness: [UInt8] {
    master(.tags) {
      $0.master(.tag) { tag in
        tag.master(.targets) { $0.unsigned(.tagTrackUID, MadeMatroska.uid) }
        tag.master(.simpleTag) {
          $0.text(.tagName, "REPLAYGAIN_TRACK_GAIN")
          $0.text(.tagString, "9.00 dB")
        }
      }
    }
  }

  private var otherTags: [UInt8] {
    func entry(_ builder: inout EBMLBuilder, _ name: String, _ text: String) {
      builder.master(.simpleTag) {
        $0.text(.tagName, name)
        $0.text(.tagString, text)
      }
    }
    return master(.tags) {
      $0.master(.tag) { tag in
        tag.master(.targets) { $0.unsigned(.targetTypeValue, 50) }
        entry(&tag, "TITLE", "A title")
        if hasStaleTags { entry(&tag, "replaygain_track_gain", "+9.99 dB") }
      }
      $0.append(moreTags)
      guard hasStaleTags else { return }
      for number: UInt64 in 0..<2 {
        $0.master(.tag) { tag in
          tag.master(.targets) { $0.unsigned(.tagTrackUID, MadeMatroska.uid + number) }
          entry(&tag, "REPLAYGAIN_TRACK_GAIN", "9.00 dB")
        }
      }
    }
  }

  private var clusters: [UInt8] {
    var body = EBMLBuilder()
    body.unsigned(.timestamp, 0)
    body.binary(.simpleBlock, [0x81, 0, 0, 0x80] + (0..<blockLength).map { UInt8($0 & 0xFF) })
    let last =
      isOpen
      ? EBMLID.cluster.bytes + VariableInteger.unknown() + body.bytes
      : EBMLBuilder.header(.cluster, size: Int64(body.bytes.count)) + body.bytes
    return EBMLBuilder.header(.cluster, size: Int64(body.bytes.count)) + body.bytes + last
  }

  private func master(_ id: EBMLID, _ fill: (inout EBMLBuilder) -> Void) -> [UInt8] {
    var inner = EBMLBuilder()
    fill(&inner)
    let isSealed = hasChecksums && (id == .tags || id == .seekHead)
    let body = isSealed ? MadeMatroska.sealed(inner.bytes) : inner.bytes
    return EBMLBuilder.header(id, size: Int64(body.count)) + body
  }

  /// `body` behind its checksum.
  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    [0xBF, 0x84] + MatroskaFacts.checksum(body).littleEndianBytes + body
  }

  private static func void(_ length: Int) -> [UInt8] {
    length == 0 ? [] : EBMLBuilder.void(length: length)
  }
}

/// A file as another reader than the writer of tags sees it.
struct MatroskaFacts {
  let tags: [MatroskaTag]
  /// Codes of the faults that a check of the file finds.
  let faults: [MatroskaFinding.Code]
  /// All that isn't tags, SeekHead or Void, and the header.
  private(set) var rest: [[UInt8]] = []
  private(set) var checksums = 0
  private(set) var wrongChecksums = 0
  /// Whether SeekHead names each Tags element.
  let listsTags: Bool
  private var parts: [EBMLPlace] = []
  /// Entries of SeekHead that point at no element of their kind.
  private(set) var wrongSeeks = 0
  /// Offset of the last byte of the first entry's place.
  private(set) var firstSeekPosition: Int?

  /// Places of the segment's children of this kind.
  func places(of id: EBMLID) -> [Range<Int>] {
    parts.filter { $0.known == id }.map { Int($0.offset)..<Int($0.end) }
  }

  init(_ bytes: [UInt8]) {
    let source = ByteSource(bytes)
    // Blocks of the same time are no fault of tags.
    faults = MatroskaCheck(source).findings.map(\.code)
    guard let reader = try? MatroskaReader(source) else {
      (tags, listsTags) = ([], false)
      return
    }
    tags = reader.tags.flatMap { MatroskaTag.all(element: $0) }
    let listed = Set(
      reader.seeks.filter { $0.id == EBMLID.tags.rawValue }.map {
        reader.segment.body + $0.position
      })
    listsTags = Set(reader.children.filter { $0.known == .tags }.map(\.offset)) == listed
    parts = (reader.children + reader.clusters).sorted { $0.offset < $1.offset }
    wrongSeeks =
      reader.seeks.filter { seek in
        !parts.contains {
          $0.id == seek.id && $0.offset == reader.segment.body + seek.position
        }
      }.count
    firstSeekPosition = bytes.indices.first {
      bytes[$0...].starts(with: EBMLID.seekPosition.bytes + [0x84])
    }.map { $0 + 6 }
    for place in parts {
      let body = Array(bytes[Int(place.body)..<Int(place.end)])
      if place.known != .tags && place.known != .seekHead {
        rest.append(Array(bytes[Int(place.offset)..<Int(place.end)]))
      } else if body.starts(with: [0xBF, 0x84]) {
        checksums += 1
        let stated = Array(body[2..<6])
        if stated != MatroskaFacts.checksum(Array(body[6...])).littleEndianBytes {
          wrongChecksums += 1
        }
      }
    }
  }

  /// Entries that aren't about loudness.
  var others: [String] { tags.flatMap(\.entries).map(\.name).filter { !$0.hasPrefix("REPLAY") } }

  /// CRC-32 of IEEE 802.3, bit by bit.
  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(~0 as UInt32) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in
        sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
      }
    }
  }
}
