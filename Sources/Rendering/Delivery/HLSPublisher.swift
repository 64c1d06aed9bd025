// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaIn
import MediaOut

/// Makes the playlists of what was written as HLS.
struct HLSPublisher {
  /// A track of sound as written: codec, ticks a second, channels as CHANNELS has them, language, title and purposes.
  struct Sound {
    let movie: FragmentedMP4Writer
    let codec: String
    let timescale: Int
    let channels: String
    let language: String
    let title: String?
    let roles: OutputTrackFacts.Roles
  }

  /// Pictures as written.
  struct Video {
    let movie: FragmentedMP4Writer
    let survey: VideoSurvey
  }

  /// The tracks of sound in their order, one at least; of each track a rendition for every group. The first plays unless the user chooses
  /// otherwise.
  let sounds: [Sound]
  /// Groups of sound.
  var groups = 1
  let video: Video?
  /// Copied tracks, with the places of the rendered tracks that they are the originals of, counted without groups. They are a group of
  /// their own.
  var originals: [(place: Int, sound: Sound)] = []
  let subtitles: [CarriedSubtitles]
  /// Whether each segment is a file.
  let hasSegmentFiles: Bool
  /// Chapters; `nil` where the output has none.
  var chapters: MarkerSheet?

  /// Written movie of each rendition.
  func renditions(_ names: HLSNames) -> [(place: HLSNames.Rendition, movie: FragmentedMP4Writer)] {
    zip(names.sounds, sounds).map { ($0, $1.movie) }
      + [video].compactMap { $0 }.map { (names.video, $0.movie) }
      + originals.enumerated().map { (names.original($0), $1.sound.movie) }
  }

  /// All playlists and subtitle files with their paths.
  func texts(_ names: HLSNames) -> [(path: String, text: String)] {
    let shown = video.map { playlist(of: $0, names) }
    let media =
      zip(names.sounds, sounds).map { playlist(of: $1, at: $0, names) }
      + originals.enumerated().map { playlist(of: $1.sound, at: names.original($0), names) }
    let target = (media + [shown].compactMap(\.self)).map(\.target).max() ?? 1
    func text(_ playlist: HLSMediaPlaylist) -> String {
      var playlist = playlist
      playlist.leastTarget = target
      return playlist.text
    }
    let (playlists, copies) = (Array(media.prefix(sounds.count)), media.suffix(originals.count))
    var all = HLSMultivariantPlaylist((0..<groups).map { group($0, playlists, names) })
    var result = zip(names.sounds, playlists).map { ($0.playlist, text($1)) }
    if !originals.isEmpty {
      result += copies.enumerated().map { (names.original($0).playlist, text($1)) }
      all.groups.append(originalGroup(Array(copies), playlists, names))
    }
    let length = playlists.map(\.milliseconds).max() ?? 0
    if let video, let pictures = shown {
      all.video = describe(video, pictures, names)
      all.isIndependent = pictures.isIndependent
      result.append((names.video.playlist, text(pictures)))
    }
    for (index, track) in subtitles.enumerated() {
      let place = names.subtitles(index)
      result.append((place.movie, track.webVTT))
      result.append((place.playlist, playlist(of: track, place, length: length)))
      var rendition = HLSPublisher.rendition(
        place, track.language, title: track.title, otherwise: "subtitles")
      rendition.isDefault = track.isDefault && index == 0
      rendition.isForced = track.roles.contains(.forced)
      if track.roles.contains(.hearingImpaired) {
        rendition.characteristics = [
          "public.accessibility.transcribes-spoken-dialog",
          "public.accessibility.describes-music-and-sound",
        ]
      }
      all.subtitles.append(rendition)
    }
    if let chapters {
      result.append(
        (
          names.chapters,
          // Titles may be in another language than the sound.
          chapters.hlsChapters(language: "")
        ))
      all.chapterName = HLSNames.uri(names.chapters)
    }
    return result + [(names.multivariant, all.text)]
  }

