// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// The kinds of tracks in a queue, and how each is rendered for one output.
struct QueueKinds {
  /// The properties that distinguish kinds of items.
  private struct Kind: Hashable {
    let programme: Programme
    let taps: [PathName]
  }

  /// How each kind is rendered.
  let renderings: [ItemRendering]
  /// The kind of each item; `nil` for silence.
  let numbers: [Int?]
  /// Choice for the first kind; of silence alone, that it passes through.
  let choice: RendererChooser.Choice
  /// The layout that all kinds are rendered to.
  let layout: ChannelLayout

  /// Chooses the renderers of `entries`, whose sound passes the taps of output number `output` that sit at the items.
  /// - Throws: ``MediaError`` naming the first item that can't be rendered as is asked for.
  init(
    _ entries: [QueueEntry], rendition: Rendition, container: Container, input: QueueInput,
    maker: RendererMaker, taps: TapLedger, output: Int, log: DiagnosticLog
  ) throws {
    var known: [Kind: Int] = [:]
    var (renderings, numbers): ([ItemRendering], [Int?]) = ([], [])
    var choices: [RendererChooser.Choice] = []
    for (index, entry) in entries.enumerated() {
      guard let programme = entry.programme.map(QueueKinds.plain) else {
        numbers.append(nil)
        continue
      }
      let kind = Kind(programme: programme, taps: input.queue.items[index].taps.map(PathName.init))
      if known[kind] == nil {
        let (choice, rendering) = try input.naming(index) {
          var (choice, rendering) = try QueueKinds.rendering(
            programme, rendition, container, maker, log)
          try rendering.add(taps, output: output, input, index)
          return (choice, rendering)
        }
        try QueueKinds.checkEndpoint(choice.plan, choices.first?.plan, rendition, input, index, log)
        known[kind] = renderings.count
        renderings.append(rendering)
        choices.append(choice)
      }
      numbers.append(known[kind])
    }
    self.renderings = renderings
    self.numbers = numbers
    choice = choices.first ?? RendererChooser.Choice(plan: .passThrough(nil))
    var layout = renderings.first?.format.layout ?? .stereo
    if renderings.isEmpty, case .channels(let asked?) = rendition.endpoint { layout = asked }
    self.layout = layout
    guard let odd = renderings.first(where: { $0.format.layout != layout }) else { return }
    throw MediaError(
      .internal, about: input.name,
      "items are rendered to \(layout) and to \(odd.format.layout)")
  }

  /// Programme reduced to what distinguishes kinds: without facts that don't change how a track is rendered.
  private static func plain(_ programme: Programme) -> Programme {
    var plain = programme
    plain.facts.language = nil
    plain.facts.dialnorm = nil
    plain.facts.loudness = nil
    return plain
  }

  private static func rendering(
    _ programme: Programme, _ rendition: Rendition, _ container: Container, _ maker: RendererMaker,
    _ log: DiagnosticLog
  ) throws -> (RendererChooser.Choice, ItemRendering) {
    if case .headphones(let listener) = rendition.endpoint, case .moving = listener.head {
      throw MediaError(
        .unsupportedFeature,
        "\(setting: .trajectory): a head that moves isn't followed through a queue; render the items one by "
          + "one, or leave it out")
    }
    var choice = try RendererChooser(
      rendition: rendition, container: container, log: log, programme: programme
    ).choose()
    if case .kept = choice.plan {
      throw MediaError(
        .unsupportedFeature,
        "the items of a queue are joined as channels, not as \(programme.contents); render them with "
          + "\(setting: .outputLayout), e.g. \(setting: .outputLayout) 7.1.4")
    }
    if choice.plan.virtualizes, let hrtf = rendition.endpoint.hrtf {
      choice.hrtf = try maker.describe(hrtf, log)
      choice.room = try maker.describe(roomOf: choice.plan, rate: programme.sampleRate, log)
    }
    guard let renderer = try maker.make(choice.plan, for: programme) else {
      let format = try programme.bedFormat(for: "an output of the same channels")
      return (
        choice,
        ItemRendering(
          plan: choice.plan, programme: programme, format: format, latency: 0, tail: 0,
          hrtf: nil)
      )
    }
    let host = Hosted(renderer, name: "the renderer")
    let format = try host.prepare(programme)
    return (
      choice,
      ItemRendering(
        plan: choice.plan, programme: programme, format: format, latency: renderer.latency,
        tail: renderer.tail, hrtf: choice.hrtf?.sha256)
    )
  }

  /// Refuses items that are virtualised for another endpoint than the items before, and tells where some are
  /// virtualised and others aren't.
  private static func checkEndpoint(
    _ plan: RendererPlan, _ first: RendererPlan?, _ rendition: Rendition, _ input: QueueInput,
    _ index: Int, _ log: DiagnosticLog
  ) throws {
    guard let first, plan.virtualization != first.virtualization else { return }
    func words(_ kind: Virtualization?) -> String {
      switch kind {
      case .binaural: return "virtualised for headphones"
      case .speakers: return "virtualised for two loudspeakers"
      case nil: return "not virtualised"
      }
    }
    let (own, before) = (words(plan.virtualization), words(first.virtualization))
    guard plan.virtualization == nil || first.virtualization == nil else {
      throw MediaError(
        .usage, about: input.label(index),
        "is \(own), but items before are \(before); take items for one endpoint, or render the originals"
      )
    }
    log.degrade(
      .otherEndpoint,
      "item \(index + 1) is \(own), but items before are \(before); render the originals for one endpoint"
    )
  }
}
