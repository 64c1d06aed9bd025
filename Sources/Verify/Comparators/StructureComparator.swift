// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Compares everything about two files except their samples: format, tags and boxes.
package struct StructureComparator: LayerComparator {
  private let reference: StructureFacts
  private let test: StructureFacts
  /// Samples by which TEST lags, if known: it shows whether the beginning or the end was cut.
  package var lag: Int64?

  /// A comparator of two files' facts.
  package init(reference: StructureFacts, test: StructureFacts) {
    self.reference = reference
    self.test = test
  }

  /// Whether the samples can be compared one by one.
  package var areSamplesComparable: Bool {
    reference.format.sampleRate == test.format.sampleRate
      && reference.format.channels == test.format.channels
  }

  /// The first difference in the order findings, rate, layout, length, start, container, codec, edit
  /// lists, fragments, boxes, tags.
  package func judge(_ tolerance: ComparisonTolerance) -> LayerResult {
    let checks: [() -> ComparisonFault?] = [
      finding, rate, layout, length,
      { tolerance.comparesStructure || reference.container == test.container ? start() : nil },
    ]
    let strict: [() -> ComparisonFault?] = [
      container, edits, fragments, boxes, { tolerance.comparesTags ? tags() : nil },
    ]
    let all = checks + (tolerance.comparesStructure ? strict : [])
    let fault = all.lazy.compactMap { $0() }.first
    return LayerResult(
      .structure,
      figures: [
        ComparisonFigure("samples", Double(test.samples), limit: Double(reference.samples)),
        ComparisonFigure(
          "rate", Double(test.format.sampleRate), "Hz", limit: Double(reference.format.sampleRate)),
        ComparisonFigure(
          "channels", Double(test.format.channels), limit: Double(reference.format.channels)),
        ComparisonFigure("start", Double(test.start), "samples", limit: Double(reference.start)),
        ComparisonFigure("findings", Double(test.findings.count)),
      ],
      rule: "rate, layout and length must agree"
        + (tolerance.comparesStructure
          ? tolerance.comparesTags
            ? ", container, tags and boxes too" : ", container and boxes too" : "")
        + "; another rate or channel count ends the comparison", fault: fault)
  }

  private func finding() -> ComparisonFault? {
    guard let found = test.findings.first(where: { !reference.findings.contains($0) }) else {
      return nil
    }
    return ComparisonFault(.cause, "the boxes of TEST contradict each other: \(found)\(shift())")
  }

  /// Displacement of the first displaced fragment, if both files have the same fragments.
  private func shift() -> String {
    guard let text = displaced() else { return "" }
    return "; \(text)"
  }

  private func displaced() -> String? {
    guard reference.fragments.count == test.fragments.count else { return nil }
    for (index, pair) in zip(reference.fragments, test.fragments).enumerated() {
      guard pair.0.track == pair.1.track, pair.0.samples > 0, let wanted = pair.0.decodeTime,
        let got = pair.1.decodeTime, got != wanted
      else { continue }
      let off = got - wanted
      let frame = frameLength(of: pair.0.track)
      let frames = frame > 0 && off % frame == 0 ? off.magnitude / UInt64(frame) : 0
      let count =
        frames > 0 ? " (\(frames) coded frame\(frames == 1 ? "" : "s"))" : ""
      return
        "the decode time (tfdt) of track fragment \(index + 1) is \(off.magnitude) ticks\(count) "
        + (off > 0 ? "late" : "early")
    }
    return nil
  }

  /// Ticks of a coded frame, by the track's first fragment: the last one's may be short.
  private func frameLength(of track: Int) -> Int64 {
    guard let first = reference.fragments.first(where: { $0.track == track }), first.samples > 0
    else { return 0 }
    return first.duration / first.samples
  }

  private func rate() -> ComparisonFault? {
    let (old, new) = (reference.format.sampleRate, test.format.sampleRate)
    guard old != new else { return nil }
    return ComparisonFault(.cause, "TEST has a rate of \(new) Hz, REF of \(old) Hz")
  }

  private func layout() -> ComparisonFault? {
    let (old, new) = (reference.format.layout, test.format.layout)
    guard old != new else { return nil }
    let lost = old.speakers.filter { !new.speakers.contains($0) }.map(\.name)
    let added = new.speakers.filter { !old.speakers.contains($0) }.map(\.name)
    var what: [String] = []
    if !lost.isEmpty { what.append("\(lost.joined(separator: ", ")) missing") }
    if !added.isEmpty { what.append("\(added.joined(separator: ", ")) added") }
    return ComparisonFault(
      .cause, "the layout is \(new) instead of \(old): \(what.joined(separator: ", "))")
  }

  private func length() -> ComparisonFault? {
    let more = test.samples - reference.samples
    guard more != 0 else { return nil }
    let amount = Decimals.samples(Int64(clamping: more.magnitude), test.format.sampleRate)
    let place: String
    // A cut or added beginning shifts TEST by as much as it changes its length.
    switch lag {
    case more?: place = "at the beginning"
    case 0?: place = "at the end"
    default: place = "in length"
    }
    let verb = more < 0 ? "TEST lacks \(amount)" : "TEST has \(amount) more"
    return ComparisonFault(.cause, "\(verb) \(place)", explains: [.samples])
  }

  private func start() -> ComparisonFault? {
    guard reference.start != test.start else { return nil }
    let late = test.start - reference.start
    let amount = Decimals.samples(Int64(clamping: late.magnitude), test.format.sampleRate)
    return ComparisonFault(
      .cause, "TEST starts \(amount) \(late > 0 ? "later" : "earlier") on its own clock")
  }

  private func container() -> ComparisonFault? {
    for (what, old, new) in [
      ("container", reference.container, test.container), ("codec", reference.codec, test.codec),
    ] where old != new {
      return ComparisonFault(.packing, "the \(what) of TEST is \(new) instead of \(old)")
    }
    return nil
  }

  private func edits() -> ComparisonFault? {
    first(reference.edits, test.edits, "edit list")
  }

  private func fragments() -> ComparisonFault? {
    if let text = displaced() { return ComparisonFault(.cause, text) }
    guard reference.fragments != test.fragments else { return nil }
    let index = zip(reference.fragments, test.fragments).enumerated()
      .first { $0.element.0 != $0.element.1 }?.offset
    let place = index.map { ", first in number \($0 + 1)" } ?? ""
    return ComparisonFault(
      .packing,
      "TEST has \(test.fragments.count) track fragments, REF \(reference.fragments.count); they "
        + "differ\(place)")
  }

  private func boxes() -> ComparisonFault? { first(reference.boxes, test.boxes, "box tree") }

  private func first(_ old: [String], _ new: [String], _ what: String) -> ComparisonFault? {
    guard old != new else { return nil }
    let index =
      zip(old, new).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      ?? min(old.count, new.count)
    let had = index < old.count ? old[index] : "nothing"
    let has = index < new.count ? new[index] : "nothing"
    return ComparisonFault(.packing, "the \(what) of TEST has \(has) where REF has \(had)")
  }

  private func tags() -> ComparisonFault? {
    let names = Set(reference.tags.keys).union(test.tags.keys).sorted()
    guard let name = names.first(where: { reference.tags[$0] != test.tags[$0] }) else { return nil }
    let old = reference.tags[name].map { "\"\($0)\"" } ?? "nothing"
    let new = test.tags[name].map { "\"\($0)\"" } ?? "nothing"
    return ComparisonFault(.packing, "the tag \(name) of TEST says \(new) instead of \(old)")
  }
}

