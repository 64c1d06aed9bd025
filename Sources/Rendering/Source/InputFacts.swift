import AudioCore
import LibAV
import MediaIn
import Report

/// Turns an opened track into its part of a report.
package enum InputFacts {
  package static func report(_ track: TrackSource, of input: MediaInput) -> RenderReport.Input {
    let (media, reader, stream) = (track.first.media, track.first.reader, track.first.stream)
    return RenderReport.Input(
      path: input.name, container: container(input, media), stream: stream.index,
      codec: stream.codec,
      profile: stream.profile, layout: reader.format.layout.name,
      rate: reader.format.sampleRate, language: stream.language,
      dialnorm: reader.dialnorm, drc: reader.hasDynamicRange, objects: reader.objects)
  }

  /// Name of the container: of several, that of what holds them together.
  package static func container(_ input: MediaInput, _ media: MediaFile) -> String {
    input.presentation == nil ? media.formatName : "hls"
  }
}
