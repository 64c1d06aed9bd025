import AudioCore
import Platform

extension DeliveryContext {
  /// The source's title, where tags are carried over and there is one.
  var title: String? {
    guard request.carriage.keepsMetadata, let title = source.tags["title"], !title.isEmpty
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
    let missing = tags.entries.filter { $0.key != "title" }
    SourceTags.noteLeftOut(
      MediaTags(missing.map { ($0.name, $0.value) }).names,
      of: output.branch.plan.container.kind.traits.name, log)
  }
}
