// SPDX-License-Identifier: Apache-2.0

/// Descriptive tags of a file in order: names and values, of which a name may have several.
///
/// A name is kept as it was found. Names compare without regard to case, and all that ``TagName`` lists for one tag
/// are equal.
package struct MediaTags: Sendable, Equatable {
  /// A name and one value.
  package struct Entry: Sendable, Equatable {
    /// The name as it was found.
    package let name: String
    /// The value; never empty.
    package let value: String
    /// Key that names of one tag share.
    package let key: String

    fileprivate init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
      key = MediaTags.key(of: name)
    }

    /// The row of the tag; `nil` for one that ``TagName`` doesn't list.
    package var known: TagName? { TagName.named(name) }
  }

  /// Names and values in the order of the file.
  package private(set) var entries: [Entry] = []

  /// No tags.
  package init() {}

  /// Tags of these names and values; empty values are left out.
  package init(_ pairs: some Sequence<(String, String)>) {
    for (name, value) in pairs { append(name, value) }
  }

  /// Whether there are no tags.
  package var isEmpty: Bool { entries.isEmpty }

  /// The first value of a name. A new one takes the place of all values; `nil` removes them.
  package subscript(_ name: String) -> String? {
    get {
      let key = MediaTags.key(of: name)
      return entries.first { $0.key == key }?.value
    }
    set {
      let key = MediaTags.key(of: name)
      let place = entries.firstIndex { $0.key == key } ?? entries.count
      entries.removeAll { $0.key == key }
      guard let newValue, !newValue.isEmpty else { return }
      entries.insert(Entry(name, newValue), at: min(place, entries.count))
    }
  }

  package func values(_ name: String) -> [String] {
    let key = MediaTags.key(of: name)
    return entries.filter { $0.key == key }.map(\.value)
  }

  /// Adds a value; an empty one isn't added.
  package mutating func append(_ name: String, _ value: String) {
    if !value.isEmpty { entries.append(Entry(name, value)) }
  }

  /// Adds those tags of `others` of whose names there are none yet.
  package mutating func complete(with others: MediaTags) {
    let keys = Set(entries.map(\.key))
    entries += others.entries.filter { !keys.contains($0.key) }
  }

  /// Replaces the values of all names of `others`.
  package mutating func override(with others: [String: String]) {
    for (name, value) in others.sorted(by: { $0.key < $1.key }) { self[name] = value }
  }

  /// Removes what `isUnwanted` says; the names of it, each once.
  @discardableResult package mutating func remove(where isUnwanted: (Entry) -> Bool) -> [String] {
    let removed = entries.filter(isUnwanted)
    entries.removeAll(where: isUnwanted)
    return MediaTags.names(removed)
  }

  /// The names of all tags in lower case, each once.
  package var names: [String] { MediaTags.names(entries) }

  /// The tags by their names, in the order in which the names come first: name as found first, and all values.
  package var grouped: [(first: Entry, values: [String])] {
    // A hostile file may have one name a hundred thousand times.
    var places: [String: (place: Int, known: Set<String>)] = [:]
    var groups: [(first: Entry, values: [String])] = []
    for entry in entries {
      if let place = places[entry.key]?.place {
        let isNew = places[entry.key]?.known.insert(entry.value).inserted ?? false
        if isNew { groups[place].values.append(entry.value) }
      } else {
        places[entry.key] = (groups.count, [entry.value])
        groups.append((entry, [entry.value]))
      }
    }
    return groups
  }

  private static func names(_ entries: [Entry]) -> [String] {
    var seen: Set<String> = []
    return entries.map { $0.name.lowercased() }.filter { seen.insert($0).inserted }
  }

  private static func key(of name: String) -> String {
    TagName.named(name)?.name ?? name.lowercased()
  }
}

