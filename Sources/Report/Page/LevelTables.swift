/// Loudness figures of a render as tables.
struct LevelTables {
  let loudness: RenderReport.Loudness
  let downmix: RenderReport.Render.Downmix?
  /// Whether channels are left out.
  let isSmall: Bool

  /// Most channels shown.
  private static let mostChannels = 64

  /// The tables.
  var markup: [Markup] {
    [figures(loudness), facts(loudness)] + (downmix.map { [gains($0)] } ?? [])
  }

  private func figures(_ loudness: RenderReport.Loudness) -> Markup {
    let (before, after) = (loudness.input, loudness.output)
    func row(_ name: String, _ before: Double?, _ after: Double?, _ unit: String)
      -> [PageTable.Cell]
    {
      let change = before.flatMap { old in after.map { $0 - old } }
      let sign = (change ?? 0) > 0.005 ? "+" : ""
      return [
        .init(name), .init(PageText.figure(before, "")), .init(PageText.figure(after, "")),
        .init(sign + PageText.figure(change, "")), .init(unit),
      ]
    }
    let channels = max(before.channelTruePeaks.count, after.channelTruePeaks.count)
    let peaks = (0..<min(channels, LevelTables.mostChannels)).map { index in
      row(
        "True peak, channel \(index + 1)",
        index < before.channelTruePeaks.count ? before.channelTruePeaks[index] : nil,
        index < after.channelTruePeaks.count ? after.channelTruePeaks[index] : nil, "dBTP")
    }
    return PageTable(
      caption: "Levels of the rendered programme before the gain, and of the delivered one",
      columns: [
        .words("Figure"), .figures("Before"), .figures("After"), .figures("Change"), .words("Unit"),
      ],
      rows: [
        row("Integrated loudness", before.integrated, after.integrated, "LUFS"),
        row("Momentary, highest", before.momentaryMax, after.momentaryMax, "LUFS"),
        row("Short-term, highest", before.shortTermMax, after.shortTermMax, "LUFS"),
        row("Loudness range", before.range, after.range, "LU"),
        row("True peak", before.truePeak, after.truePeak, "dBTP"),
        row("Sample peak", before.samplePeak, after.samplePeak, "dBFS"),
      ] + (channels > 1 && !isSmall ? peaks : [])
    ).markup
  }

  private func facts(_ loudness: RenderReport.Loudness) -> Markup {
    let limiter = loudness.limiter.map { limiter in
      "up to \(PageText.figure(limiter.maxReductionDB, "dB")), active "
        + "\(PageText.figure(limiter.activeFraction * 100, "%")) of the time, "
        + "\(limiter.response) response"
    }
    let album = loudness.album.map { album in
      "one gain for \(PageText.count(album.tracks, "programme")), "
        + "\(PageText.figure(album.integrated, "LUFS")) and "
        + "\(PageText.figure(album.truePeak, "dBTP")) together"
    }
    func word(_ text: String?) -> Markup? { text.map { Markup($0) } }
    return PageTable.facts(
      "How the gain came about",
      [
        ("Mode", word(loudness.mode)),
        ("Target", word(loudness.target.map { PageText.figure($0, "LUFS", 1) })),
        ("Gain", word(PageText.figure(loudness.gainDB, "dB"))), ("Outcome", word(loudness.outcome)),
        ("Limiter", word(limiter ?? "not needed")), ("Album", word(album)),
        (
          "Gain that dialnorm asks for",
          word(loudness.dialnormGainDB.map { PageText.figure($0, "dB") })
        ),
        (
          "Stated by the file",
          word(loudness.stated.map { "\(PageText.figure($0.integrated, "LUFS")) for \($0.layout)" })
        ),
      ]
    ).markup
  }

  private func gains(_ downmix: RenderReport.Render.Downmix) -> Markup {
    PageTable(
      caption: "Gains of the downmix, linear (\(downmix.method), \(downmix.source))",
      columns: [.words("Output")]
        + downmix.inputs.prefix(LevelTables.mostChannels).map {
          .figures($0)
        },
      rows: zip(downmix.outputs, downmix.gains).map { output, gains in
        [.init(output)] + gains.map { .init(PageText.figure($0, "", 3)) }
      }, isWide: true
    ).markup
  }
}
