import AudioCore
import Signal

/// An equaliser as a text file of Equalizer APO or AutoEq describes it.
package struct Equalizer: Hashable, Sendable {
  /// Most filters and curves of one equaliser.
  package static let mostParts = 64

  /// One step, which acts on the channels that the file has chosen there.
  package struct Part: Hashable, Sendable {
    /// What it does.
    package var work: Work
    /// The channels; `nil` for all.
    package var channels: [ChannelName]?

    /// It in words for reports, such as `peak 105.00 Hz +3.10 dB Q 0.70`.
    package var summary: String {
      let place = channels.map { names in
        names.map(\.description).joined(separator: " ") + ": "
      }
      return (place ?? "") + work.summary
    }
  }

  /// What a step does.
  package enum Work: Hashable, Sendable {
    /// Gain in dB.
    case gain(Double)
    /// One filter.
    case band(EqualizerBand)
    /// A curve of gains.
    case curve(GraphicCurve)
  }

  /// A channel as the file names it.
  package enum ChannelName: Hashable, Sendable {
    /// By its place, from 1.
    case number(Int)
    /// By its loudspeaker.
    case speaker(Speaker)
  }

  /// Its steps in the order of the file.
  package var parts: [Part] = []
  /// What was read in a way that the file leaves open, as sentences.
  package var notes: [String] = []

  /// An equaliser without steps.
  package init() {}

  /// Its steps for the channel at `index` of `layout`.
  package func works(on index: Int, of layout: ChannelLayout) -> [Work] {
    parts.filter { part in
      guard let channels = part.channels else { return true }
      return channels.contains { $0.index(in: layout) == index }
    }.map(\.work)
  }

  /// The first channel that the file names and `layout` doesn't have; `nil` where all are there.
  package func missingChannel(in layout: ChannelLayout) -> ChannelName? {
    parts.lazy.flatMap { $0.channels ?? [] }.first { $0.index(in: layout) == nil }
  }
}

extension Equalizer.Work {
  fileprivate var summary: String {
    switch self {
    case .gain(let gain): return "gain \(Decibels.signedText(gain)) dB"
    case .band(let band): return band.summary
    case .curve(let curve):
      return
        "curve of \(curve.points.count) point(s) from \(Decibels.text(curve.points[0].frequency)) Hz"
    }
  }
}

extension Equalizer.ChannelName: CustomStringConvertible {
  /// Names of Equalizer APO.
  private static let names: [String: Speaker] = [
    "L": .frontLeft, "R": .frontRight, "C": .frontCenter, "LFE": .lowFrequency,
    "SUB": .lowFrequency, "RL": .backLeft, "RR": .backRight, "RC": .backCenter, "SL": .sideLeft,
    "SR": .sideRight,
  ]

  /// The channel that the file calls `text`; `nil` for a name that there isn't.
  init?(_ text: Substring) {
    if let number = Int(text), number > 0 {
      self = .number(number)
    } else if let speaker = Self.names[text.uppercased()] {
      self = .speaker(speaker)
    } else {
      return nil
    }
  }

  /// Its place in `layout`; `nil` where it isn't there.
  func index(in layout: ChannelLayout) -> Int? {
    switch self {
    case .number(let number): return number <= layout.count ? number - 1 : nil
    case .speaker(let speaker):
      if let found = layout.speakers.firstIndex(of: speaker) { return found }
      // 5.1 has its only surrounds at the sides or at the back.
      switch speaker {
      case .backLeft: return layout.speakers.firstIndex(of: .sideLeft)
      case .backRight: return layout.speakers.firstIndex(of: .sideRight)
      case .sideLeft: return layout.speakers.firstIndex(of: .backLeft)
      case .sideRight: return layout.speakers.firstIndex(of: .backRight)
      default: return nil
      }
    }
  }

  /// As the file may name it.
  package var description: String {
    switch self {
    case .number(let number): return "\(number)"
    case .speaker(let speaker): return speaker.name
    }
  }
}