/// Everything about a file except its samples, as the structure layer compares it.
package struct StructureFacts: Sendable, Equatable {
  /// One track's part of a movie fragment.
  package struct Fragment: Sendable, Equatable {
    /// Track number.
    package var track: Int
    /// Sequence number (`mfhd`).
    package var sequence: Int
    /// Decode time of the first sample in track ticks (`tfdt`).
    package var decodeTime: Int64?
    /// Number of coded samples.
    package var samples: Int64
    /// Ticks they last.
    package var duration: Int64

    /// A part.
    package init(track: Int, sequence: Int, decodeTime: Int64?, samples: Int64, duration: Int64) {
      self.track = track
      self.sequence = sequence
      self.decodeTime = decodeTime
      self.samples = samples
      self.duration = duration
    }
  }

  /// Container, e.g. `wav`.
  package var container = ""
  /// Codec, e.g. `flac`.
  package var codec = ""
  /// Rate and layout.
  package var format: AudioFormat
  /// Valid samples per channel.
  package var samples: Int64 = 0
  /// Presentation time of the first valid sample, in samples.
  package var start: Int64 = 0
  /// Start-up samples that are trimmed.
  package var priming: Int64 = 0
  /// Descriptive tags by lower-case name.
  package var tags: [String: String] = [:]
  /// Every edit of every track, in words.
  package var edits: [String] = []
  /// Paths of the boxes in front of the first fragment.
  package var boxes: [String] = []
  /// Fragments in file order.
  package var fragments: [Fragment] = []
  /// Contradictions between the file's own boxes.
  package var findings: [String] = []

  /// The facts of a file in this format.
  package init(format: AudioFormat) { self.format = format }
}
