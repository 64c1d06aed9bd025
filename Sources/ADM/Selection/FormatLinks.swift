/// Follows track formats over streams to channels (BS.2076-2, 5.1 and 5.2).
struct FormatLinks {
  /// The channel of each track format, as far as one is stated.
  let channels: [ElementID: ElementID]

  /// Follows the links of a document; either side may state the link between track and stream.
  /// - Throws: ``ADMError`` for coded formats and for links that contradict each other.
  init(_ document: ADMDocument) throws(ADMError) {
    var streams: [ElementID: AudioStreamFormat] = [:]
    var streamOfTrack: [ElementID: ElementID] = [:]
    for stream in document.streams {
      streams[stream.id] = stream
      for track in stream.tracks {
        if let other = streamOfTrack[track], other != stream.id {
          throw ADMError(
            .reference, "the track format \(track) belongs to \(other) and \(stream.id)")
        }
        streamOfTrack[track] = stream.id
      }
    }
    var channels: [ElementID: ElementID] = [:]
    for track in document.trackFormats {
      if let stream = track.stream {
        if let other = streamOfTrack[track.id], other != stream {
          throw ADMError(
            .reference, "the track format \(track.id) belongs to \(other) and \(stream)")
        }
        streamOfTrack[track.id] = stream
      }
    }
    for (track, id) in streamOfTrack {
      if let stream = streams[id] {
        guard stream.isPCM else {
          throw ADMError(.unsupported, "the stream \(id) isn't PCM; coded tracks aren't supported")
        }
        channels[track] = stream.channel
      } else {
        channels[track] = CommonDefinitions.channel(ofFormat: id)
      }
    }
    self.channels = channels
  }
}
