/// How the blocks of a parameter are read: its definition, and what its values are.
struct ParameterRule: Equatable, Sendable {
  /// What the values of a parameter are.
  enum Kind: Equatable, Sendable {
    /// Gains in dB.
    case mixGain
    /// Demixing modes.
    case demixing
    /// Gains of demixed channels, for each layer whether it has them.
    case reconGain(layers: [Bool])
  }

  /// How blocks are placed in time.
  var definition: ParameterDefinition
  /// What they hold.
  var kind: Kind
}
