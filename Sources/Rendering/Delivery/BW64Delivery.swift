// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import LibAV
import Loudness
import MediaIn
import MediaOut
import Signal
import Verify

/// Writes BW64 with metadata (ITU-R BS.2076-2, BS.2088-1), and reads samples and metadata back.
final class BW64Delivery: Delivery {
  private let context: DeliveryContext
  /// Checksum of the samples that were written.
  private var checksum: [UInt8] = []

  init(_ context: DeliveryContext) { self.context = context }

  func write() throws -> WrittenSound {
    let output = context.output
    let metadata = try ObjectMetadata(
      name: context.title ?? context.fileTitle, programme: programme,
      updates: output.branch.kept?.updates ?? [],
      length: output.frames, bitDepth: context.coding.encoding.integerBits,
      times: context.coding.admTimes)
    let broadcast = context.broadcast
    var texts = context.texts(context.tags)
    texts.broadcast = broadcast
    texts.pictures = context.framedPictures(texts.tags)
    var settings = context.settings(texts)
    settings.format = AudioFormat(
      sampleRate: context.format.sampleRate, layout: ChannelLayout(unnamed: output.branch.tracks))
    let writer = try BW64Writer(
      descriptor: context.target.descriptor, name: context.target.name, settings: settings,
      leading: [metadata.tracks])
    writer.trailing = [metadata.document]
    let written = try send(output, to: writer)
    checksum = written.checksum ?? []
    return written
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    let output = context.output
    let found = try SampleProof(
      target: context.target,
      expectation: WAVExpectation(
        sampleRate: context.format.sampleRate, channels: output.branch.tracks,
        frames: output.frames, bits: context.coding.encoding.integerBits ?? 32,
        isFloat: context.coding.encoding == .float32),
      checksum: checksum, hasDigest: context.request.statesDigests
    ).read { try output.show(.verify, $0) }
    let proof = ObjectProof(target: context.target, programme: programme)
    guard let kept = output.branch.kept else {
      guard let account = written.account else {
        throw MediaError(
          .internal, about: context.target.name, "nothing was noted of what was written")
      }
      return WrittenFile(
        format: ContainerKind.bw64.rawValue, layout: try proof.layout(context.format.layout),
        samples: found.samples, digest: found.digest, statistics: account.statistics,
        spectrum: account.spectrum)
    }
    let plan = output.branch.plan
    let levels = try proof.levels(
      kept, in: plan.renderer.levelLayout, isDualMono: plan.isDualMono)
    return WrittenFile(
      format: ContainerKind.bw64.rawValue, layout: context.format.layout, samples: found.samples,
      digest: found.digest, statistics: levels.statistics, spectrum: levels.spectrum)
  }

  /// Programme in the file.
  private var programme: Programme {
    context.output.branch.kept?.programme ?? Programme(context.format)
  }
}

/// The audio definition metadata (ITU-R BS.2076-2) of a programme that is stored as it is.
struct ObjectMetadata {
  let document: WAVChunk
  /// Chunk that assigns tracks to parts of the document.
  let tracks: WAVChunk

  /// The metadata of `programme`, whose planes have `length` samples; `updates` are those of each plane, none
  /// at all where objects rest, and `name` is that of the programme.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` or `usage` for a programme that they can't describe.
  init(
    name: String, programme: Programme, updates: [[ObjectUpdate]], length: Int64, bitDepth: Int?,
    times: ADMTimeForm = .decimal
  ) throws {
    let updates = updates.isEmpty ? Array(repeating: [], count: programme.planes) : updates
    do {
      let writer = try ADMWriter(
        WrittenProgramme(
          name: name, programme, updates: updates, length: length, bitDepth: bitDepth),
        times: times)
      document = WAVChunk(id: "axml", bytes: writer.document)
      tracks = WAVChunk(id: "chna", bytes: writer.channelTable.bytes)
    } catch {
      throw error.mediaError(about: name)
    }
  }
}

