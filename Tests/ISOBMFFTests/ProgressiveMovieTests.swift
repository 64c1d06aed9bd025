// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

/// Movies whose samples lie in tables, written, read back and checked.
@Suite struct ProgressiveMovieTests {
  /// Sound of three packets in two chunks, and pictures of four in two, one of them late by half a second.
  private func movie(
    isLate: Bool = true, change: (inout MovieBox) -> Void = { _ in }
  ) throws -> [UInt8] {
    var sound = TrackBox(
      kind: .audio, timescale: 48_000,
      sampleEntry: AudioSampleEntry(format: "test", channels: 2, sampleRate: 48_000).encoded,
      edits: EditListBox(entries: [.init(duration: 2000, mediaTime: 1024)]), rollDistance: -1)
    var pictures = TrackBox(
      kind: .video, timescale: 25,
      sampleEntry: AudioSampleEntry(format: "test", channels: 0, sampleRate: 0).encoded,
      edits: EditListBox(
        entries: (isLate ? [.init(duration: 24_000, mediaTime: -1)] : [])
          + [.init(duration: 7680, mediaTime: 1)]), width: 64, height: 36)
    let type = FileTypeBox(.file, majorBrand: "isom", compatibleBrands: ["isom"]).encoded
    let data = Int64(type.count + 8)
    for (index, size) in [3, 4, 5].enumerated() {
      if index != 1 { sound.samples.beginChunk(at: data + (index == 0 ? 0 : 13)) }
      sound.samples.add(FragmentSample(size: size, duration: 1024))
    }
    sound.samples.endChunk()
    // Sound 3 and 4 bytes, pictures 3 and 3, sound 5, pictures 2 and 2: places follow one another.
    for index in 0..<4 {
      if index % 2 == 0 { pictures.samples.beginChunk(at: data + (index == 0 ? 7 : 18)) }
      pictures.samples.add(
        FragmentSample(
          size: index < 2 ? 3 : 2, duration: 1, compositionOffset: [1, 2, 0, 1][index],
          isSync: index == 0))
    }
    pictures.samples.endChunk()
    sound.mediaDuration = sound.samples.duration
    pictures.mediaDuration = pictures.samples.duration
    var movie = MovieBox(
      timescale: 48_000, duration: isLate ? 24_000 + 7680 + 1920 : 7680 + 1920,
      tracks: [sound, pictures])
    movie.isFragmented = false
    change(&movie)
    return type + BoxBytes.box("mdat", (0..<22).map { UInt8($0) }) + movie.encoded
  }

  private func findings(_ bytes: [UInt8]) -> [MovieFinding] {
    ProgressiveMovieCheck(BoxBytes.source(bytes)).findings
  }

  private func codes(_ bytes: [UInt8]) -> Set<MovieFinding.Code> {
    Set(findings(bytes).map(\.code))
  }

  /// Changes the byte `place` behind the type of the box `name`.
  private func changed(_ bytes: [UInt8], _ name: String, _ place: Int, to value: UInt8) throws
    -> [UInt8]
  {
    var bytes = bytes
    let found = try #require(bytes.firstRange(of: Array(name.utf8)))
    bytes[found.upperBound + place] = value
    return bytes
  }

  @Test("what is written is read, sample by sample") func whatIsWrittenIsRead() throws {
    let reader = try #require(ProgressiveMovieReader(BoxBytes.source(try movie())))
    #expect(!reader.isFragmented)
    #expect(reader.movie.tracks.map(\.handler) == ["soun", "vide"])
    #expect(reader.movie.tracks.map(\.mediaDuration) == [3072, 4])
    let sound = try #require(reader.tables[0])
    let pictures = try #require(reader.tables[1])
    #expect(sound.count == 3 && pictures.count == 4)
    #expect(sound.chunks.map(\.size) == [7, 5])
    #expect(pictures.chunks.map(\.size) == [6, 4])
    #expect(sound.syncs == nil && pictures.syncs == [1])
    #expect(sound.rollSamples == 3 && pictures.rollSamples == nil)
    var times: [[Int64]] = []
    pictures.forEachTime { times.append([$0, $1]) }
    #expect(times == [[0, 1], [1, 2], [2, 0], [3, 1]])
  }

  @Test("a right movie has no findings, with and without a late track")
  func rightMoviesHaveNoFindings() throws {
    #expect(findings(try movie()) == [])
    #expect(findings(try movie(isLate: false)) == [])
  }

