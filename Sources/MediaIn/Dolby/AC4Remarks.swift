import AC4
import AudioCore

/// Tells how an AC-4 track is decoded, and what about that is in doubt.
struct AC4Remarks {
  /// Where it is told.
  let log: DiagnosticLog
  /// Tools that were told.
  private var told: AC4UnverifiedTools = []

  /// Remarks that go to `log`.
  init(_ log: DiagnosticLog) { self.log = log }

  /// Tells which presentation is decoded and what of it isn't.
  func begin(_ start: AC4Beginning, _ options: InputOptions) {
    let decoder = start.decoder
    log.decide(.presentation, "\(decoder.presentation)", why: start.reason)
    noteDialogue(start, wanted: options.dialogueGain)
    if let rate = decoder.fullSampleRate {
      log.degrade(
        .bandwidth,
        "the programme is coded at \(rate) Hz; its extension above 24 kHz isn't decoded, so it "
          + "comes out at \(decoder.format.sampleRate) Hz")
    }
    noteObjects(start, options)
    if start.objectCoding == nil, decoder.substreamCount > 1 {
      log.decide(
        .mix, "\(decoder.substreamCount) substreams",
        why: "the presentation has dialogue or associated audio of its own, at the gains it states")
    }
  }

  /// Tells once of each tool that no real stream has proved.
  mutating func note(_ tools: AC4UnverifiedTools) {
    guard !tools.isSubset(of: told) else { return }
    for name in tools.subtracting(told).names {
      log.degrade(
        .unverifiedTool,
        "the stream uses \(name); the decoder for it was written from the standard's text, and no "
          + "stream of a real encoder has proved it")
    }
    told.formUnion(tools)
  }

  /// Tells where the container's `dac4` box states other numbers of objects than the frame; the frame counts.
  func compare(_ start: AC4Beginning, dac4: [UInt8]?) {
    guard let chosen = start.chosen, chosen.objects != nil, let dac4,
      let stated = try? AC4SpecificConfiguration(dac4: dac4).presentations,
      stated.indices.contains(chosen.index)
    else { return }
    let boxed = stated[chosen.index].content.groups.flatMap(\.substreams).map(\.upmixObjects)
    let toc = start.facts.toc
    let coded = chosen.presentation.groups.filter { toc.groups.indices.contains($0) }
      .flatMap { toc.groups[$0].substreams }.compactMap { $0.objects?.objects }
    guard boxed != coded else { return }
    let words = { (counts: [Int]) in counts.map(String.init).joined(separator: " and ") }
    log.degrade(
      .headerInconsistent,
      "the dac4 box states \(words(boxed)) objects, and the stream has \(words(coded)); the stream is "
        + "followed")
  }

  /// Tells whether objects are rendered.
  private func noteObjects(_ start: AC4Beginning, _ options: InputOptions) {
    guard start.chosen?.objects != nil else { return }
    guard let coding = start.objectCoding else {
      return log.decide(.objects, "left aside", why: "the track's channels are asked for")
    }
    let silent = start.decoder.silentBeginning
    log.decide(
      .objects, "rendered",
      why: "joint object coding (ETSI TS 103 190-2) holds \(coding.objects) objects"
        + (coding.bed.map { " and a bed of \($0)" } ?? "")
        + (silent > 0
          ? "; they are silent for the first \(silent) samples, before the first frame that describes "
            + "them is in force" : ""))
    if options.dynamicRange != .off, start.chosen?.dynamicRange != nil {
      log.degrade(
        .objectsRepaired,
        "the dynamic range control that the stream states is for channels, so it isn't applied to objects"
      )
    }
  }

  /// Tells of a limit that the first I-frame sets to raising dialogue.
  private func noteDialogue(_ start: AC4Beginning, wanted: Double) {
    guard wanted > 0, let facts = start.chosen else { return }
    let own = facts.substreams.compactMap { $0?.dialogueLimit }
    let channels = [facts.dialogueEnhancement.map { Double($0.maximumGain) }] + own
    let isOfObjects = start.objectCoding != nil
    let limits = isOfObjects ? [start.decoder.objectDialogueLimit] : channels
    guard let limit = limits.compactMap(\.self).max() else {
      return log.decide(
        .dialogEnhancement, "nothing to raise",
        why: "the first I-frame of the presentation carries no data for it")
    }
    if limit < wanted {
      log.decide(
        .dialogEnhancement, "\(limit) dB",
        why: "the stream allows no more of the \(wanted) asked for")
    }
  }
}
