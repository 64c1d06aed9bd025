// SPDX-License-Identifier: Apache-2.0

/// One fragment's headers (ISO/IEC 14496-12, 8.8.4): `moof` with `mfhd` and a `traf` for each track.
/// The media data follow at once in one `mdat`, track after track.
package struct MovieFragmentBox: Sendable, Equatable {
  /// Number of the fragment, from 1.
  package var sequenceNumber: Int
  /// Tracks that have samples in it.
  package var tracks: [TrackFragmentBox]

  /// A fragment of the given runs.
  package init(sequenceNumber: Int, tracks: [TrackFragmentBox]) {
    self.sequenceNumber = sequenceNumber
    self.tracks = tracks
  }

  /// `moof` and the header of the `mdat` after it; the samples' bytes have to follow.
  /// - Throws: ``BoxError`` when the data don't fit the 31 bits of their offsets.
  package func encoded() throws -> [UInt8] {
    var builder = BoxBuilder()
    var places: [Int] = []
    builder.box("moof") { box in
      box.fullBox("mfhd") { $0.u32(sequenceNumber) }
      for track in tracks { places.append(track.append(to: &box)) }
    }
    let payload = tracks.reduce(Int64(0)) { $0 + $1.dataSize }
    let header = BoxBuilder.header("mdat", payloadSize: payload)
    var offset = Int64(builder.bytes.count + header.count)
    guard offset + payload <= Int64(Int32.max) else {
      throw BoxError("trun", "a fragment of \(payload) bytes; at most 2 GiB are possible")
    }
    for (place, track) in zip(places, tracks) {
      builder.patch(UInt32(clamping: offset), at: place)
      offset += track.dataSize
    }
    builder.append(header)
    return builder.bytes
  }
}

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

/// The 32 bits that state what a sample of a fragment depends on (ISO/IEC 14496-12, 8.8.3.1).
enum SampleFlags {
  /// Depends on no other sample; decoding may begin here.
  static let sync: UInt32 = 0x0200_0000
  /// Depends on others; decoding can't begin here.
  static let dependent: UInt32 = 0x0101_0000
  /// Set where decoding can't begin.
  static let nonSyncBit: UInt32 = 0x0001_0000
}

/// The places where playback can begin, written after the last fragment: `mfra` with one `tfra` for each track
/// and `mfro`, through which readers find it from the end of the file (ISO/IEC 14496-12, 8.8.9 to
/// 8.8.11).
package struct FragmentIndexBox: WritableBox, Equatable {
  /// One place of one track.
  package struct Entry: Sendable, Equatable {
    /// Presentation time of the sync sample in track ticks, before edits.
    package var time: Int64
    /// Offset of the `moof` in the file.
    package var fragmentOffset: Int64
    /// Number of the `traf` in the `moof`, from 1.
    package var trackFragment: Int
    /// Number of the sample in its `trun`, from 1.
    package var sample: Int

    /// A place.
    package init(time: Int64, fragmentOffset: Int64, trackFragment: Int, sample: Int) {
      self.time = time
      self.fragmentOffset = fragmentOffset
      self.trackFragment = trackFragment
      self.sample = sample
    }
  }

  /// The places of each track, in file order; the first track is number 1.
  package var tracks: [[Entry]]

  /// An index of the given places.
  package init(tracks: [[Entry]]) { self.tracks = tracks }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    let start = builder.bytes.count
    builder.box("mfra") { box in
      for (index, entries) in tracks.enumerated() {
        box.fullBox("tfra", version: 1) { table in
          table.u32(index + 1)
          // Numbers of traf and trun take one byte, those of samples four.
          table.u32(3)
          table.u32(entries.count)
          for entry in entries {
            table.u64(entry.time)
            table.u64(entry.fragmentOffset)
            table.u8(entry.trackFragment)
            table.u8(1)
            table.u32(entry.sample)
          }
        }
      }
      box.fullBox("mfro") { $0.u32($0.bytes.count - start + 4) }
    }
  }
}

/// The specifications that a file or segment conforms to (ISO/IEC 14496-12, 4.3 `ftyp` and 8.16.2 `styp`).
package struct FileTypeBox: WritableBox, Equatable {
  /// Position of the box.
  package enum Place: String, Sendable {
    /// At the front of a file.
    case file = "ftyp"
    /// At the front of a media segment.
    case segment = "styp"
  }

  /// Position of the box, which gives its type.
  package let place: Place
  /// Best use, four characters.
  package let majorBrand: String
  /// Version of the major brand.
  package let minorVersion: Int
  /// Everything conformed to, in order.
  package let compatibleBrands: [String]

  /// A box of the given brands.
  package init(
    _ place: Place, majorBrand: String, minorVersion: Int = 0, compatibleBrands: [String]
  ) {
    self.place = place
    self.majorBrand = majorBrand
    self.minorVersion = minorVersion
    self.compatibleBrands = compatibleBrands
  }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.box(place.rawValue) { box in
      box.fourCC(majorBrand)
      box.u32(minorVersion)
      for brand in compatibleBrands { box.fourCC(brand) }
    }
  }
}
