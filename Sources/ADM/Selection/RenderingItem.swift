import AudioCore

/// Something to render: samples with the blocks that say how (ITU-R BS.2127, 5.2).
package struct RenderingItem: Sendable {
  /// Channels of an item: one, or all of a sound field.
  package struct Channel: Sendable {
    /// Where the samples come from.
    package var samples: SampleSource
    /// The channel's format.
    package var format: AudioChannelFormat
  }

  /// What a listener may name an item by, and may change about it.
  package struct Handles: Sendable, Equatable {
    /// The kinds of its content.
    package var kinds: [String] = []
    /// What may be changed about its object; `nil` when that isn't stated.
    package var interaction: ObjectInteraction?
  }

  /// How the blocks are to be understood.
  package var kind: ContentKind
  package var channels: [Channel]
  /// When the object begins.
  package var start: ADMTime
  /// When the object ends; `nil` at the end of the samples.
  package var end: ADMTime?
  /// Amplitude of the object; 0 when it is muted.
  package var gain: Double
  /// What is added to positions; `nil` for nothing.
  package var offset: PositionOffset?
  /// The least importance of the objects and of the packs on the way here, 0…10.
  package var importance: Int
  /// From the outermost to the innermost pack.
  package var packs: [ElementID]
  /// For HOA, what the pack says for all channels.
  package var scene: SceneDetails
  package var screen: ReferenceScreen
  /// Blocks that are less important than this are silent; 0 when none is.
  package var blockThreshold: Int
  /// Whether the object moves with the head.
  package var isHeadLocked: Bool
  /// The content it belongs to, its object, both `nil` when there is none.
  package var content: ElementID?
  package var object: ElementID?
  /// What a listener may do with it.
  package var listener = Handles()

}
