import AudioCore
import ISOBMFF
import LibAV
import Platform

/// Reads copied pictures back: in HLS they lie in a file of their own.
struct PictureProof {
  let target: OutputTarget
  /// What was copied; `nil` when there are none.
  let video: CopiedVideo?

  /// Compares the pictures in the written file with those that were copied.
  /// - Throws: ``MediaError`` of kind `verification-failed` when they differ.
  func check(_ movie: LocalFile) throws {
    guard let video else { return }
    var file = movie
    if let descriptor = target.videoDescriptor {
      file = try LocalFile(descriptor: dup(descriptor), name: target.name)
      let check = FragmentedMovieCheck(
        ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
      if let finding = check.findings.first { throw failure("\(finding)") }
    }
    let source = ByteSource(size: file.size) { file.bytes(at: $0, count: $1) }
    let found = TrackDigest(source, handler: "vide")
    guard found.count == video.count, found.digest == video.digest else {
      throw failure("\(found.count) pictures aren't the \(video.count) that were copied")
    }
  }

  private func failure(_ what: String) -> MediaError {
    MediaError(
      .verificationFailed, about: target.name,
      "the written video isn't as meant: \(what); nothing was kept")
  }
}