  /// A track of a group, with the place and the playlist of its media.
  private typealias Member = (sound: Sound, place: HLSNames.Rendition, playlist: HLSMediaPlaylist)

  /// The group at place `number` of the rendered ones, whose tracks have `playlists`.
  private func group(
    _ number: Int, _ playlists: [HLSMediaPlaylist], _ names: HLSNames
  ) -> HLSMultivariantPlaylist.SoundGroup {
    group(
      stride(from: number, to: sounds.count, by: groups).map {
        (sounds[$0], names.sounds[$0], playlists[$0])
      })
  }

  /// The group of the originals, which have `copies`; a track without one is the rendered one again, because all groups have the same
  /// tracks.
  private func originalGroup(
    _ copies: [HLSMediaPlaylist], _ playlists: [HLSMediaPlaylist], _ names: HLSNames
  ) -> HLSMultivariantPlaylist.SoundGroup {
    var members = stride(from: 0, to: sounds.count, by: groups).map { place -> Member in
      (sounds[place], names.sounds[place], playlists[place])
    }
    for (index, original) in originals.enumerated() where members.indices.contains(original.place) {
      members[original.place] = (original.sound, names.original(index), copies[index])
    }
    return group(members)
  }

  private func group(_ members: [Member]) -> HLSMultivariantPlaylist.SoundGroup {
    // A player that changes between groups finds a track by its name, which is that of its first rendition.
    let tracks = stride(from: 0, to: sounds.count, by: groups).map { sounds[$0] }
    let renditions = zip(members, tracks).enumerated().map { place, pair in
      let (member, track) = pair
      var rendition = HLSPublisher.rendition(
        member.place, track.language, title: track.title, otherwise: "audio")
      rendition.channels = member.sound.channels
      rendition.isDefault = place == 0
      let isDescription = track.roles.contains(.visualImpaired)
      if isDescription { rendition.characteristics = ["public.accessibility.describes-video"] }
      // Players choose descriptions for those who want them, and a commentary for nobody.
      let isFirst = !tracks[..<place].contains {
        $0.language == track.language && $0.roles.isPlain == track.roles.isPlain
          && $0.roles.contains(.visualImpaired) == isDescription
      }
      // The default one has to be among those that players may choose.
      rendition.isAutomatic = place == 0 || isFirst && (isDescription || track.roles.isPlain)
      return rendition
    }
    return HLSMultivariantPlaylist.SoundGroup(
      sounds: renditions, codecs: members.map(\.sound.codec),
      bitRate: (
        members.map(\.playlist.peakBitRate).max() ?? 0,
        members.map(\.playlist.averageBitRate).max() ?? 0
      ))
  }

  /// A rendition whose name a person can read: its title, else what its language calls itself (RFC 8216, 4.3.4.1, wants
  /// names in the language).
  private static func rendition(
    _ place: HLSNames.Rendition, _ language: String, title: String?, otherwise: String
  ) -> HLSMultivariantPlaylist.Rendition {
    let tag = LanguageTag(language)
    let names = [title, tag?.name, tag?.text].compactMap { $0 }
    var rendition = HLSMultivariantPlaylist.Rendition(
      playlistName: HLSNames.uri(place.playlist),
      name: names.first { $0.contains { !$0.isWhitespace } } ?? otherwise)
    rendition.language = tag?.text ?? ""
    return rendition
  }

  private func playlist(
    of sound: Sound, at rendition: HLSNames.Rendition, _ names: HLSNames
  ) -> HLSMediaPlaylist {
    HLSMediaPlaylist(
      place: place(of: rendition, sound.movie, names), timescale: sound.timescale,
      initializationSize: sound.movie.initializationSize, fragments: sound.movie.fragments)
  }

