/// One track's run of samples in a fragment (ISO/IEC 14496-12, 8.8.6).
package struct TrackFragmentBox: Sendable, Equatable {
  /// Number of the track, from 1.
  package var trackID: Int
  /// When its first sample is decoded, in track ticks.
  package var baseDecodeTime: Int64
  /// Its samples in order of decoding; they follow each other in the media data.
  package var samples: [FragmentSample]
  /// Whether the samples belong to the track's one roll group.
  package var isInRollGroup: Bool

  /// A run of samples.
  package init(
    trackID: Int, baseDecodeTime: Int64, samples: [FragmentSample], isInRollGroup: Bool = false
  ) {
    self.trackID = trackID
    self.baseDecodeTime = baseDecodeTime
    self.samples = samples
    self.isInRollGroup = isInRollGroup
  }

  /// Bytes of media data.
  package var dataSize: Int64 { samples.reduce(0) { $0 + Int64($1.size) } }

  /// Appends `traf` and returns where its data offset is to be patched in.
  func append(to builder: inout BoxBuilder) -> Int {
    var place = 0
    builder.box("traf") { fragment in
      appendHeader(to: &fragment)
      fragment.fullBox("tfdt", version: 1) { $0.u64(baseDecodeTime) }
      place = appendRun(to: &fragment)
      if isInRollGroup {
        // Group 1 is described in the sample table (8.9.2).
        fragment.fullBox("sbgp") { box in
          box.fourCC("roll")
          box.u32(1)
          box.u32(samples.count)
          box.u32(1)
        }
      }
    }
    return place
  }

  /// Values that all samples share; they are written once, in `tfhd`.
  private var sharedDuration: Int64? { shared(\.duration) }
  private var sharedSize: Int? { shared(\.size) }
  private var sharedSync: Bool? { shared(\.isSync) }

  private func shared<Value: Equatable>(_ value: KeyPath<FragmentSample, Value>) -> Value? {
    guard let first = samples.first?[keyPath: value] else { return nil }
    return samples.allSatisfy { $0[keyPath: value] == first } ? first : nil
  }

  /// `tfhd` (8.8.7): offsets count from the beginning of `moof`.
  private func appendHeader(to fragment: inout BoxBuilder) {
    let duration = sharedDuration
    let size = sharedSize
    let isSync = sharedSync
    var flags: UInt32 = 0x02_0000
    if duration != nil { flags |= 0x08 }
    if size != nil { flags |= 0x10 }
    if isSync != nil { flags |= 0x20 }
    fragment.fullBox("tfhd", flags: flags) { box in
      box.u32(trackID)
      if let duration { box.u32(duration) }
      if let size { box.u32(size) }
      if let isSync { box.u32(isSync ? SampleFlags.sync : SampleFlags.dependent) }
    }
  }

  /// `trun`, version 0: composition offsets are never negative.
  private func appendRun(to fragment: inout BoxBuilder) -> Int {
    let hasDurations = sharedDuration == nil
    let hasSizes = sharedSize == nil
    let hasFlags = sharedSync == nil
    let hasOffsets = samples.contains { $0.compositionOffset != 0 }
    var flags: UInt32 = 0x01
    if hasDurations { flags |= 0x100 }
    if hasSizes { flags |= 0x200 }
    if hasFlags { flags |= 0x400 }
    if hasOffsets { flags |= 0x800 }
    var place = 0
    fragment.fullBox("trun", flags: flags) { box in
      box.u32(samples.count)
      place = box.bytes.count
      box.u32(0)
      for sample in samples {
        if hasDurations { box.u32(sample.duration) }
        if hasSizes { box.u32(sample.size) }
        if hasFlags { box.u32(sample.isSync ? SampleFlags.sync : SampleFlags.dependent) }
        if hasOffsets { box.u32(sample.compositionOffset) }
      }
    }
    return place
  }
}
