// SPDX-License-Identifier: Apache-2.0
import ObjectMetadata

/// Decides by the first units of a stream what its presentations are: channels are counted in restart headers, and objects need a
/// payload of metadata that fits them.
package struct TrueHDSurvey {
  /// Units that are worth looking at: metadata come at least every 1536 samples.
  package static let units = 160

  private let checks = UnitChecks()
  private let frame = ObjectFrame()
  private var decoder: UnitDecoder?
  /// Presentation 3 with its objects; `nil` before a payload that fits it.
  private var moving: TrueHDProgramme?

  /// The stream; `nil` before the first unit with a major sync.
  package private(set) var stream: TrueHDStream?
  /// Units that were looked at.
  package private(set) var seen = 0
  /// Why the last payload of metadata can't be used; `nil` while there is none.
  package private(set) var failure: String?

  /// A survey of nothing.
  package init() {}

  /// Whether more units can't tell more.
  package var isComplete: Bool {
    guard let stream, seen > 0 else { return false }
    guard seen < TrueHDSurvey.units else { return true }
    // Channels are counted in restart headers, and the first one may be damaged.
    return stream.presentations.allSatisfy { channels($0.index) != nil }
      && (!stream.hasObjects || moving != nil)
  }

  /// Looks at the next unit.
  /// - Throws: ``TrueHDError/refused(_:)`` where the stream can't be decoded.
  package mutating func take(_ unit: UnsafeBufferPointer<UInt8>) throws(TrueHDError) {
    if decoder == nil {
      do throws(TrueHDError) {
        let found = try TrueHDStream(firstUnit: unit)
        decoder = UnitDecoder(found.sync, presentations: found.presentations.map(\.index))
        stream = found
      } catch {
        if case .refused = error { throw error }
        return
      }
    }
    guard let decoder else { return }
    _ = try decoder.decode(unit)
    seen += 1
    guard stream?.hasObjects == true, moving == nil, let extra = decoder.extraStart else { return }
    EvolutionFrame.objects(unit, from: extra) { bits, size, _ in
      if moving == nil { moving = programme(bits, size) }
    }
  }

  /// The programme of a payload; `nil` where it can't be played. The first payload of a stream may be broken.
  private mutating func programme(_ bits: ObjectBitReader, _ size: Int) -> TrueHDProgramme? {
    guard let stream, let channels = channels(3) else { return nil }
    do throws(ObjectMetadataError) {
      try ObjectReader.read(bits, size: size, into: frame)
    } catch {
      failure = error.description
      return nil
    }
    do throws(TrueHDError) {
      return try TrueHDProgramme(stream, frame, channels: channels)
    } catch {
      failure = error.description
      return nil
    }
  }

  /// Channels of a presentation; `nil` where no restart header of it was read.
  package func channels(_ presentation: Int) -> Int? {
    guard let count = decoder?.channels(presentation), count > 0 else { return nil }
    return count
  }

  /// The programme that suits `preference`; `nil` where no unit could be decoded. Presentation 3 falls back to the largest mix to
  /// channels where its metadata don't fit.
  package func programme(_ preference: TrueHDStream.Preference) -> TrueHDProgramme? {
    guard let stream else { return nil }
    let wanted = stream.choice(preference)
    if wanted == 3, stream.hasObjects {
      return moving ?? programme(presentation: stream.choice(.bed))
    }
    return programme(presentation: wanted)
  }

  /// The programme of the channels of a presentation; `nil` where there is none.
  package func programme(presentation: Int) -> TrueHDProgramme? {
    guard let stream, let channels = channels(presentation) else { return nil }
    return TrueHDProgramme(stream, presentation: presentation, channels: channels)
  }
}
