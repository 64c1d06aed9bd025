// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Makes a timeline of the tree of its JSON.
struct OTIOReader {
  /// The times that a transition takes of its neighbours.
  private struct Transition {
    let name: String
    /// Before the cut: of the file of what follows.
    let before: MediaTime
    /// Behind the cut: of the file of what is in front.
    let behind: MediaTime
  }

  /// Effects that change how long a clip lasts.
  private static let speedChanges: Set<String> = ["FreezeFrame", "LinearTimeWarp", "TimeEffect"]

  private(set) var timeline = OTIOTimeline()
  private let search: NameSearch
  private var pending: Transition?

  /// A reader of a timeline in `folder`.
  init(folder: ListFolder) { search = NameSearch(folder: folder) }

  /// Reads the outermost object.
  mutating func read(timeline root: JSONTree) throws(ListError) {
    guard root.isOTIO("Timeline") else {
      throw ListError(
        .unsupportedFeature,
        "the JSON is \(root.schemaForMessage), not Timeline.1; export a timeline")
    }
    timeline.title = root["name"]?.string
    guard let stack = root["tracks"], stack.isOTIO("Stack") else {
      throw ListError(.inputUnreadable, "the timeline has no stack of tracks; export it anew")
    }
    if let start = root["global_start_time"] {
      let time = try OTIOTime.time(start, of: "the timeline")
      if time.ticks != 0 { note("global_start_time has no effect; sound begins at 0") }
    }
    try checkWhole(stack, "the stack of tracks")
    var sound: [JSONTree] = []
    for child in stack["children"]?.elements ?? [] {
      guard child.isOTIO("Track") else { throw OTIOReader.nested(child) }
      let name = ListWord.quoted(child["name"]?.string ?? "")
      if child["kind"]?.string != "Audio" {
        let kind = ListWord.quoted(child["kind"]?.string ?? "")
        note("the track \(name) of the kind \(kind) isn't sound and has no effect")
      } else if child["enabled"] == .flag(false) {
        note("the track \(name) is disabled and has no effect")
      } else {
        sound.append(child)
      }
    }
    guard sound.count <= 1 else {
      throw ListError(
        .unsupportedFeature,
        "the timeline has \(sound.count) tracks of sound, and one can be read; mix them first")
    }
    guard let track = sound.first else {
      throw ListError(.noAudio, "the timeline has no enabled track of the kind Audio; add one")
    }
    try read(track: track)
  }

  private mutating func read(track: JSONTree) throws(ListError) {
    try checkWhole(track, "the track \(ListWord.quoted(track["name"]?.string ?? ""))")
    for child in track["children"]?.elements ?? [] {
      guard timeline.elements.count < ListLimits.entries else {
        throw ListError(
          .inputUnreadable, "the track has more than \(ListLimits.entries) clips; split it")
      }
      if child.isOTIO("Clip") || child.isOTIO("Clip", version: 2) {
        try append(try clip(child))
      } else if child.isOTIO("Gap") {
        try appendGap(child)
      } else if child.isOTIO("Transition") {
        try readTransition(child)
      } else {
        throw OTIOReader.nested(child)
      }
    }
    guard let last = timeline.elements.indices.last else {
      throw ListError(.noAudio, "the track of sound is empty; add a clip")
    }
    guard let end = pending else { return }
    guard end.behind.ticks == 0 else { throw OTIOReader.outside(end.name) }
    timeline.elements[last].fadeOut = end.before.ticks == 0 ? nil : end.before
  }

  private mutating func note(_ message: String) {
    timeline.notes.keep(ListNote(.ignored, message))
  }

  private static func nested(_ child: JSONTree) -> ListError {
    ListError(
      .unsupportedFeature,
      "\(child.schemaForMessage) \(ListWord.quoted(child["name"]?.string ?? "")) lies inside a "
        + "track or stack and isn't supported; flatten the timeline")
  }

  private static func outside(_ name: String) -> ListError {
    ListError(
      .inputUnreadable,
      "the transition \(ListWord.quoted(name)) reaches out of the track; shorten it")
  }

