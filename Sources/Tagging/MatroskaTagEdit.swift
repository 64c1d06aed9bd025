// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Matroska
import Platform

/// Changes of bytes by which a Matroska file gets other loudness tags, while its clusters stay where they are.
///
/// A Tags element stays in its place where that and the Void behind it have room. Else it goes into a Void in front of the
/// clusters or to the end of the segment, and Void takes its place. SeekHead and the segment's size follow. Where no SeekHead
/// would name the new place, tags of others stay, and the sound's own go into a Tags element of their own (RFC 9559, 5.1.8).
struct MatroskaTagEdit {
  private struct Patch {
    let offset: Int64
    let bytes: [UInt8]
  }

  /// An element with the Void behind it, or Void alone: bytes that can be written anew.
  private struct Slot {
    let start: Int64
    let end: Int64
    /// Whether the file ends with it, so that it can grow and shrink.
    var isLast = false
  }

  /// A SeekHead with the children that it is to have.
  private struct Head {
    let place: EBMLPlace
    /// Children, and what those that are entries name.
    var kept: [(bytes: ArraySlice<UInt8>, seek: MatroskaTags.Seek?)]
    var isChanged = false

    var isEmptied: Bool {
      isChanged && kept.allSatisfy { EBMLElement($0.bytes)?.known == .crc32 }
    }

    /// Removes entries of Tags and SeekHead elements at these offsets.
    mutating func drop(_ gone: Set<Int64>) {
      let ids = [EBMLID.tags.rawValue, EBMLID.seekHead.rawValue]
      let count = kept.count
      kept.removeAll { child in
        child.seek.map { ids.contains($0.id) && gone.contains($0.offset) } ?? false
      }
      if kept.count < count { isChanged = true }
    }
  }

  /// Rounds of removing SeekHead elements that name each other.
  private static let mostRounds = 8
  /// Void of more bytes gets a new head alone.
  private static let shortVoid: Int64 = 1 << 16

  private let tags: MatroskaTags
  private let name: String
  private var patches: [Patch] = []
  /// Size that the file gets.
  private var end: Int64
  /// Offsets of Tags elements that are no longer there.
  private var gone: Set<Int64> = []
  /// Offset of the Tags element with the loudness; `nil` where none is written.
  private var home: Int64?
  private var isMoved = false
  /// Whether tags of others went to the new place, too.
  private var movesOthers = false
  /// Whether readers that don't read to the end find the tags.
  private(set) var isFound = true

  /// The changes by which the file of `tags` gets exactly `fields` on its sound; `name` appears in messages.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` or `damaged`.
  init(_ tags: MatroskaTags, _ fields: [TagField], _ name: String) throws {
    try self.init(tags, fields, name, mayMoveOthers: true)
    guard movesOthers, !isFound else { return }
    // Readers that stop at the clusters find the tags of others in their old place alone.
    try self.init(tags, fields, name, mayMoveOthers: false)
  }

  private init(
    _ tags: MatroskaTags, _ fields: [TagField], _ name: String, mayMoveOthers: Bool
  ) throws {
    self.tags = tags
    self.name = name
    end = tags.segment.end
    planTags(MatroskaTagEdit.tag(fields, tags.track.uid), mayMoveOthers)
    planSeekHeads()
    try planSize()
  }

  /// Writes the changes to the file open at `descriptor`.
  /// - Throws: ``MediaError`` of kind `diskFull` or `outputUnwritable`.
  func write(to descriptor: Int32) throws {
    for patch in patches {
      try OutputFailure.check(
        Descriptor.writeAll(patch.bytes, to: descriptor, at: patch.offset), name)
    }
    guard ftruncate(descriptor, off_t(end)) == 0 else { throw OutputFailure.error(errno, name) }
  }

  /// The Tag element of `fields` on the track, as renders state it; `nil` without fields.
  private static func tag(_ fields: [TagField], _ track: UInt64) -> ArraySlice<UInt8>? {
    guard !fields.isEmpty else { return nil }
    var tag = MatroskaTag(fields.map { MatroskaTag.Entry($0.name, $0.value) })
    tag.trackUIDs = [track]
    return EBMLElement(MatroskaTag.encoded([tag])[...])?.children.first?.bytes
  }

