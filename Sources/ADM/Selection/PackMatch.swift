/// A pack with the source of each of its channels.
struct PackMatch {
  /// A channel of the pack.
  struct Channel: Sendable {
    let packs: [ElementID]
    let channel: ElementID
    let samples: SampleSource
  }

  let pack: ElementID
  let channels: [Channel]
}
