// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// An item while its keys are set one after another: what a queue file and an edit write to.
struct ItemDraft {
  /// The keys of an item.
  enum Key: String, CaseIterable {
    case file, silence, track, start, end, gain
    case fadeIn = "fade-in"
    case fadeInCurve = "fade-in-curve"
    case fadeOut = "fade-out"
    case fadeOutCurve = "fade-out-curve"
    case loudness, crossfade, curve, gap, title, markers, part, tags, tap
  }

  private static let curveOfLength: [Key: Key] = [
    .fadeIn: .fadeInCurve, .fadeOut: .fadeOutCurve, .crossfade: .curve,
  ]

  private enum MarkerKey: String, CaseIterable {
    case at, title
  }

  private var times: [Key: TimeSpec] = [:]
  private var curves: [Key: FadeCurve] = [:]
  private var file: String?
  private var track: Int?
  /// Values that have no form of their own before the item is complete.
  private var rest = QueueItem(.silence(.samples(0)))
  /// Number of the item, from 1.
  let number: Int

  /// A draft without any key.
  init(number: Int) { self.number = number }

  /// The draft that ``item(line:)`` makes `item` of.
  init(_ item: QueueItem, number: Int) {
    self.number = number
    rest = item
    switch item.source {
    case .silence(let length): times[.silence] = length
    case .file(let path, let index, let range):
      (file, track) = (path, index)
      times[.end] = range.end
      if range.start != .samples(0) { times[.start] = range.start }
    }
    (times[.fadeIn], curves[.fadeInCurve]) = (item.fadeIn?.length, item.fadeIn?.curve)
    (times[.fadeOut], curves[.fadeOutCurve]) = (item.fadeOut?.length, item.fadeOut?.curve)
    switch item.transition {
    case nil: break
    case .cut: times[.crossfade] = .samples(0)
    case .gap(let length): times[.gap] = length
    case .crossfade(let length, let curve):
      (times[.crossfade], curves[.curve]) = (length, curve)
    }
  }

  /// Sets `key`; an empty value unsets it.
  mutating func set(_ key: Key, _ value: QueueValue) throws(QueueFault) {
    let isNothing = value.node.isNothing
    switch key {
    case .silence, .start, .end, .fadeIn, .fadeOut, .crossfade, .gap:
      times[key] = isNothing ? nil : try value.time()
      // A curve has no meaning without its length.
      if isNothing, let curve = ItemDraft.curveOfLength[key] { curves[curve] = nil }
    case .fadeInCurve, .fadeOutCurve, .curve:
      curves[key] = isNothing ? nil : try value.word(FadeCurve.self)
    case .file: file = isNothing ? nil : try value.text()
    case .track: track = isNothing ? nil : try value.integer(0...Int(Int32.max))
    case .gain: rest.gain = isNothing ? 0 : try value.number(-120...40, unit: "dB")
    case .loudness:
      rest.loudness = isNothing ? nil : try value.number(-70...0, unit: "LUFS")
    case .title: rest.title = isNothing ? nil : try value.text()
    case .markers: rest.markers = isNothing ? [] : try ItemDraft.markers(value)
    case .part: rest.isPart = isNothing ? false : try value.flag()
    case .tap: rest.taps = isNothing ? [] : try value.texts()
    case .tags: rest.tags = isNothing ? [:] : try value.tags()
    }
  }

  /// The finished item; `line` is where it begins.
  /// - Throws: ``QueueFault`` with `missing` or `contradiction`.
  func item(line: Int?) throws(QueueFault) -> QueueItem {
    var item = rest
    item.source = try source(line)
    item.fadeIn = try fade(.fadeIn, .fadeInCurve, line)
    item.fadeOut = try fade(.fadeOut, .fadeOutCurve, line)
    item.transition = try TransitionKeys(
      crossfade: times[.crossfade], curve: curves[.curve], gap: times[.gap]
    ).transition(number, line)
    return item
  }

  private func source(_ line: Int?) throws(QueueFault) -> QueueSource {
    guard let silence = times[.silence] else {
      guard let file else {
        throw QueueFault(.missing("file or silence"), item: number, line: line)
      }
      return .file(
        path: file, track: track,
        range: QueueRange(start: times[.start] ?? .samples(0), end: times[.end]))
    }
    guard file == nil, track == nil, times[.start] == nil, times[.end] == nil else {
      throw QueueFault(
        .contradiction("silence and file, track, start or end"), item: number, line: line)
    }
    return .silence(silence)
  }

  private func fade(_ key: Key, _ curve: Key, _ line: Int?) throws(QueueFault) -> Fade? {
    guard let length = times[key] else {
      guard curves[curve] == nil else {
        throw QueueFault(.missing(key.rawValue), item: number, key: curve.rawValue, line: line)
      }
      return nil
    }
    return Fade(length, curve: curves[curve] ?? .equalPower)
  }

  private static func markers(_ value: QueueValue) throws(QueueFault) -> [QueueMarker] {
    guard case .list(let nodes, _) = value.node else {
      throw value.fault("a list of mappings with at and title")
    }
    var markers: [QueueMarker] = []
    for node in nodes {
      var at: TimeSpec?
      var title: String?
      let marker = QueueValue(node: node, item: value.item, key: value.key)
      for (key, entry) in try marker.entries(MarkerKey.self) {
        switch key {
        case .at: at = try entry.time()
        case .title: title = try entry.text()
        }
      }
      guard let at, let title else { throw marker.fault("a mapping with at and title") }
      markers.append(QueueMarker(at: at, title: title))
    }
    return markers
  }
}

/// The keys that say how items follow each other, of an item and of the queue.
struct TransitionKeys {
  var crossfade: TimeSpec?
  var curve: FadeCurve?
  var gap: TimeSpec?

  /// Transition that the keys give together; `nil` when none is set. A crossfade or gap of no length is a hard cut.
  func transition(_ item: Int?, _ line: Int?) throws(QueueFault) -> Transition? {
    if crossfade != nil, gap != nil {
      throw QueueFault(.contradiction("crossfade and gap"), item: item, line: line)
    }
    if curve != nil, crossfade == nil {
      throw QueueFault(.missing("crossfade"), item: item, key: "curve", line: line)
    }
    if let crossfade {
      return crossfade.isZero ? .cut : .crossfade(length: crossfade, curve: curve ?? .equalPower)
    }
    return gap.map { $0.isZero ? .cut : .gap($0) }
  }
}
