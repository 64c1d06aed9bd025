import AudioCore
import IAMF
import MediaOut

/// Writes an IAMF file and reads it back.
final class IAMFDelivery: Delivery {
  private let context: DeliveryContext
  private let coding: Container.Coding
  /// What was written last.
  private var contents: IAMFContents?

  init(_ context: DeliveryContext, _ coding: Container.Coding) {
    self.context = context
    self.coding = coding
  }

  func write() throws -> WrittenSound {
    let structure = IAMFStructure(context: context, coding: coding)
    var contents = try structure.contents()
    let writer = try IAMFWriter(
      descriptor: context.target.descriptor, name: context.target.name,
      settings: structure.settings(&contents))
    self.contents = contents
    context.noteTagsBesidesTitle()
    return try send(context.output, to: writer)
  }

  func prove(_ written: WrittenSound) throws -> WrittenFile {
    guard let contents else {
      throw MediaError(.internal, about: context.target.name, "nothing was written")
    }
    return try ProgrammeProof(context, contents).read(written)
  }
}