/// A tag that several formats have a place for: the one list that maps names.
///
/// The names are those of MusicBrainz Picard ("Appendix B: Tag Mapping") and mutagen; ``name`` is libavformat's where it
/// has one. A tag that isn't listed has the same name in Vorbis comments, freeform atoms of MP4 and `TXXX` frames.
package struct TagName: Sendable {
  /// Its name here, in lower case.
  package let name: String
  /// Names of Vorbis comments; the first is written.
  package let comments: [String]
  /// Type of its atom in the item list of MP4; `nil` for a freeform one.
  package let atom: String?
  /// Frame of ID3v2.4; `nil` for `TXXX`.
  package let frame: String?
  /// Chunk of INFO in WAV; `nil` without one.
  package let chunk: String?
  /// Name of the tag that states how many there are, where one place of MP4 and of ID3 has both; `nil` for others.
  package let total: String?
  /// Name of its freeform atom, and description of its `TXXX` frame.
  package let freeName: String

  private init(
    _ name: String, _ comments: String..., atom: String? = nil, frame: String? = nil,
    chunk: String? = nil, total: String? = nil, free: String? = nil
  ) {
    self.name = name
    self.comments = comments
    self.atom = atom
    self.frame = frame
    self.chunk = chunk
    self.total = total
    freeName = free ?? comments.first ?? name
  }

  /// The tag that any format calls `name`, whatever its case; `nil` where it isn't listed.
  package static func named(_ name: String) -> TagName? { byName[name.lowercased()] }

  /// The tag of an atom in MP4.
  package static func atom(_ type: String) -> TagName? { byAtom[type] }

  /// The tag of a frame of ID3v2.4.
  package static func frame(_ id: String) -> TagName? { byFrame[id] }

  private static let byName = Dictionary(
    all.flatMap { tag in
      ([tag.name, tag.freeName] + tag.comments).map { ($0.lowercased(), tag) }
    }, uniquingKeysWith: { first, _ in first })

  private static let byAtom = Dictionary(
    all.compactMap { tag in tag.atom.map { ($0, tag) } }, uniquingKeysWith: { first, _ in first })

  private static let byFrame = Dictionary(
    all.compactMap { tag in tag.frame.map { ($0, tag) } }, uniquingKeysWith: { first, _ in first })

  package static let all: [TagName] = usual + people + sorting + identities + broadcasts

  private static let usual = [
    TagName("title", "TITLE", atom: "©nam", frame: "TIT2", chunk: "INAM"),
    TagName("artist", "ARTIST", atom: "©ART", frame: "TPE1", chunk: "IART"),
    TagName("album", "ALBUM", atom: "©alb", frame: "TALB", chunk: "IPRD"),
    TagName("album_artist", "ALBUMARTIST", "ALBUM ARTIST", atom: "aART", frame: "TPE2"),
    TagName("genre", "GENRE", atom: "©gen", frame: "TCON", chunk: "IGNR"),
    TagName("date", "DATE", atom: "©day", frame: "TDRC", chunk: "ICRD"),
    TagName(
      "track", "TRACKNUMBER", "TRACK", atom: "trkn", frame: "TRCK", chunk: "ITRK",
      total: "tracktotal"),
    TagName("tracktotal", "TRACKTOTAL", "TOTALTRACKS"),
    TagName("disc", "DISCNUMBER", "DISC", atom: "disk", frame: "TPOS", total: "disctotal"),
    TagName("disctotal", "DISCTOTAL", "TOTALDISCS"),
    TagName("comment", "COMMENT", atom: "©cmt", frame: "COMM", chunk: "ICMT"),
    TagName("description", "DESCRIPTION", atom: "desc"),
    TagName("synopsis", "SYNOPSIS", "LONGDESCRIPTION", atom: "ldes"),
    TagName("copyright", "COPYRIGHT", atom: "cprt", frame: "TCOP", chunk: "ICOP"),
    TagName("publisher", "LABEL", "PUBLISHER", "ORGANIZATION", frame: "TPUB"),
    TagName("lyrics", "LYRICS", "UNSYNCEDLYRICS", atom: "©lyr", frame: "USLT"),
    TagName("tempo", "BPM", "TEMPO", atom: "tmpo", frame: "TBPM"),
    TagName("grouping", "GROUPING", atom: "©grp", frame: "TIT1"),
    TagName("compilation", "COMPILATION", atom: "cpil", frame: "TCMP"),
    TagName("subtitle", "SUBTITLE", atom: "©st3", frame: "TIT3"),
    TagName("discsubtitle", "DISCSUBTITLE", frame: "TSST"),
    TagName("work", "WORK", atom: "©wrk"),
    // Picard's MOVEMENT is the number.
    TagName("movement_name", "MOVEMENTNAME", atom: "©mvn", frame: "MVNM"),
    TagName("movement", "MOVEMENT", atom: "©mvi", frame: "MVIN"),
    TagName("movement_total", "MOVEMENTTOTAL", atom: "©mvc"),
    TagName("show_movement", "SHOWMOVEMENT", atom: "shwm"),
    TagName("mood", "MOOD", frame: "TMOO"),
    TagName("media", "MEDIA", frame: "TMED"),
    TagName("key", "KEY", "INITIALKEY", frame: "TKEY", free: "initialkey"),
    TagName("original_date", "ORIGINALDATE", frame: "TDOR"),
    TagName("language", "LANGUAGE", frame: "TLAN"),
    TagName("rating", "ITUNESADVISORY", atom: "rtng"),
    TagName("gapless_playback", "GAPLESSPLAYBACK", atom: "pgap"),
  ]

  private static let people = [
    TagName("composer", "COMPOSER", atom: "©wrt", frame: "TCOM"),
    TagName("conductor", "CONDUCTOR", frame: "TPE3"),
    TagName("lyricist", "LYRICIST", frame: "TEXT"),
    TagName("remixer", "REMIXER", frame: "TPE4"),
    TagName("performer", "PERFORMER"),
    TagName("director", "DIRECTOR", atom: "©dir"),
    TagName("original_artist", "ORIGINALARTIST", frame: "TOPE"),
    TagName("original_album", "ORIGINALALBUM", frame: "TOAL"),
    TagName("encoder", "ENCODER", atom: "©too", frame: "TSSE"),
    TagName("encoded_by", "ENCODED_BY", "ENCODEDBY", "ENCODED-BY", frame: "TENC"),
  ]

  private static let sorting = [
    TagName("sort_album", "ALBUMSORT", atom: "soal", frame: "TSOA"),
    TagName("sort_artist", "ARTISTSORT", atom: "soar", frame: "TSOP"),
    TagName("sort_album_artist", "ALBUMARTISTSORT", atom: "soaa", frame: "TSO2"),
    TagName("sort_composer", "COMPOSERSORT", atom: "soco", frame: "TSOC"),
    TagName("sort_name", "TITLESORT", atom: "sonm", frame: "TSOT"),
    TagName("sort_show", "SHOWSORT", atom: "sosn"),
  ]

  private static let identities = [
    TagName("isrc", "ISRC", frame: "TSRC"),
    // ID3 has the recording in a frame of its own, `UFID` of this owner.
    TagName("musicbrainz_trackid", "MUSICBRAINZ_TRACKID", free: "MusicBrainz Track Id"),
    TagName(
      "musicbrainz_releasetrackid", "MUSICBRAINZ_RELEASETRACKID",
      free: "MusicBrainz Release Track Id"),
    TagName("musicbrainz_albumid", "MUSICBRAINZ_ALBUMID", free: "MusicBrainz Album Id"),
    TagName("musicbrainz_artistid", "MUSICBRAINZ_ARTISTID", free: "MusicBrainz Artist Id"),
    TagName(
      "musicbrainz_albumartistid", "MUSICBRAINZ_ALBUMARTISTID", free: "MusicBrainz Album Artist Id"),
    TagName(
      "musicbrainz_releasegroupid", "MUSICBRAINZ_RELEASEGROUPID",
      free: "MusicBrainz Release Group Id"),
    TagName("musicbrainz_workid", "MUSICBRAINZ_WORKID", free: "MusicBrainz Work Id"),
    TagName("musicbrainz_discid", "MUSICBRAINZ_DISCID", free: "MusicBrainz Disc Id"),
    TagName("releasetype", "RELEASETYPE", free: "MusicBrainz Album Type"),
    TagName("releasestatus", "RELEASESTATUS", free: "MusicBrainz Album Status"),
    TagName("releasecountry", "RELEASECOUNTRY", free: "MusicBrainz Album Release Country"),
    TagName("acoustid_id", "ACOUSTID_ID", free: "Acoustid Id"),
    TagName("acoustid_fingerprint", "ACOUSTID_FINGERPRINT", free: "Acoustid Fingerprint"),
  ]

  private static let broadcasts = [
    TagName("show", "SHOW", "TVSHOW", atom: "tvsh"),
    TagName("season_number", "SEASONNUMBER", "TVSEASON", atom: "tvsn"),
    TagName("episode_sort", "EPISODENUMBER", "TVEPISODE", atom: "tves"),
    TagName("episode_id", "EPISODEID", "TVEPISODEID", atom: "tven"),
    TagName("network", "NETWORK", "TVNETWORK", atom: "tvnn"),
    TagName("media_type", "MEDIATYPE", atom: "stik"),
    TagName("hd_video", "HDVIDEO", atom: "hdvd"),
    TagName("purchase_date", "PURCHASEDATE", atom: "purd"),
    TagName("podcast", "PODCAST", atom: "pcst"),
    TagName("podcast_url", "PODCASTURL", atom: "purl"),
    TagName("episode_uid", "PODCASTID", atom: "egid"),
    TagName("category", "PODCASTCATEGORY", atom: "catg"),
    TagName("keywords", "KEYWORDS", "PODCASTKEYWORDS", atom: "keyw"),
  ]
}
