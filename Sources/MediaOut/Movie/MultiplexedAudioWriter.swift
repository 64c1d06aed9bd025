// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Encodes one audio track and writes it into files of several tracks, with or without other tracks beside it.
///
/// The edit list holds the encoder's start-up samples and the exact length, so that readers play
/// the samples that were written, no more and no fewer.
package final class MultiplexedAudioWriter<Writer: TrackWriter>: PacketSink {
  private let audio: any PushedTrack
  private let multiplexer: Multiplexer<Writer>
  private let home: Int
  /// Takes the encoded samples, too, where they are to be kept.
  private var recording: TrackRecording?

  /// Starts the files with the track `audio`; `name` appears in messages. Former content is overwritten
  /// from the front, and any rest is cut off.
  ///
  /// One of `files` holds the pushed track. `makeWriter` makes the writer of a file with the given tracks.
  /// - Throws: ``MediaError`` as writing does.
  package init(
    name: String, files: [MultiplexedFile], audio: any PushedTrack,
    makeWriter: (any ByteSink, [OutputTrackFacts]) throws -> Writer
  ) throws {
    self.audio = audio
    guard let home = files.firstIndex(where: \.holdsPushedTrack) else {
      throw MediaError(.internal, about: name, "no file for the audio track")
    }
    self.home = home
    multiplexer = try Multiplexer(files: files, pushed: audio.facts, makeWriter: makeWriter)
  }

  /// Samples that had to be clamped to full scale; 0 for lossy encodings, which clamp nothing.
  package var clippedSamples: Int64 { audio.clippedSamples }

  /// The samples of the last block as every reader gets them; `nil` for a lossy encoding.
  package var stored: AudioBuffer? { audio.stored }

  /// The writers of the files, in the order given.
  package var movies: [Writer] { multiplexer.writers }

  /// The writer of the file that holds the encoded track.
  package var movie: Writer { multiplexer.writers[home] }

  /// Start-up samples that the edit list skips.
  package var initialPadding: Int { Int(audio.facts.priming) }

  /// The codec as HLS and MIME types name it (RFC 6381).
  package var codec: String { audio.codec }

  /// Keeps the samples of the encoded track in `recording`, in place of what that held.
  /// - Throws: ``MediaError`` when they can't be stored.
  package func record(into recording: TrackRecording) throws {
    try recording.begin(audio)
    self.recording = recording
  }

  private func push(_ sample: MediaSample) throws {
    try recording?.add(sample)
    try multiplexer.push(sample)
  }

  /// Encodes all of `buffer`.
  package func write(_ buffer: AudioBuffer) throws {
    for sample in try audio.encode(buffer) { try push(sample) }
  }

  /// Encodes the rest and completes the files.
  package func close() throws {
    for sample in try audio.finish() { try push(sample) }
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
      for sample in audio.samples([try store.packet(number)]) { try push(sample) }
    }
    try multiplexer.finish()
  }
}

/// Ticks a second of a movie in which starts and ends of all its tracks of sound are whole; `nil` without sound, and where 32 bits
/// don't suffice.
private func commonTimescale(_ tracks: [OutputTrackFacts]) -> Int? {
  let rates = tracks.filter { $0.kind == .sound }.map { Int64($0.timescale) }
  let common = rates.reduce(1, MediaTime.leastCommonMultiple)
  return rates.isEmpty || common > Int64(UInt32.max) ? nil : Int(common)
}

extension MultiplexedAudioWriter where Writer == FragmentedMP4Writer {
  /// Writes fragmented MP4. Of `settings` only texts and fragments count.
  /// - Throws: as the other initialiser.
  package convenience init(
    name: String, files: [MultiplexedFile], audio: any PushedTrack, settings: SoundSettings
  ) throws {
    let (rate, coding) = (settings.format.sampleRate, settings.coding)
    var movie = FragmentedMP4Settings(movieTimescale: rate, fragmentDuration: 1)
    movie.tags = MovieTags(texts(settings, files), name: name)
    movie.isForSegmentFiles = coding.hasSegmentFiles
    movie.compatibleBrands += audio.facts.coding.brands
    let length = MediaTime(
      ticks: coding.fragmentDuration?.samples(at: rate) ?? 0, rate: Int64(rate))
    try self.init(name: name, files: files, audio: audio) { sink, tracks in
      movie.movieTimescale = commonTimescale(tracks) ?? rate
      return try FragmentedMP4Writer(
        sink: sink, tracks: tracks, settings: movie, fragmentDuration: length, name: name)
    }
  }
}

/// The texts of files of MP4. Tags are those of the whole file, and several tracks have a level each, which their boxes state.
private func texts(_ settings: SoundSettings, _ files: [MultiplexedFile]) -> TrackTexts {
  var texts = settings.texts
  let tracks = files.flatMap(\.order)
  // The pushed track is sound.
  if tracks.count(where: { $0.map { $0.tracks.contains { $0.kind == .sound } } ?? true }) > 1 {
    (texts.loudness, texts.albumLoudness) = (nil, nil)
  }
  return texts
}

extension MultiplexedAudioWriter where Writer == ProgressiveMP4Writer {
  /// Writes progressive MP4. Of `settings` only texts count.
  /// - Throws: as the other initialiser.
  package convenience init(
    name: String, files: [MultiplexedFile], audio: any PushedTrack, settings: SoundSettings
  ) throws {
    var movie = ProgressiveMP4Settings(movieTimescale: settings.format.sampleRate)
    movie.tags = MovieTags(texts(settings, files), name: name)
    try self.init(name: name, files: files, audio: audio) { sink, tracks in
      movie.movieTimescale = commonTimescale(tracks) ?? movie.movieTimescale
      return try ProgressiveMP4Writer(sink: sink, tracks: tracks, settings: movie, name: name)
    }
  }
}
