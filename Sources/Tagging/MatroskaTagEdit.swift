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
    try planSeekHeads()
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
    var contents = tags.elements.map { (element: $0, children: tags.withoutLoudness($0)) }
    if let own {
      let old = contents.map { ($0.children ?? $0.element.children.map(\.bytes)) + [own] }
      // An element that changes anyway comes first.
      let order = contents.indices.sorted {
        (contents[$0].children == nil ? 1 : 0, $0) < (contents[$1].children == nil ? 1 : 0, $1)
      }
      let home = order.first { fitted(.tags, old[$0], slot(contents[$0].element.place)) != nil }
      if let home {
        contents[home].children = old[home]
        self.home = contents[home].element.place.offset
      } else if let moved = order.first, mayMoveOthers {
        contents[moved].children = []
        movesOthers = old[moved].count > 1
        settle(old[moved])
      } else {
        settle([own])
      }
    }
    for (element, children) in contents {
      if let children { replace(element.place, .tags, by: children) }
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
    for slot in frontSlots() {
      guard let bytes = fitted(.tags, children, slot) else { continue }
      fill(slot, bytes)
      home = slot.start
      return
    }
    let bytes = MatroskaTags.master(.tags, children)
    home = end
    patches.append(Patch(offset: end, bytes: bytes))
    end += Int64(bytes.count)
  }

  // MARK: Room

  private func slot(_ part: EBMLPlace) -> Slot {
    let next = tags.parts.first { $0.offset > part.offset }?.offset ?? tags.segment.end
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
    let room = slot.end - slot.start
    if slot.isLast || room - Int64(bytes.count) != 1 {
      return slot.isLast || room >= Int64(bytes.count) ? bytes : nil
    }
    // Void has two bytes at least.
    return MatroskaTags.master(id, children, padding: 1)
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

  private mutating func planSeekHeads() throws {
    let heads = try tags.parts.filter { $0.known == .seekHead }.map { place in
      let children = try tags.children(of: place).filter { $0.known != .void }
      let kept = children.filter { child in seek(child).map { !gone.contains($0) } ?? true }
      return (place: place, kept: kept, isChanged: kept.count < children.count)
    }
    let isListed = heads.contains { head in head.kept.contains { seek($0) == home } }
    let first = tags.parts.first { $0.known == .cluster }?.offset ?? .max
    // Tags in front are found without an entry.
    let isPlain = !isMoved && home.map { $0 < first } ?? true
    var unlisted = isListed || isPlain ? nil : home
    // An entry takes the place of the old one where that can be.
    for head in heads.filter(\.isChanged) + heads.filter({ !$0.isChanged }) {
      let kept = head.kept.map(\.bytes)
      if let target = unlisted {
        let longer = kept + [entry(target)]
        if fitted(.seekHead, longer, slot(head.place)) != nil {
          replace(head.place, .seekHead, by: longer)
          unlisted = nil
          continue
        }
      }
      if head.isChanged { replace(head.place, .seekHead, by: kept) }
    }
    guard let target = unlisted else { return }
    isFound = target < first || heads.isEmpty && addSeekHead(target)
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

  /// The offset of the Tags element that an entry of SeekHead names; `nil` for other entries.
  private func seek(_ child: EBMLElement) -> Int64? {
    guard child.known == .seek, let id = child.children[.seekID]?.body,
      id.elementsEqual(EBMLID.tags.bytes), let place = child.children[.seekPosition]?.integer
    else { return nil }
    return Saturating.sum(tags.segment.body, place)
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
