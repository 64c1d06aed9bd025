import AudioCore
import Platform

extension DeliveryContext {
  /// The source's title, where tags are carried over and there is one.
  var title: String? {
    guard request.carriage.keepsMetadata, let title = source.metadata["title"], !title.isEmpty
    else { return nil }
    return title
  }

  /// The name of the output's file without its extension.
  var fileTitle: String {
    let file = PathParts.of(target.name).last ?? "Programme"
    let parts = file.split(separator: ".")
    return parts.count > 1 ? parts.dropLast().joined(separator: ".") : file
  }

  /// Reports the tags that a file without places for any but the title leaves out.
  func noteTagsBesidesTitle() {
    guard request.carriage.keepsMetadata else { return }
    let metadata = source.metadata
    var missing = SourceTags.leftOut(metadata)
    missing += SourceTags.carriedNames.filter { $0 != "title" && metadata[$0] != nil }
    guard !missing.isEmpty else { return }
    log.decide(
      .metadata, "left out: \(missing.sorted().joined(separator: ", "))",
      why: "the output has no place for these tags")
  }
}