/// Reads a written BW64 file as any other input, and compares what its metadata say with what was meant.
///
/// The comparison goes track by track, because readers may put planes into another order. A bed that isn't the
/// whole file comes back as channels for loudspeakers, and channels that are the whole file may come back as
/// a bed; both must be the same channels at full level.
struct ObjectProof {
  let target: OutputTarget
  /// Programme that was written.
  let programme: Programme

  /// Checks the metadata of channels for `layout`.
  /// - Returns: the layout that readers see.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they aren't as meant.
  func layout(_ layout: ChannelLayout) throws -> ChannelLayout {
    let stored = try StoredScene(target)
    try compare(stored, updates: [])
    // A layout that is none of the common definitions comes back as channels.
    guard case .bed(let found)? = stored.programme.elements.first else { return layout }
    return found
  }

  /// Compares what the file's metadata say with `kept`, renders the file as they say, to `layout` or the usual one, and measures it.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they say something else.
  func levels(
    _ kept: KeptProgramme, in layout: ChannelLayout? = nil, isDualMono: Bool
  ) throws -> SourceLevels {
    let stored = try StoredScene(target)
    try compare(stored, updates: kept.updates)
    return try SourceLevels(
      ChannelSource(stored.source, levelsIn: layout), isDualMono: isDualMono)
  }

  /// Compares all tracks; `updates` are those that each was written with, none at all for a bed.
  private func compare(_ stored: StoredScene, updates: [[ObjectUpdate]]) throws {
    let wanted = PlaneContent.list(programme)
    guard stored.contents.count == wanted.count else {
      throw target.unlike(
        "its metadata describe \(stored.programme.contents), not \(programme.contents)")
    }
    for track in wanted.indices {
      let found = stored.contents[track]
      switch (wanted[track], found) {
      case (.object, .object):
        let place = MotionCourse.difference(
          of: try stored.updates(of: track), from: updates[track], frames: stored.frames)
        guard let place else { continue }
        throw target.unlike(
          "what it says of the object in track \(track + 1) at sample \(place) isn't what was meant"
        )
      case (.channel(let channel), .object):
        try expect(channel, track, try stored.updates(of: track), frames: stored.frames)
      case (.object, .channel(let channel)):
        try expect(channel, track, updates[track], frames: stored.frames)
      case (let own, _):
        guard own == found else {
          throw target.unlike("its metadata describe track \(track + 1) as \(found), not as \(own)")
        }
      }
    }
  }

  /// Makes sure that an object with `updates` is nothing but `channel` at full level.
  private func expect(
    _ channel: BedChannel, _ track: Int, _ updates: [ObjectUpdate], frames: Int64
  ) throws {
    guard let place = MotionCourse.difference(of: updates, from: channel, frames: frames) else {
      return
    }
    throw target.unlike(
      "track \(track + 1) isn't the channel \(channel.label) at full level at sample \(place)")
  }
}

extension OutputTarget {
  /// The failure of a file whose metadata aren't as meant; `what` tells why.
  func unlike(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: name,
      "the written file isn't as meant: \(what); nothing was kept")
  }
}

/// Loudness and spectrum of all that a source delivers.
struct SourceLevels {
  let statistics: LoudnessStatistics
  /// Levels of ``LongTermSpectrum/frequencies``, dB.
  let spectrum: [Double?]

  /// Reads `channels` to their end.
  /// - Throws: ``MediaError`` from the source.
  init(_ channels: ChannelSource, isDualMono: Bool) throws {
    let meter = try LoudnessMeter(format: channels.format, dualMono: isDualMono)
    let spectrum = LongTermSpectrum(format: channels.format)
    try channels.forEachBlock { buffer in
      guard buffer.frames > 0 else { return }
      try meter.add(buffer)
      spectrum.add(buffer)
    }
    statistics = meter.statistics()
    self.spectrum = spectrum.levels
  }
}
