import AudioCore

/// Everything that a run is asked for, as one value.
///
/// A request states the goal in the user's terms; ``RenderPlan`` states the processing, which is
/// only known once the input has been opened.
public struct RenderRequest: Sendable, Hashable, Codable {
  /// Version of the value's JSON; a batch's key begins with it.
  public static let version = 1

  /// The stretches of inputs that the programme is made of. This version takes one.
  public var clips: [Clip]
  /// The outputs: one decode, one rendering each.
  public var outputs: [OutputRequest]
  /// Whether all outputs get one gain, which brings them together to their common target, so that they keep
  /// their levels to each other.
  public var sharesGain = false
  /// How the run behaves.
  public var policy = Policy()
  /// Choices made before, such as a preset; they are listed in the report.
  public var decisions: [Decision] = []

  /// A request for `outputs` made of `clips`.
  public init(clips: [Clip], outputs: [OutputRequest]) {
    self.clips = clips
    self.outputs = outputs
  }

  /// A request for `outputs` made of all of `input`.
  public init(_ input: MediaLocation, outputs: [OutputRequest]) {
    self.init(clips: [Clip(input)], outputs: outputs)
  }

  /// Refuses what is known to fail before anything is opened.
  /// - Throws: ``MediaError`` of kind `usage` that names the option as the command line spells it.
  public func validate() throws { try RequestRules.check(self) }

  /// The input's name for messages and progress: that of the first clip.
  public var name: String { clips.first?.input.name ?? "" }

  /// Whether the sound is copied, not rendered.
  package var isCopy: Bool { outputs.contains(where: \.isCopy) }
}
