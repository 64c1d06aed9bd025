@testable import MediaIn

/// The bytes are pages of Ogg.
func fuzzOgg(_ bytes: [UInt8]) {
  let isCut = OggPage.isCut(bytes)
  guard let file = FuzzInput.file(bytes) else { return }
  let walk = OggPageWalk(file)
  demand((0...Int64(bytes.count)).contains(walk.strayBytes), "stray bytes are in the file")
  demand(
    walk.damagedPages >= 0 && walk.damagedPages * 4 <= bytes.count, "a damaged page has a mark")
  demand(walk.missingPages >= 0, "the number of missing pages isn't negative")
  demand(walk.channels.count * 27 <= bytes.count, "a stream has a page")
  demand(isCut || !bytes.isEmpty, "an empty file is cut")
}