  /// Refuses what would cut or change a stack or a track as a whole.
  private mutating func checkWhole(_ node: JSONTree, _ who: String) throws(ListError) {
    guard node["source_range"] == nil else {
      throw ListError(
        .unsupportedFeature, "\(who) has a source_range of its own; trim its clips instead")
    }
    try readEffects(node, who)
    if !(node["markers"]?.elements ?? []).isEmpty { note("the markers of \(who) have no effect") }
  }

  private mutating func readEffects(_ node: JSONTree, _ who: String) throws(ListError) {
    for effect in node["effects"]?.elements ?? [] where effect["enabled"] != .flag(false) {
      let schema = effect["OTIO_SCHEMA"]?.string ?? ""
      let kind = String(schema.prefix { $0 != "." })
      guard !OTIOReader.speedChanges.contains(kind) else {
        throw ListError(
          .unsupportedFeature,
          "\(who) changes its speed (\(kind)); remove the effect, or render the clip first")
      }
      let name = ListWord.quoted(ReadQueue.text(effect["effect_name"]?.string) ?? kind)
      note("the effect \(name) of \(who) isn't applied")
    }
  }

  // MARK: Clips and gaps

  private mutating func clip(_ node: JSONTree) throws(ListError) -> OTIOTimeline.Element {
    let name = node["name"]?.string ?? ""
    let who = "the clip \(ListWord.quoted(name))"
    try readEffects(node, who)
    let key = node["active_media_reference_key"]?.string ?? "DEFAULT_MEDIA"
    let media = node["media_reference"] ?? node["media_references"]?[key]
    let available = try media?["available_range"].map { tree throws(ListError) in
      try OTIOTime.range(tree, of: who)
    }
    let trimmed = try node["source_range"].map { tree throws(ListError) in
      try OTIOTime.range(tree, of: who)
    }
    // Ranges count on the media's own clock, which begins at the start of its available range.
    let clock = available?.start ?? MediaTime(ticks: 0, rate: 1)
    let mediaEnd = available?.duration
    var start = MediaTime(ticks: 0, rate: 1)
    var end = mediaEnd
    if let trimmed {
      start = try OTIOTime.sum(trimmed.start, clock, isNegative: true, of: who)
      end = try OTIOTime.sum(start, trimmed.duration, of: who)
    }
    if node["enabled"] == .flag(false) {
      note("\(who) is disabled; silence takes its place")
      guard let length = trimmed?.duration ?? mediaEnd else {
        throw ListError(.inputUnreadable, "\(who) is disabled and has no length; remove it")
      }
      return OTIOReader.silence(length)
    }
    if let end, end <= start {
      throw ListError(.inputUnreadable, "\(who) has no length; remove it")
    }
    try checkMedia(start, end, mediaEnd, who)
    var element = OTIOTimeline.Element(
      name: name, path: try path(media, who), start: start, end: end, mediaEnd: mediaEnd)
    for marker in node["markers"]?.elements ?? [] {
      let range = try OTIOTime.range(marker["marked_range"], of: who)
      let at = try OTIOTime.sum(range.start, clock, isNegative: true, of: who)
      let title = marker["name"]?.string ?? marker["comment"]?.string
      element.markers.append(.init(at: at, title: ReadQueue.text(title) ?? "Marker"))
    }
    return element
  }

  private func checkMedia(
    _ start: MediaTime, _ end: MediaTime?, _ mediaEnd: MediaTime?, _ who: String
  ) throws(ListError) {
    guard start.ticks >= 0 else {
      throw ListError(
        .inputUnreadable, "\(who) needs sound from before its file begins; move its start")
    }
    if let end, let mediaEnd, end > mediaEnd {
      throw ListError(
        .inputUnreadable, "\(who) needs sound from after its file's end; shorten it")
    }
  }

  private mutating func path(_ media: JSONTree?, _ who: String) throws(ListError) -> String {
    guard let media, !media.isOTIO("MissingReference") else {
      throw ListError(.inputMissing, "\(who) has no file; relink it")
    }
    guard media.isOTIO("ExternalReference"), let address = media["target_url"]?.string else {
      throw ListError(
        .unsupportedFeature,
        "\(who) refers to \(media.schemaForMessage) instead of a file; render it to one")
    }
    do throws(ListError) {
      let found = try search.find(address: address, isEncoded: true, line: nil)
      if let note = found.note { timeline.notes.keep(note) }
      return found.path
    } catch { throw ListError(error.kind, "\(who): \(error.message)") }
  }

