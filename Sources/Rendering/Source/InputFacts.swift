import AudioCore
import LibAV
import MediaIn
import Report

/// Turns an opened track into its part of a report.
package enum InputFacts {
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  package static func report(
    _ track: TrackSource, of input: MediaInput
  ) throws -> RenderReport.Input {
    let (media, stream) = (track.first.media, track.first.stream)
    let facts = track.programme.facts
    var report = RenderReport.Input(
      path: input.name, container: container(input, media), stream: stream.index,
      codec: stream.codec,
      profile: stream.profile, layout: layout(of: track.programme),
      rate: track.programme.sampleRate, language: facts.language,
      dialnorm: facts.dialnorm, drc: facts.hasDynamicRange, objects: facts.objects.rawValue)
    report.objectCoding = track.first.reader.track.objectCoding.map { coding in
      ObjectCodingReport(
        complexity: coding.complexity, bed: coding.bed?.name, objects: coding.objects,
        downmix: coding.downmix, updatesPerSecond: coding.updatesPerSecond)
    }
    report.undecoded = facts.undecoded
    report.scene = try scene(track)
    return report
  }

  /// What is known of the elements of a track so far; `nil` for a bed alone.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  static func scene(_ track: TrackSource) throws -> [ObjectReport]? {
    let objects = try track.first.reader.objects()
    let rate = Double(track.programme.sampleRate)
    return objects.isEmpty ? nil : objects.map { ObjectReport($0, rate: rate) }
  }

  /// Name of the layout of a programme that is one bed, else its contents in words.
  private static func layout(of programme: Programme) -> String {
    programme.bedFormat?.layout.name ?? programme.contents
  }

  /// Name of the container: of several, that of what holds them together.
  package static func container(_ input: MediaInput, _ media: MediaFile) -> String {
    (input.presentation == nil ? media.format : .hls).token
  }
}

extension ObjectReport {
  /// What is known of an object of a track at `rate` Hz.
  init(_ facts: ObjectFacts, rate: Double) {
    self.init(
      name: facts.name, type: facts.kind.rawValue, tracks: facts.tracks.map { $0 + 1 },
      start: facts.start.map { Double($0) / rate }, end: facts.end.map { Double($0) / rate },
      changes: facts.changes)
    id = facts.id
    kinds = facts.kinds.isEmpty ? nil : facts.kinds
    interaction = facts.interaction
    guard !facts.least.isEmpty else { return }
    coordinates = facts.isCartesian ? "cartesian" : "polar"
    (least, greatest) = (facts.least, facts.greatest)
    path = facts.path.map { point in
      Point(
        seconds: Double(point.at) / rate, position: point.position.coordinates, gain: point.gain)
    }
  }
}
