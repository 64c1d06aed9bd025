// SPDX-License-Identifier: Apache-2.0
import AudioCore
import IAMF
import Loudness
import MediaOut

/// Writes an IAMF file and reads it back.
final class IAMFDelivery: Delivery {
  private let context: DeliveryContext
  /// Contents that were written last.
  private var contents: IAMFContents?

  init(_ context: DeliveryContext) { self.context = context }

  func write() throws -> WrittenSound {
    let structure = IAMFStructure(context: context)
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

/// Works out what an IAMF file states in front of its samples: how layers are mixed down, by how much they are
/// attenuated, and how loud the mix is. Each takes a pass over the rendered sound.
struct IAMFStructure {
  let context: DeliveryContext

  /// Elements and their places; neither demixing nor gains are known yet.
  /// - Throws: ``MediaError`` for what IAMF can't hold.
  func contents() throws -> IAMFContents {
    let branch = context.output.branch
    return try IAMFContents(
      branch.kept?.programme ?? Programme(context.format), context.coding.iamf ?? Container.IAMF(),
      isBinaural: context.virtualization == .binaural)
  }

  /// The settings of a file that holds `contents`, whose layers get their factors and gains.
  /// - Throws: ``MediaError`` from the spool.
  func settings(_ contents: inout IAMFContents) throws -> IAMFSettings {
    try chooseDemixing(&contents)
    let loudness = try measure(&contents)
    var settings = IAMFSettings(context.settings(TrackTexts()), elements: contents.elements)
    settings.loudness = loudness
    settings.name = title
    note(contents)
    return settings
  }

  /// Bytes of a name that a mix can have.
  private static let mostTitleBytes = 127

  /// The source's title, which names the mix.
  private var title: String? {
    guard let title = context.title else { return nil }
    if title.utf8.count > IAMFStructure.mostTitleBytes {
      context.log.decide(
        .metadata, "the title is cut",
        why: "the name of a mix in IAMF has \(IAMFStructure.mostTitleBytes) bytes at most")
    }
    return title
  }

  private func chooseDemixing(_ contents: inout IAMFContents) throws {
    for index in contents.elements.indices where contents.elements[index].written.demixing != nil {
      let element = contents.elements[index]
      var analysis = DownmixAnalysis(element.written.layers)
      let source = AudioBuffer(channels: element.planes.count)
      try context.output.replay { block in
        element.gather(block, into: source)
        analysis.add(source)
      }
      contents.elements[index].written.demixing = analysis.values
    }
  }

  /// Measures loudness, and how far layers exceed full scale.
  private func measure(_ contents: inout IAMFContents) throws -> [LayoutLoudness] {
    let levels = try IAMFLevels(contents)
    var peaks = contents.elements.map { LayerPeaks($0.written) }
    let sources = contents.elements.map { AudioBuffer(channels: $0.planes.count) }
    try context.output.replay { block in
      try levels.add(block)
      for (index, element) in contents.elements.enumerated() where element.written.layers.count > 1
      {
        element.gather(block, into: sources[index])
        peaks[index].add(sources[index])
      }
    }
    for index in contents.elements.indices where contents.elements[index].written.layers.count > 1 {
      contents.elements[index].written.outputGains = peaks[index].outputGains
    }
    return try levels.finish()
  }

  private func note(_ contents: IAMFContents) {
    guard let layers = context.coding.iamf?.layers, !layers.isEmpty else { return }
    let element = contents.elements.first { $0.written.layers.count > 1 }
    let hasGains = element?.written.outputGains.contains { $0 != nil } == true
    let factors = element?.written.demixing.map { "; downmix factors of mode \($0.mode)" } ?? ""
    context.log.decide(
      .layers, layers.map(\.rawValue).joined(separator: ", "),
      why: "asked for by \(setting: .layers)\(factors)"
        + (hasGains ? "; output gains keep layers below full scale" : ""))
  }
}
