import AudioCore
import LibAV

/// Gives the coded frames of one audio track in order, as MP4 holds them.
protocol AccessUnitSource: AnyObject {
  /// Ticks a second of all times.
  var timescale: Int64 { get }

  /// Where time 0 lies on the source's clock, in seconds as ticks over a rate; known once the first
  /// unit has been read.
  var origin: (ticks: Int64, rate: Int64) { get }

  /// The next frame; `nil` behind the last.
  /// - Throws: ``MediaError`` when the track is damaged or has gaps.
  func next() throws -> AccessUnit?
}

extension MediaFile {
  /// The frames of an AC-3, E-AC-3 or AC-4 track in MP4's form, and those of any codec of an MP4.
  /// - Throws: ``LibAVError`` when memory is out.
  func accessUnits(
    of stream: StreamInfo, policy: DamagePolicy, log: DiagnosticLog
  ) throws -> any AccessUnitSource {
    let isAC4 = stream.codec == CodecTraits.ac4.name
    if container == nil { return RawAC4Units(file: file, log: log, policy: policy) }
    if movie != nil {
      let form: StoredForm =
        isAC4 ? .ac4 : stream.codecTraits.hasDolbyHeader ? .dolby : .opaque
      return try StoredUnits(media: self, stream: stream, form: form)
    }
    return try FramedUnits(media: self, stream: stream, isAC4: isAC4, log: log, policy: policy)
  }
}
