// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Writes loudness tags into a file, or removes them, without any moment in which the file isn't whole.
///
/// A copy in a hidden file of the same folder gets the tags. Once its sound is proved to be that of the original, it takes
/// the original's place by one rename. A killed process leaves the old file or the new one, and at most the hidden file,
/// which the next change of the same file removes.
package struct TagReplacement {
  /// Choices that a user has.
  package struct Options: Sendable {
    /// Whether the file keeps its times of last access and change, as with rsgain's `-p`.
    package var keepsTimes = false
    /// Whether a file of several names (hard links) may be written: the other names then stay with the old file.
    package var breaksHardLinks = false
    /// Whether other tags may go that can't be kept, each with a note.
    package var losesTags = false
    /// Whether names in MP4 and ID3v2 are in lower case, as with rsgain's `-L`.
    package var lowercase = false

    /// Options of these values.
    package init(
      keepsTimes: Bool = false, breaksHardLinks: Bool = false, losesTags: Bool = false,
      lowercase: Bool = false
    ) {
      self.keepsTimes = keepsTimes
      self.breaksHardLinks = breaksHardLinks
      self.losesTags = losesTags
      self.lowercase = lowercase
    }
  }

  /// How a change ended.
  package enum Outcome: Sendable, Equatable {
    /// The file had these tags already, and no byte of it was changed.
    case unchanged
    /// The file has the tags. Each note is a sentence on something that couldn't be kept, or that players add.
    case replaced(notes: [String])
  }

  /// A digest of a file's coded sound, independent of tags. The file is the original, or the copy under its hidden name.
  ///
  /// Packets as libavformat reads them serve for all formats but Monkey's Audio, of which its last packet has the tags, too;
  /// there, ``SoundBytes/digest(of:)`` does. Sound in one piece is compared byte for byte in any case.
  package typealias SoundDigest = (LocalFile) throws -> [UInt8]

  private let tags: LoudnessTags
  private let options: Options

  /// A change that gives files exactly `tags`: other loudness tags that they have are removed.
  package init(_ tags: LoudnessTags, options: Options = Options()) {
    self.tags = tags
    self.options = options
  }

  /// Changes the file at `path`, or the one that a symbolic link there leads to.
  /// - Throws: ``MediaError``: `inputMissing`, `inputUnreadable`, `unsupportedFeature` or `damaged` of a file that can't be
  ///   tagged without a loss; `outputUnwritable` for one that is read-only or has several names; `diskFull`; `usage` for figures without a
  ///   text; `verificationFailed` when sound or tags of the copy aren't right; `busy` when the file changes meanwhile; and
  ///   what `digest` throws. The file is then untouched.
  package func apply(to path: String, digest: SoundDigest) throws -> Outcome {
    let original = try LocalFile(path: path)
    guard let target = PathParts.real(path) else { throw LocalFile.openFailure(path, errno) }
    let kind = try TaggableFile(original)
    let wanted = LoudnessFields.sorted(
      try LoudnessFields.fields(tags, for: kind.format, lowercase: options.lowercase))
    let matroska = kind.format == .matroska ? try MatroskaTags(original, path) : nil
    let before = try matroska?.fields ?? kind.fields(of: original, path)
    Abandoned.remove([target])
    if LoudnessFields.among(before, in: kind.format) == wanted { return .unchanged }
    try checkWritable(original, path)
    let movie = kind.format == .mp4 ? MovieOffsets(original, path) : nil
    try movie?.check()

    let file = try AtomicFile(target: target, overwrite: true)
    try FileCopy.content(of: original, to: file.descriptor, path)
    var notes = try change(file, kind, matroska, wanted, path)
    try movie?.correct(file.descriptor, TagReplacement.copy(file))
    let copy = try TagReplacement.copy(file)
    notes += try prove(original, copy, (kind, matroska), wanted, path, digest)
    notes += try matroska?.notes ?? TagReplacement.notes(original, kind, path)
    notes += FileCopy.attributes(of: original, to: file.descriptor, times: options.keepsTimes)
    guard !original.hasChanged, original.isSameFile(as: target) else {
      throw MediaError(.busy, about: path, "was changed while it got its tags; run again")
    }
    try file.commit(overwrite: true)
    return .replaced(notes: notes)
  }

  /// Refuses files that the user has protected. Root may write all files, so that the mode is asked.
  private func checkWritable(_ original: LocalFile, _ path: String) throws {
    var facts = stat()
    guard fstat(original.descriptor, &facts) == 0 else { throw LocalFile.openFailure(path, errno) }
    guard facts.st_mode & 0o222 != 0, access(path, W_OK) == 0 else {
      throw MediaError(
        .outputUnwritable, about: path, "is read-only; allow writing to it (chmod u+w) first")
    }
    guard facts.st_nlink == 1 || options.breaksHardLinks else {
      throw MediaError(
        .outputUnwritable, about: path,
        "has \(facts.st_nlink) names (hard links), and its tags would change under this one only; "
          + "allow that, or make it a file of its own")
    }
  }

  /// The copy as a file of its own, which names the hidden path.
  private static func copy(_ file: AtomicFile) throws -> LocalFile {
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw LocalFile.openFailure(file.target, errno) }
    do {
      return try LocalFile(descriptor: descriptor, name: file.temporaryPath)
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// - Returns: what readers may not find.
  private func change(
    _ copy: AtomicFile, _ kind: TaggableFile, _ matroska: MatroskaTags?, _ wanted: [TagField],
    _ path: String
  ) throws -> [String] {
    if let matroska {
      // The copy has the same places.
      let edit = try MatroskaTagEdit(matroska, wanted, path)
      try edit.write(to: copy.descriptor)
      return edit.isFound
        ? []
        : [
          "No SeekHead has room for a place after the clusters, where the tags lie, so that some players don't find them."
        ]
    }
    let file = try TagFile(copy.descriptor, kind, path)
    for name in LoudnessFields.names(in: kind.format) { try file.remove(name) }
    for field in wanted { try file.add(field) }
    try file.save()
    return []
  }

  /// Reads the copy anew: its kind, its loudness tags and its sound have to be right.
  /// - Returns: what of the other tags isn't kept.
  private func prove(
    _ original: LocalFile, _ copy: LocalFile, _ old: (kind: TaggableFile, matroska: MatroskaTags?),
    _ wanted: [TagField], _ path: String, _ digest: SoundDigest
  ) throws -> [String] {
    func refuse(_ what: String) -> MediaError {
      MediaError(
        .verificationFailed, about: path, "\(what) in the copy with new tags; the file is as it was"
      )
    }
    let kind = old.kind
    let matroska: MatroskaTags?
    do { matroska = old.matroska == nil ? nil : try MatroskaTags(copy, path) } catch let error
      as MediaError where error.kind == .unsupportedFeature
    {
      // The new tags are more than are read.
      throw error
    } catch { throw refuse("its tags can't be read") }
    guard let now = try? TaggableFile(copy), now.format == kind.format, now.back == kind.back,
      let fields = try? matroska?.fields ?? now.fields(of: copy, path),
      LoudnessFields.among(fields, in: kind.format) == wanted
    else { throw refuse("its loudness tags aren't what was written") }
    let isSame: Bool
    let losses: OtherTags.Losses
    if let before = old.matroska, let matroska {
      isSame = SoundBytes.areSame(original, before, copy, matroska)
      losses = OtherTags(before).losses(in: OtherTags(matroska))
    } else {
      isSame = try SoundBytes.areSame(original, kind, copy, now)
      losses = OtherTags(original, kind).losses(in: OtherTags(copy, now))
    }
    guard isSame, try digest(original) == digest(copy) else { throw refuse("its sound differs") }
    try original.checkReads()
    try copy.checkReads()
    guard losses.gone.isEmpty || options.losesTags else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "has tags that can't be kept (\(losses.gone.joined(separator: ", "))); allow losing them, "
          + "or leave it as it is")
    }
    return losses.gone.map { "Its tag \($0) is lost." }
      + losses.altered.map { "Its tag \($0) isn't kept as it was." }
  }

  /// Sentences on this file that a user has to know.
  private static func notes(
    _ original: LocalFile, _ kind: TaggableFile, _ path: String
  ) throws -> [String] {
    var notes: [String] = []
    let version = try TagFile(original.descriptor, kind, path).id3Version
    if let version, version < 3 {
      notes.append("Its tag was ID3v2.\(version), which can't be written, and is ID3v2.3 now.")
    }
    if let gain = OggPages.outputGain(original), kind.format == .oggOpus, gain != 0 {
      let text = gain.fixed(2) ?? "?"
      notes.append("Its header has an output gain of \(text) dB, which players add to the tags'.")
    }
    let isOgg = [.oggVorbis, .oggOpus, .oggFLAC].contains(kind.format)
    if isOgg, OggPages.isChain(original) {
      notes.append("It is a chain of several streams, of which only the first has the tags.")
    }
    return notes
  }
}

extension TaggableFile {
  /// The text fields of `file`, which is of this kind; `name` appears in messages.
  /// - Throws: as ``TagFile``, and `unsupportedFeature` for Matroska whose tags can't be changed.
  func fields(of file: LocalFile, _ name: String) throws -> [TagField] {
    format == .matroska
      ? try MatroskaTags(file, name).fields : try TagFile(file.descriptor, self, name).fields
  }
}
