import AudioCore

/// One item that a cue sheet makes: a track, or what lies before the first.
package struct CueItem: Sendable, Equatable {
  /// A stretch of an item.
  package enum Piece: Sendable, Equatable {
    /// Part of the file of this index in ``CueSheet/files``.
    ///
    /// Times are in the file, at 75 ticks a second; `end` is `nil` for the file's end.
    case file(index: Int, start: MediaTime, end: MediaTime?)
    /// Silence that no file holds.
    case silence(MediaTime)
  }

  /// The track's number; 0 for what lies before the first track.
  package let number: Int
  /// The stretches in their order; at least one.
  package let pieces: [Piece]
}

/// Where the gap in front of a track goes.
public enum CueGaps: String, Sendable, CaseIterable, Codable {
  /// To the end of the track before, as disc players count.
  case append
  /// To the track itself.
  case prepend
  /// Nowhere: gaps are left out.
  case drop
}

extension CueSheet {
  /// The items of the disc in their order.
  ///
  /// With ``CueGaps/append`` and ``CueGaps/prepend`` they hold every sample of the files once.
  package func items(gaps: CueGaps = .append) -> [CueItem] {
    guard let first = tracks.first else { return [] }
    let before = lead(of: first)
    let opening = gap(of: first)
    // Sound in front of track 1 is a hidden track; silence alone isn't, and stays with the track.
    let isHidden = gaps == .append && (!before.isEmpty || opening.contains { $0.isFile })
    let hidden = isHidden ? before + opening : before
    var items = hidden.isEmpty ? [] : [CueItem(number: 0, pieces: hidden)]
    for (index, track) in tracks.enumerated() {
      let next = index + 1 < tracks.count ? tracks[index + 1] : nil
      var pieces = span(from: track.start, to: next.map { $0.gapStart ?? $0.start })
      if gaps != .drop { pieces += CueSheet.silence(track.postgap) }
      switch gaps {
      case .append:
        if index == 0 && !isHidden { pieces = opening + pieces }
        if let next { pieces += gap(of: next) }
      case .prepend: pieces = gap(of: track) + pieces
      case .drop: break
      }
      items.append(CueItem(number: track.number, pieces: pieces))
    }
    return items
  }

  /// What lies before the first track's gap. A disc whose only `INDEX` is 01 has no gap of its own there.
  private func lead(of first: Track) -> [CueItem.Piece] {
    let end = first.gapStart ?? first.start
    return span(from: Mark(file: 0, frames: 0), to: end)
  }

  private func gap(of track: Track) -> [CueItem.Piece] {
    let silence = CueSheet.silence(track.pregap)
    guard let gapStart = track.gapStart else { return silence }
    return silence + span(from: gapStart, to: track.start)
  }

  private static func silence(_ frames: Int64) -> [CueItem.Piece] {
    frames > 0 ? [.silence(MediaTime(ticks: frames, rate: framesPerSecond))] : []
  }

  /// The stretches between two places; `nil` is the end of the last file.
  private func span(from start: Mark, to end: Mark?) -> [CueItem.Piece] {
    let lastFile = end?.file ?? files.count - 1
    guard start.file <= lastFile else { return [] }
    return (start.file...lastFile).compactMap { file in
      let from = file == start.file ? start.frames : 0
      let to = file == end?.file ? end?.frames : nil
      // A place at the very start of a file takes nothing of it.
      guard to.map({ $0 > from }) ?? true else { return nil }
      return .file(
        index: file, start: Mark(file: file, frames: from).time,
        end: to.map { Mark(file: file, frames: $0).time })
    }
  }
}

extension CueItem.Piece {
  /// Whether a file holds it.
  fileprivate var isFile: Bool {
    if case .file = self { return true }
    return false
  }
}