  private static func silence(_ length: MediaTime) -> OTIOTimeline.Element {
    let start = MediaTime(ticks: 0, rate: length.rate)
    return .init(name: "", path: nil, start: start, end: length, mediaEnd: nil)
  }

  private mutating func appendGap(_ node: JSONTree) throws(ListError) {
    try readEffects(node, "a gap")
    guard let tree = node["source_range"] else { return }
    let range = try OTIOTime.range(tree, of: "a gap")
    // Programs leave gaps of no length behind.
    guard range.duration.ticks > 0 else { return }
    try append(OTIOReader.silence(range.duration))
  }

  // MARK: Transitions

  private mutating func readTransition(_ node: JSONTree) throws(ListError) {
    let name = node["name"]?.string ?? ""
    let who = "the transition \(ListWord.quoted(name))"
    guard pending == nil else {
      throw ListError(.inputUnreadable, "\(who) follows a transition; remove one of them")
    }
    let before = try OTIOTime.time(node["in_offset"], of: who)
    let behind = try OTIOTime.time(node["out_offset"], of: who)
    guard before.ticks >= 0, behind.ticks >= 0 else {
      throw ListError(.inputUnreadable, "\(who) has a negative offset; correct it")
    }
    let kind = node["transition_type"]?.string ?? ""
    if kind != "SMPTE_Dissolve" {
      note("\(who) of the kind \(ListWord.quoted(kind)) becomes a crossfade of equal power")
    }
    pending = Transition(name: name, before: before, behind: behind)
  }

  /// Appends `element`, joined by the transition in front of it.
  private mutating func append(_ element: OTIOTimeline.Element) throws(ListError) {
    var element = element
    defer { pending = nil }
    guard let join = pending else { return timeline.elements.append(element) }
    guard let last = timeline.elements.indices.last else {
      guard join.before.ticks == 0 else { throw OTIOReader.outside(join.name) }
      element.fadeIn = join.behind.ticks == 0 ? nil : join.behind
      return timeline.elements.append(element)
    }
    try OTIOReader.extendEnd(of: &timeline.elements[last], by: join.behind)
    try extendStart(of: &element, by: join.before)
    let length = try OTIOTime.sum(
      join.before, join.behind, of: "the transition \(ListWord.quoted(join.name))")
    element.crossfade = length.ticks == 0 ? nil : length
    timeline.elements.append(element)
  }

  private static func extendEnd(
    of element: inout OTIOTimeline.Element, by length: MediaTime
  ) throws(ListError) {
    guard length.ticks > 0 else { return }
    let who = "the clip \(ListWord.quoted(element.name))"
    guard let end = element.end else {
      throw ListError(
        .inputUnreadable, "\(who) has no length for the transition after it; trim it")
    }
    let later = try OTIOTime.sum(end, length, of: who)
    if let mediaEnd = element.mediaEnd, later > mediaEnd {
      throw ListError(
        .inputUnreadable,
        "the transition after \(who) needs more sound than its file has; shorten the transition")
    }
    element.end = later
  }

  private func extendStart(
    of element: inout OTIOTimeline.Element, by length: MediaTime
  ) throws(ListError) {
    guard length.ticks > 0 else { return }
    let who = "the clip \(ListWord.quoted(element.name))"
    // Silence has no place in a file: it grows at its end.
    guard element.path != nil else {
      let end = element.end ?? MediaTime(ticks: 0, rate: 1)
      element.end = try OTIOTime.sum(end, length, of: "a gap")
      return
    }
    let earlier = try OTIOTime.sum(element.start, length, isNegative: true, of: who)
    guard earlier.ticks >= 0 else {
      throw ListError(
        .inputUnreadable,
        "the transition in front of \(who) needs more sound than its file has; "
          + "shorten the transition")
    }
    element.start = earlier
  }
}

extension JSONTree {
  /// Whether it is an object of this schema.
  fileprivate func isOTIO(_ name: String, version: Int = 1) -> Bool {
    self["OTIO_SCHEMA"]?.string == "\(name).\(version)"
  }

  fileprivate var schemaForMessage: String {
    self["OTIO_SCHEMA"]?.string.map { ListWord.quoted($0) } ?? "something else"
  }
}
