// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Plays sections one after the other as one programme; no sample is lost or added between them.
///
/// A section with another rate or layout is converted where both are plain channels. Objects
/// continue across sections; the first sample of a section carries the state of that section's
/// objects.
package final class JoinedSource: AccountedSource {
  /// Most samples of silence appended at a time.
  private static let longestSilence: Int64 = 65_536

  /// Programme of every block.
  package let programme: Programme

  private let sections: any JoinedSections
  private let first: any AccountedSource
  private var index: Int
  /// The section that is being read.
  private var current: (any AccountedSource)?
  private var converter: (any AudioStage)?
  /// Samples of the section before they are converted.
  private var unconverted: ProgrammeBlock
  /// Samples of silence that are still to come before the current section.
  private var silence: Int64
  /// Samples handed out.
  private var position: Int64 = 0
  /// The account of the sections that have ended.
  private var ended: TimelineSummary?

  /// Opens `sections` up to the first with sound and plays them all as `programme`.
  /// - Throws: ``MediaError`` from a section; of kind `noAudio` when none has sound.
  package init(_ programme: Programme, sections: any JoinedSections) throws {
    self.programme = programme
    self.sections = sections
    unconverted = ProgrammeBlock(programme)
    (index, silence, first) = try JoinedSource.openFirst(sections, rate: programme.sampleRate)
    current = first
    try prepareConverter(for: first.programme)
  }

  /// Summary over all sections so far, in samples of the joined programme's rate.
  package var summary: TimelineSummary {
    current.map { account(with: $0) } ?? ended ?? first.summary
  }

  /// Appends the next samples; `false` at the end of the last section.
  /// - Throws: ``MediaError`` from a section; of kind `unsupportedFeature` for one with other elements
  ///   that can't be converted.
  package func read(into block: ProgrammeBlock) throws -> Bool {
    let before = block.frames
    defer { position += Int64(block.frames - before) }
    if silence > 0 {
      let count = min(silence, JoinedSource.longestSilence)
      block.appendSilence(Int(count))
      silence -= count
      return silence > 0 || current != nil || hasNext
    }
    guard let section = current else { return try openNext() }
    let more = try read(section, into: block)
    sections.didRead(index)
    if more { return true }
    ended = account(with: section)
    current = nil
    converter = nil
    sections.didEnd(index)
    return hasNext
  }

  /// Leaves out samples of the only section; of several, each has to be read to know its length.
  package func skip(_ count: Int64) throws -> Int64 {
    guard sections.count == 1, position == 0, silence == 0, converter == nil, let section = current
    else { return 0 }
    position = try section.skip(count)
    return position
  }

  /// The first section with sound, its index, and the samples of silence before it.
  private static func openFirst(
    _ sections: any JoinedSections, rate: Int
  ) throws -> (index: Int, silence: Int64, source: any AccountedSource) {
    var silence: Int64 = 0
    for index in 0..<sections.count {
      switch try sections.open(index, at: silence) {
      case .silence(let length): silence += length.samples(at: rate)
      case .sound(let source): return (index, silence, source)
      }
    }
    throw MediaError(.noAudio, "none of the parts has sound; give one that has")
  }

  private var hasNext: Bool { index + 1 < sections.count }

  /// Opens the next section; `false` when nothing is left to read.
  private func openNext() throws -> Bool {
    guard hasNext else { return false }
    index += 1
    switch try sections.open(index, at: position) {
    case .silence(let length):
      silence += length.samples(at: programme.sampleRate)
      return silence > 0 || hasNext
    case .sound(let section):
      try prepareConverter(for: section.programme)
      current = section
      return true
    }
  }

  /// Updates of objects can't be converted to another rate or to other elements; channels can.
  private func prepareConverter(for section: Programme) throws {
    converter = nil
    guard section.sampleRate != programme.sampleRate || !section.hasSamePlanes(as: programme)
    else { return }
    let user = "joining parts of different formats"
    converter = try sections.makeConverter(
      from: section.bedFormat(for: user), to: programme.bedFormat(for: user))
    unconverted = ProgrammeBlock(section)
  }

  private func read(_ section: any AccountedSource, into block: ProgrammeBlock) throws -> Bool {
    guard let converter else { return try section.read(into: block) }
    unconverted.removeAll()
    let more = try section.read(into: unconverted)
    try converter.process(unconverted.audio, into: block.audio)
    if !more {
      // A converter's finish may drop from what it appended, so it gets a buffer of its own.
      let rest = AudioBuffer(channels: block.audio.channels)
      try converter.finish(into: rest)
      block.audio.append(rest)
    }
    return more
  }

  /// The account of the sections that have ended with that of `section`.
  private func account(with section: any AccountedSource) -> TimelineSummary {
    let own = section.summary
    guard var all = ended else { return own }
    let rates = (from: Int64(section.programme.sampleRate), to: Int64(programme.sampleRate))
    let scale = { (count: Int64) in MediaTime.rescale(count, by: rates.to, over: rates.from) }
    let offset = all.valid
    all.decoded += scale(own.decoded)
    all.startTrim += scale(own.startTrim)
    all.endTrim += scale(own.endTrim)
    all.valid += scale(own.valid)
    all.gaps += own.gaps.map {
      TimelineGap(kind: $0.kind, position: offset + scale($0.position), samples: scale($0.samples))
    }
    return all
  }
}

/// One section of a joined programme.
package enum JoinedSection {
  /// The section is missing; silence of this length replaces it.
  case silence(MediaTime)
  /// Sound, from its first valid sample.
  case sound(any AccountedSource)
}

/// The sections of a joined programme, each opened when its turn comes.
package protocol JoinedSections: AnyObject {
  /// How many there are.
  var count: Int { get }

  /// Opens the section with this index; asked once for each, in order.
  /// - Parameter position: samples of the joined programme before it.
  /// - Throws: ``MediaError`` when it can't be opened.
  func open(_ index: Int, at position: Int64) throws -> JoinedSection

  /// Makes a prepared stage that turns the channels of a section into those of the joined programme.
  /// - Throws: ``MediaError`` when there is none.
  func makeConverter(from section: AudioFormat, to joined: AudioFormat) throws -> any AudioStage

  /// Samples of the section were read.
  func didRead(_ index: Int)

  /// The section's last sample was read.
  func didEnd(_ index: Int)
}

/// A source that accounts for what the timeline dropped and filled in it.
package protocol AccountedSource: ProgrammeSource {
  /// Summary so far; final once ``ProgrammeSource/read(into:)`` has returned `false`.
  var summary: TimelineSummary { get }
}
