// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Rendering
import Spatial

/// A request for a listening page.
package struct AuditionRequest: Sendable {
  /// Most ways of one page: a tournament of more would take hours.
  package static let mostWays = 8
  /// Most excerpts of one page.
  package static let mostExcerpts = 24
  /// Lengths in seconds that an excerpt can have.
  package static let lengths = 1.0...60.0

  /// The media files.
  package var inputs: [String]
  /// How they are opened and decoded.
  package var decoding = InputOptions()
  /// The ways, two to ``mostWays``.
  package var ways: [AuditionWay]
  /// Starts of excerpts in every input; empty lets them be found.
  package var starts: [TimeSpec] = []
  /// Length of each excerpt in seconds, within ``lengths``.
  package var seconds = 12.0
  /// The arguments of `pinna render` that ``decoding`` stands for.
  package var inputFlags = ""
  /// The page's title; `nil` takes the inputs' names.
  package var title: String?

  /// A page that plays `inputs` in these ways.
  package init(inputs: [String], ways: [AuditionWay]) {
    self.inputs = inputs
    self.ways = ways
  }

  /// Refuses what is known to fail before anything is opened.
  /// - Throws: ``MediaError`` of kind `usage`.
  package func check() throws {
    guard (2...AuditionRequest.mostWays).contains(ways.count) else {
      throw MediaError(
        .usage,
        "a listening page compares 2 to \(AuditionRequest.mostWays) ways, not \(ways.count); give more or fewer sets, "
          + "rooms or endpoints")
    }
    guard Set(starts).count == starts.count else {
      throw MediaError(.usage, "an excerpt is asked for twice; give each time only once")
    }
    let twice = Dictionary(grouping: ways, by: \.label).first { $0.value.count > 1 }
    if let twice {
      throw MediaError(.usage, "two ways are both called \(twice.key); give each only once")
    }
    guard AuditionRequest.lengths.contains(seconds) else {
      throw MediaError(.usage, "excerpts of \(seconds) s: give 1 to 60 s")
    }
    let count = inputs.count * max(starts.count, 1)
    guard !inputs.isEmpty, count <= AuditionRequest.mostExcerpts else {
      throw MediaError(
        .usage,
        "\(count) excerpts: a page holds 1 to \(AuditionRequest.mostExcerpts); give fewer inputs or times"
      )
    }
    let files = ways.filter { $0.endpoint == nil }
    guard files.isEmpty || inputs.count == 1 else {
      throw MediaError(
        .usage, "a finished file is compared with one input, not \(inputs.count); give only one")
    }
  }
}

/// One way in which a listening page plays every excerpt.
package struct AuditionWay: Sendable, Hashable {
  /// The source of a way's sound.
  package enum Source: Sendable, Hashable {
    /// The input, rendered for an endpoint; what isn't for headphones or speakers is mixed to stereo.
    case render(Endpoint)
    /// The input, rendered so, but for level and rate.
    case rendition(Rendition)
    /// A finished file, played as it is where it is stereo, at the times of the input.
    case file(String)
  }

  /// Name for people; no two ways of a page have one label.
  package var label: String
  /// The arguments of `pinna render` that give it.
  package var flags: String
  package var source: Source

  package init(label: String, flags: String, source: Source) {
    self.label = label
    self.flags = flags
    self.source = source
  }

  /// The endpoint of what is rendered from the input; `nil` for a finished file.
  var endpoint: Endpoint? {
    switch source {
    case .render(let endpoint): return endpoint
    case .rendition(let rendition): return rendition.endpoint
    case .file: return nil
    }
  }

  /// Whether its HRTF set is a HeSuVi file, which has seven directions only.
  var hasSevenPlaces: Bool { endpoint?.hrtf?.choice.path?.lowercased().hasSuffix(".wav") ?? false }
}