  // MARK: Tags

  private mutating func planTags(_ own: ArraySlice<UInt8>?, _ mayMoveOthers: Bool) {
    let cleaned = tags.elements.map { tags.withoutLoudness($0) }
    let added = cleaned.flatMap { $0?.own ?? [] } + (own.map { [$0] } ?? [])
    var contents = cleaned.map { $0?.kept }
    let places = tags.elements.map(\.place)
    if !added.isEmpty {
      let old = contents.indices.map {
        (contents[$0] ?? tags.elements[$0].children.map(\.bytes)) + added
      }
      // An element that changes anyway comes first.
      let order = contents.indices.sorted {
        (contents[$0] == nil ? 1 : 0, $0) < (contents[$1] == nil ? 1 : 0, $1)
      }
      let home = order.first { fitted(.tags, old[$0], slot(places[$0])) != nil }
      if let home {
        contents[home] = old[home]
        self.home = places[home].offset
      } else if let moved = order.first, mayMoveOthers {
        contents[moved] = []
        movesOthers = old[moved].count > added.count
        settle(old[moved])
      } else {
        settle(added)
      }
    }
    for (place, children) in zip(places, contents) {
      if let children { replace(place, .tags, by: children) }
    }
  }

  /// Writes `children` in place of those of an element; Void in place of it where there are none but a checksum and Void.
  private mutating func replace(
    _ place: EBMLPlace, _ id: EBMLID, by children: [ArraySlice<UInt8>]
  ) {
    let slot = slot(place)
    let isEmpty = children.allSatisfy {
      let child = EBMLElement($0)?.known
      return child == .void || child == .crc32
    }
    if isEmpty { gone.insert(place.offset) }
    // Fewer bytes than before always fit.
    let bytes = isEmpty ? [] : fitted(id, children, slot) ?? []
    fill(slot, bytes)
  }

  /// Finds a new place for a Tags element of `children`.
  private mutating func settle(_ children: [ArraySlice<UInt8>]) {
    isMoved = true
    let bytes = MatroskaTags.master(.tags, children)
    for slot in frontSlots() {
      guard let padding = padding(bytes.count, slot) else { continue }
      fill(slot, padding > 0 ? MatroskaTags.master(.tags, children, padding: padding) : bytes)
      home = slot.start
      return
    }
    home = end
    patches.append(Patch(offset: end, bytes: bytes))
    end += Int64(bytes.count)
  }

  // MARK: Room

  private func slot(_ part: EBMLPlace) -> Slot {
    let index = tags.index(after: part.offset)
    let next = index < tags.parts.count ? tags.parts[index].offset : tags.segment.end
    // New tags may follow a SeekHead that is last.
    let isLast = part.end == tags.segment.end && part.known != .seekHead
    return Slot(start: part.offset, end: next, isLast: isLast)
  }

  /// Void in front of the clusters, as slots that begin with their first Void; Void behind SeekHead is for SeekHead.
  private func frontSlots() -> [Slot] {
    var slots: [Slot] = []
    var start = tags.segment.body
    var isFree = true
    for part in tags.parts {
      if isFree, part.offset > start {
        slots.append(Slot(start: start, end: part.offset))
      }
      if part.known == .cluster { break }
      start = part.end
      isFree = part.known != .seekHead && part.known != .tags
    }
    return slots
  }

  /// An element of `children` that leaves no or at least two bytes of `slot` over; `nil` where it is too long.
  private func fitted(
    _ id: EBMLID, _ children: [ArraySlice<UInt8>], _ slot: Slot
  ) -> [UInt8]? {
    let bytes = MatroskaTags.master(id, children)
    return padding(bytes.count, slot).map {
      $0 > 0 ? MatroskaTags.master(id, children, padding: $0) : bytes
    }
  }

  /// Bytes that an element of `count` bytes has to be longer in `slot`; `nil` where it is too long.
  private func padding(_ count: Int, _ slot: Slot) -> Int? {
    guard !slot.isLast else { return 0 }
    let left = slot.end - slot.start - Int64(count)
    // Void has two bytes at least.
    return left < 0 ? nil : left == 1 ? 1 : 0
  }

