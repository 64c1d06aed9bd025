/// Tools that were written from the text of the standard, and that no stream of a real encoder has proved here.
package struct AC4UnverifiedTools: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Objects whose downmix is a 5.X bed.
  package static let channelDownmix = AC4UnverifiedTools(rawValue: 1 << 0)
  /// Spectral extension (A-SPX) of the signals that objects are coded in.
  package static let signalExtension = AC4UnverifiedTools(rawValue: 1 << 1)
  /// Decorrelated sound in objects.
  package static let decorrelators = AC4UnverifiedTools(rawValue: 1 << 2)
  /// Coefficients of objects in more than one band.
  package static let bands = AC4UnverifiedTools(rawValue: 1 << 3)
  /// Finely quantised coefficients of objects.
  package static let fineSteps = AC4UnverifiedTools(rawValue: 1 << 4)
  /// Coefficients of objects as differences to earlier ones.
  package static let differences = AC4UnverifiedTools(rawValue: 1 << 5)
  /// Coefficients of objects that change within a frame.
  package static let ramps = AC4UnverifiedTools(rawValue: 1 << 6)
  /// Objects whose place or gain changes.
  package static let motion = AC4UnverifiedTools(rawValue: 1 << 7)
  /// A bed among the decoded objects.
  package static let bed = AC4UnverifiedTools(rawValue: 1 << 8)
  /// An alternative presentation of objects.
  package static let alternative = AC4UnverifiedTools(rawValue: 1 << 9)
  /// Objects in several substreams.
  package static let severalSubstreams = AC4UnverifiedTools(rawValue: 1 << 10)
  /// Immersive channels as sums and differences.
  package static let immersiveSums = AC4UnverifiedTools(rawValue: 1 << 11)
  /// Immersive channels as sums and differences with spectral extension.
  package static let extendedImmersiveSums = AC4UnverifiedTools(rawValue: 1 << 12)
  /// Immersive channels that are made from others, with coded residuals.
  package static let partlyCoupledImmersive = AC4UnverifiedTools(rawValue: 1 << 13)
  /// Immersive channels that are made from others.
  package static let coupledImmersive = AC4UnverifiedTools(rawValue: 1 << 14)
  /// Immersive channels that are coded jointly.
  package static let jointChannels = AC4UnverifiedTools(rawValue: 1 << 15)
  /// Codec frames that are spread over several frames.
  package static let spreadFrames = AC4UnverifiedTools(rawValue: 1 << 16)

  /// The tool of an immersive element in this codec mode.
  static func immersive(_ mode: CodecMode) -> AC4UnverifiedTools {
    switch mode {
    case .simple: .immersiveSums
    case .extended: .extendedImmersiveSums
    case .partlyCoupled: .partlyCoupledImmersive
    case .coupled, .widelyCoupled: .coupledImmersive
    case .joint: .jointChannels
    }
  }

  /// Each tool in words, in a fixed order.
  private static let words: [(tool: AC4UnverifiedTools, name: String)] = [
    (.channelDownmix, "objects coded in a 5.X bed"),
    (.signalExtension, "spectral extension (A-SPX) of the signals that objects are coded in"),
    (.decorrelators, "decorrelators of joint object coding (A-JOC)"),
    (.bands, "A-JOC coefficients in several bands"),
    (.fineSteps, "finely quantised A-JOC coefficients"),
    (.differences, "A-JOC coefficients as differences over time"),
    (.ramps, "A-JOC coefficients that change within a frame"),
    (.motion, "objects that move or change their gain"),
    (.bed, "a bed among the decoded objects"),
    (.alternative, "alternative presentations of objects"),
    (.severalSubstreams, "objects in several substreams"),
    (.immersiveSums, "channels above as sums and differences (SCPL)"),
    (.extendedImmersiveSums, "channels above as sums and differences with A-SPX (ASPX_SCPL)"),
    (.partlyCoupledImmersive, "coupled channels above with residuals (ASPX_ACPL_1)"),
    (.coupledImmersive, "coupled channels above (ASPX_ACPL_2)"),
    (.jointChannels, "joint channel coding (A-JCC)"),
    (.spreadFrames, "codec frames that are spread over several frames (efficient high frame rate)"),
  ]

  /// The names of the tools in the set.
  package var names: [String] {
    AC4UnverifiedTools.words.filter { contains($0.tool) }.map(\.name)
  }
}
