import AudioCore
import LibAV
import MediaIn
import Report

/// Turns an opened track into its part of a report.
package enum InputFacts {
  package static func report(_ track: TrackSource, of input: MediaInput) -> RenderReport.Input {
    let (media, stream) = (track.first.media, track.first.stream)
    let facts = track.programme.facts
    return RenderReport.Input(
      path: input.name, container: container(input, media), stream: stream.index,
      codec: stream.codec,
      profile: stream.profile, layout: layout(of: track.programme),
      rate: track.programme.sampleRate, language: facts.language,
      dialnorm: facts.dialnorm, drc: facts.hasDynamicRange, objects: facts.objects.rawValue)
  }

  /// Name of the layout of a programme that is one bed, else its contents in words.
  private static func layout(of programme: Programme) -> String {
    if programme.elements.count == 1, case .bed(let layout) = programme.elements[0] {
      return layout.name
    }
    return programme.contents
  }

  /// Name of the container: of several, that of what holds them together.
  package static func container(_ input: MediaInput, _ media: MediaFile) -> String {
    (input.presentation == nil ? media.format : .hls).token
  }
}