  /// ISO/IEC 14496-12, 8.7.3.2: a shared size stands in front, and no table follows.
  @Test("samples of one size have no table of sizes") func sharedSizesHaveNoTable() throws {
    var tables = SampleTables()
    tables.beginChunk(at: 9)
    for _ in 0..<5 { tables.add(FragmentSample(size: 6, duration: 1024)) }
    tables.endChunk()
    var builder = BoxBuilder()
    tables.append(to: &builder)
    let sizes = BoxBytes.box("stsz", [0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 5])
    #expect(builder.bytes.firstRange(of: sizes) != nil)
    let times = BoxBytes.box("stts", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5, 0, 0, 4, 0])
    #expect(builder.bytes.starts(with: times))
    for box in ["stss", "ctts", "co64"] {
      #expect(builder.bytes.firstRange(of: Array(box.utf8)) == nil)
    }
  }

  @Test(
    "places beyond 4 GiB have 64 bits",
    arguments: [(1 << 32 - 1, "stco"), (1 << 32, "co64")] as [(Int64, String)])
  func farPlacesAreLong(offset: Int64, name: String) {
    var tables = SampleTables()
    tables.beginChunk(at: offset)
    tables.add(FragmentSample(size: 1, duration: 1))
    tables.endChunk()
    var builder = BoxBuilder()
    tables.append(to: &builder)
    #expect(builder.bytes.firstRange(of: Array(name.utf8)) != nil)
    let place =
      name == "co64" ? BoxBytes.number(UInt64(offset)) : BoxBytes.number(UInt32(offset))
    #expect(builder.bytes.suffix(place.count) == place[...])
  }

  @Test("tables never take more bytes than their bound") func theBoundHolds() {
    for count in [0, 1, 7, 100] {
      for arePictures in [false, true] {
        var tables = SampleTables()
        for number in 0..<count {
          tables.beginChunk(at: 1 << 40)
          tables.add(
            FragmentSample(
              size: number, duration: arePictures ? Int64(number + 1) : 1024,
              compositionOffset: arePictures ? Int64(number % 3) : 0,
              isSync: !arePictures || number % 2 == 0))
        }
        tables.endChunk()
        var (full, empty) = (BoxBuilder(), BoxBuilder())
        tables.append(to: &full)
        SampleTables().append(to: &empty)
        let bound = SampleTables.bound(
          samples: count, chunks: count, isIrregular: false, arePictures: arePictures)
        #expect(full.bytes.count - empty.bytes.count <= bound)
      }
    }
  }

  @Test("tables that contradict each other are found") func contradictionsAreFound() throws {
    let right = try movie()
    // One packet more in stsz than elsewhere, another length, a number of a key frame that doesn't exist.
    #expect(codes(try changed(right, "stsz", 11, to: 2)).contains(.sampleTable))
    #expect(codes(try changed(right, "stts", 11, to: 2)).contains(.sampleTable))
    #expect(codes(try changed(right, "stss", 11, to: 5)) == [.sampleTable])
    #expect(codes(try changed(right, "mdhd", 31, to: 1)) == [.sampleTable])
    #expect(codes(try changed(right, "sbgp", 15, to: 2)) == [.rollGroup])
  }

  @Test("samples outside the media data, over each other and bytes of nobody are found")
  func wrongPlacesAreFound() throws {
    let right = try movie()
    let place = try #require(right.firstRange(of: Array("stco".utf8))).upperBound + 11
    #expect(
      codes(try changed(right, "stco", 11, to: right[place] + 1)) == [.dataOffset, .dataSize])
    #expect(codes(try changed(right, "stco", 11, to: 0)).contains(.dataOffset))
    #expect(codes(try changed(right, "stco", 15, to: 255)).contains(.dataOffset))
    #expect(codes(try changed(right, "stsz", 15, to: 2)).contains(.dataSize))
  }

  @Test("edits that present more than there is, and another length of the movie, are found")
  func wrongLengthsAreFound() throws {
    #expect(
      codes(
        try movie {
          $0.tracks[0].edits = EditListBox(entries: [.init(duration: 2049, mediaTime: 1024)])
        }
      ) == [.editDuration])
    #expect(
      codes(
        try movie {
          $0.tracks[0].edits = EditListBox(entries: [
            .init(duration: 1000, mediaTime: 1024), .init(duration: 1000, mediaTime: 2024),
          ])
        }) == [.editList])
    #expect(codes(try movie { $0.duration += 2 }) == [.movieDuration])
    // The longest presentation is right, too, as other writers have it.
    #expect(codes(try movie { $0.duration = 24_000 + 7680 }) == [])
  }

  @Test("a movie that is cut at any byte, or has any byte changed, is checked to its end")
  func damagedMoviesAreCheckedToTheirEnd() throws {
    let right = try movie()
    for length in 0..<right.count { _ = findings(Array(right[..<length])) }
    for place in right.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = right
        bytes[place] = value
        _ = findings(bytes)
        ProgressiveMovieReader(BoxBytes.source(bytes))?.tables.forEach {
          $0?.forEachTime { _, _ in }
        }
      }
    }
  }
}