  /// Writes `bytes` to the slot's front, and Void behind; the last slot ends with them.
  private mutating func fill(_ slot: Slot, _ bytes: [UInt8]) {
    let start = slot.start
    let left = slot.end - start - Int64(bytes.count)
    guard !slot.isLast else {
      patches.append(Patch(offset: start, bytes: bytes))
      end = start + Int64(bytes.count)
      return
    }
    guard left > 0 else { return patches.append(Patch(offset: start, bytes: bytes)) }
    var void: [UInt8]
    if left <= MatroskaTagEdit.shortVoid {
      void = EBMLBuilder.void(length: Int(left))
    } else {
      void =
        EBMLID.void.bytes + VariableInteger.bytes(UInt64(left - 9), width: VariableInteger.widest)
    }
    void.insert(contentsOf: bytes, at: 0)
    patches.append(Patch(offset: start, bytes: void))
  }

  // MARK: SeekHead and size

  private mutating func planSeekHeads() {
    var heads = tags.heads.map { head in
      Head(
        place: head.place,
        kept: head.children.filter { $0.known != .void }.map {
          (bytes: $0.bytes, seek: tags.seek($0))
        })
    }
    for index in heads.indices { heads[index].drop(gone) }
    let isListed = heads.contains { head in head.kept.contains { isTags($0.seek, home) } }
    let first = tags.parts.first { $0.known == .cluster }?.offset ?? .max
    // Tags in front are found without an entry.
    let isPlain = !isMoved && home.map { $0 < first } ?? true
    if let target = home, !isListed, !isPlain {
      isFound =
        add(target, to: &heads) || target < first || heads.isEmpty && addSeekHead(target)
    }
    // A SeekHead without entries goes, and so do entries that name it.
    for _ in 0..<MatroskaTagEdit.mostRounds {
      let empty = Set(heads.filter(\.isEmptied).map(\.place.offset)).subtracting(gone)
      guard !empty.isEmpty else { break }
      gone.formUnion(empty)
      for index in heads.indices { heads[index].drop(empty) }
    }
    for head in heads where head.isChanged {
      replace(head.place, .seekHead, by: head.kept.map(\.bytes))
    }
  }

  private func isTags(_ seek: MatroskaTags.Seek?, _ offset: Int64?) -> Bool {
    seek?.id == EBMLID.tags.rawValue && seek?.offset == offset
  }

  /// Adds an entry to a SeekHead that has room; it takes the place of the old one where that can be.
  private func add(_ target: Int64, to heads: inout [Head]) -> Bool {
    let order =
      heads.indices.filter { heads[$0].isChanged }
      + heads.indices.filter {
        !heads[$0].isChanged
      }
    let entry = entry(target)
    for index in order {
      let longer = heads[index].kept.map(\.bytes) + [entry]
      guard fitted(.seekHead, longer, slot(heads[index].place)) != nil else { continue }
      heads[index].kept.append((bytes: entry, seek: nil))
      heads[index].isChanged = true
      return true
    }
    return false
  }

  /// Puts a SeekHead into Void in front of the clusters.
  private mutating func addSeekHead(_ target: Int64) -> Bool {
    for slot in frontSlots() {
      guard let bytes = fitted(.seekHead, [entry(target)], slot) else { continue }
      fill(slot, bytes)
      return true
    }
    return false
  }

  private func entry(_ offset: Int64) -> ArraySlice<UInt8> {
    var builder = EBMLBuilder()
    builder.master(.seek) {
      $0.binary(.seekID, EBMLID.tags.bytes)
      $0.unsigned(.seekPosition, offset - tags.segment.body)
    }
    return builder.bytes[...]
  }

  /// Corrects the segment's size; one that states none needs nothing.
  private mutating func planSize() throws {
    guard !tags.segment.isOpen, end != tags.segment.end else { return }
    let start = tags.segment.offset + Int64(EBMLID.segment.bytes.count)
    let width = Int(tags.segment.body - start)
    let size = UInt64(end - tags.segment.body)
    guard VariableInteger.width(of: size) <= width else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "the size of its Segment has no room for a larger one; write it anew with mkvmerge")
    }
    patches.append(Patch(offset: start, bytes: VariableInteger.bytes(size, width: width)))
  }
}
