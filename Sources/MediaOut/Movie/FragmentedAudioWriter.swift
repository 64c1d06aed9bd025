import AudioCore
import ISOBMFF
import LibAV

/// Encodes one audio track and writes it as fragmented MP4, with or without other tracks beside it.
///
/// The edit list holds the encoder's start-up samples and the exact length, so that readers play
/// the samples that were written, no more and no fewer.
package final class FragmentedAudioWriter: AudioSink {
  private let audio: any PushedTrack
  private let multiplexer: Multiplexer<FragmentedMP4Writer>
  private let home: Int

  /// Starts the files with the track `audio`; `name` appears in messages. What they held before is overwritten
  /// from the front, and any rest is cut off.
  ///
  /// One of `files` holds the pushed track. Of `settings` only texts and fragments count.
  /// - Throws: ``MediaError`` as writing does.
  package init(
    name: String, files: [MultiplexedFile], audio: any PushedTrack, settings: SoundSettings
  ) throws {
    self.audio = audio
    guard let home = files.firstIndex(where: \.holdsPushedTrack) else {
      throw MediaError(.internal, about: name, "no file for the audio track")
    }
    self.home = home
    let (rate, coding) = (settings.format.sampleRate, settings.coding)
    var movie = FragmentedMP4Settings(movieTimescale: rate, fragmentDuration: 1)
    movie.tags = MovieTags(settings.texts, name: name)
    movie.isForSegmentFiles = coding.hasSegmentFiles
    movie.compatibleBrands += audio.facts.coding.brands
    let length = MediaTime(
      ticks: coding.fragmentDuration?.samples(at: rate) ?? 0, rate: Int64(rate))
    multiplexer = try Multiplexer(files: files, pushed: audio.facts) { sink, tracks in
      try FragmentedMP4Writer(
        sink: sink, tracks: tracks, settings: movie, fragmentDuration: length, name: name)
    }
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { audio.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { audio.stored }

  /// The writers of the files, in the order given.
  package var movies: [FragmentedMP4Writer] { multiplexer.writers }

  /// The writer of the file that holds the encoded track.
  package var movie: FragmentedMP4Writer { multiplexer.writers[home] }

  /// Start-up samples that the edit list skips.
  package var initialPadding: Int { Int(audio.facts.priming) }

  /// The codec as HLS and MIME types name it (RFC 6381).
  package var codec: String { audio.codec }

  /// Encodes all of `buffer`.
  package func write(_ buffer: AudioBuffer) throws {
    for sample in try audio.encode(buffer) { try multiplexer.push(sample) }
  }

  /// Encodes the rest and completes the files.
  package func close() throws {
    for sample in try audio.finish() { try multiplexer.push(sample) }
    try multiplexer.finish()
  }

  /// Writes all packets of `store`, which were encoded with the same settings, and completes the files;
  /// takes the place of ``write(_:)`` and ``close()``.
  /// - Throws: ``MediaError`` when they can't be stored.
  package func write(_ store: PacketStore) throws {
    guard let audio = audio as? EncodedAudioTrack else {
      throw MediaError(.internal, "MP4: packets of another track than the encoded one")
    }
    for number in 0..<store.count {
      for sample in audio.samples([try store.packet(number)]) { try multiplexer.push(sample) }
    }
    try multiplexer.finish()
  }
}