  /// Subtitles are one segment as long as the presentation.
  private func playlist(
    of track: CarriedSubtitles, _ place: HLSNames.Rendition, length: Int64
  ) -> String {
    let end = max(track.cues.map(\.end).max() ?? 0, length)
    return [
      "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(max(1, (end + 999) / 1000))",
      "#EXT-X-MEDIA-SEQUENCE:0", "#EXT-X-PLAYLIST-TYPE:VOD",
      "#EXTINF:\(end.decimal(3)),", HLSNames.uri(place.movie), "#EXT-X-ENDLIST", "",
    ].joined(separator: "\n")
  }

  private func place(
    of rendition: HLSNames.Rendition, _ movie: FragmentedMP4Writer, _ names: HLSNames
  ) -> HLSMediaPlaylist.Place {
    names.place(of: rendition, segments: hasSegmentFiles ? movie.fragments.count : nil)
  }

  private func playlist(of video: Video, _ names: HLSNames) -> HLSMediaPlaylist {
    HLSMediaPlaylist(
      place: place(of: names.video, video.movie, names),
      timescale: video.movie.timescale,
      initializationSize: video.movie.initializationSize, fragments: video.movie.fragments,
      isIndependent: !video.survey.hasOpenGroups)
  }

  private func describe(
    _ video: Video, _ playlist: HLSMediaPlaylist, _ names: HLSNames
  ) -> HLSMultivariantPlaylist.Video {
    let survey = video.survey
    let picture = survey.stream.picture
    let dolby = picture?.dolbyVision
    let type = survey.entry.type
    let isDolbyOnly = ["dvh1", "dva1", "dav1"].contains(type)
    let name = dolby.map { "\($0.profile.padded(2)).\($0.level.padded(2))" }
    // Brands by Dolby Vision's compatibility id: 1 is HDR10, 2 is SDR, 4 is HLG.
    let brands = [1: "db1p", 2: "db2g", 4: "db4h"]
    let supplement = dolby.flatMap { dolby -> String? in
      guard !isDolbyOnly, let brand = brands[dolby.compatibility], let name else { return nil }
      return "\(survey.stream.codec == "av1" ? "dav1" : "dvh1").\(name)/\(brand)"
    }
    let range = ["smpte2084": "PQ", "arib-std-b67": "HLG"][picture?.transfer ?? ""]
    return HLSMultivariantPlaylist.Video(
      playlistName: HLSNames.uri(names.video.playlist),
      codec: (isDolbyOnly ? name.map { "\(type).\($0)" } : survey.entry.codec) ?? type,
      supplementalCodec: supplement, width: picture?.width ?? 0, height: picture?.height ?? 0,
      frameRate: picture?.frameRate.map { Double($0.numerator) / Double($0.denominator) },
      range: range ?? (isDolbyOnly ? "PQ" : "SDR"),
      bitRate: (playlist.peakBitRate, playlist.averageBitRate))
  }
}

extension HLSPublisher.Sound {
  /// A copied track, which is stored in `movie`.
  init(_ movie: FragmentedMP4Writer, copyOf survey: CodedAudioSurvey, title: String?) {
    let objects = survey.facts.objectComplexity
    self.init(
      movie: movie, codec: survey.facts.codec, timescale: Int(survey.timescale),
      channels: objects > 0 ? "\(objects)/JOC" : "\(survey.facts.channels)",
      language: survey.stream.language ?? "", title: title,
      roles: OutputTrackFacts.Roles(marking: survey.stream))
  }

  /// A track that was rendered before, and is stored in `movie`; `nil` where nothing was recorded.
  init?(_ movie: FragmentedMP4Writer, _ recording: TrackRecording) {
    guard let facts = recording.facts, let codec = recording.codec,
      case .encoded(let sound) = facts.coding
    else { return nil }
    self.init(
      movie: movie, codec: codec, timescale: facts.timescale,
      channels: "\(sound.format.channels)", language: facts.language, title: facts.name,
      roles: facts.roles)
  }
}

extension OutputTrackFacts.Roles {
  /// Whether it is the programme itself, and no commentary or description.
  fileprivate var isPlain: Bool { isDisjoint(with: [.commentary, .visualImpaired]) }
}
