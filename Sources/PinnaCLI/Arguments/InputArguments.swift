// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Batch
import MediaIn

/// Options of every command that opens media.
struct InputArguments: ParsableArguments {
  @Option(
    name: [.customShort("a"), .customLong("audio")],
    help:
      "Audio track: an index from 0, lang:en[,de] or default; into .mkv, .webm, .mp4, .m3u8 and folders also several: 0,2, all, one in each language."
  )
  var audio = Given<TrackChoice>(default: "default")

  @Option(
    help:
      "Layout to assume instead of what the file says, e.g. 5.1; its channels in the file's order, e.g. FL+FC+FR+SL+SR+LFE, 5.1(film) or 7.1.4(side-first); or a sound field: ambix0 to ambix7, ambix3-n3d, fuma1 to fuma3."
  )
  var layoutIn: String?

  @Option(
    help:
      "Presentation of AC-4 by id or index from 0, of TrueHD by number, mix of IAMF by id, or by language (not TrueHD), lang:en[,de]; see pinna probe."
  )
  var presentation: String?

  @Option(help: "Gain of dialogue in AC-4, dB, 0 to 12; the stream may allow less.")
  var dialogEnhancement: Given<Double>?

  @Option(help: "Dynamic range control of AC-3, E-AC-3 and AC-4: off, line or rf.")
  var drc = Given(DynamicRange.off)

  @Option(help: "Damaged packets: fail, or conceal with silence.")
  var onDamage = Given(DamagePolicy.fail)

  @OptionGroup var boundsArguments: BoundsArguments

  @Option(help: "libav demuxer option K=V (repeatable).") var inOpt: [String] = []

  @OptionGroup var objectArguments: ObjectArguments

  /// The options as a value.
  func options() throws -> InputOptions {
    var options = InputOptions()
    options.track = try TrackChoice(audio.text)
    if let layoutIn {
      options.field = FieldInput(name: layoutIn)
      if options.field == nil {
        options.order = try InputArguments.order(layoutIn)
      }
    }
    options.presentation = try presentation.map { try PresentationChoice($0) }
    options.bounds = try boundsArguments.bounds()
    if let dialogEnhancement {
      options.dialogueGain = try dialogEnhancement.checked(.dialogueGain)
    }
    options.dynamicRange = try drc.value(.dynamicRange)
    options.damage = try onDamage.value(.damage)
    options.objects = try objectArguments.options()
    options.demuxerOptions = try inOpt.pairs(.demuxerOptions)
    return options
  }

  private static func order(_ name: String) throws -> ChannelOrder {
    if let order = ChannelOrder(name: name) { return order }
    let layout = try Given<ChannelLayout>(argument: name).value(
      .inputLayout,
      alsoKnown:
        "a sound field (ambix0 to ambix7, ambix0-n3d to ambix7-n3d, fuma1 to fuma3), an order ("
        + ChannelOrder.knownNames.joined(separator: ", ") + ") or ")
    throw MediaError(
      .usage, "\(Setting.inputLayout.row.flag) \(name): \(layout) names no loudspeakers")
  }
}

/// Options that limit what an input may open.
struct BoundsArguments: ParsableArguments {
  @Flag(help: "Never use the network, whatever a playlist names.")
  var offline = false

  @Option(help: "Refuse inputs outside this folder; symbolic links are followed first.")
  var inputRoot: String?

  @Option(
    help: "PEM file of the authorities that certificates of https servers are checked against.")
  var caFile: String?

  @Option(
    help:
      "Hosts that may be used besides the given URL's, host[,host]: names, addresses or *.domain; default all public ones."
  )
  var allowHosts: String?

  @Option(
    help: "Seconds that a server may send nothing or too little, 0.1 to 3600; default 20.")
  var networkTimeout: Given<Double>?

  @Option(help: "Most bytes that one input may fetch over the network, e.g. 2G; default 64G.")
  var maxDownload: Given<Int>?

  /// The bounds as a value.
  /// - Throws: ``MediaError`` of kind `usage`.
  func bounds() throws -> InputBounds {
    var bounds = InputBounds()
    bounds.isOffline = offline
    bounds.root = inputRoot
    bounds.authorities = caFile
    bounds.allowedHosts = try allowHosts.map(BoundsArguments.hosts) ?? []
    if let networkTimeout {
      bounds.networkTimeout = try networkTimeout.checked(.networkTimeout)
    }
    if let maxDownload {
      bounds.downloadLimit = Int64(try maxDownload.bytes(.downloadLimit))
    }
    return bounds
  }

  private static func hosts(_ text: String) throws -> [String] {
    let hosts = text.split(separator: ",", omittingEmptySubsequences: false).map {
      $0.filter { $0 != " " }
    }
    for host in hosts where !InputBounds.isHost(host) {
      throw MediaError(
        .usage,
        "--allow-hosts \(text): \"\(host)\" isn't a host; give names, addresses or *.domain, without scheme and port"
      )
    }
    return hosts
  }
}

extension InputArguments {
  /// The options that differ from their defaults, about what is heard, as they are typed.
  var flags: String {
    func other<Value>(_ given: Given<Value>, _ usual: String) -> String? {
      given.text == usual ? nil : given.text
    }
    let objects = objectArguments
    let values: [(String, String?)] = [
      ("--audio", other(audio, "default")), ("--layout-in", layoutIn),
      ("--presentation", presentation), ("--dialog-enhancement", dialogEnhancement?.text),
      ("--drc", other(drc, "off")), ("--on-damage", other(onDamage, "fail")),
      ("--objects", other(objects.objects, "auto")), ("--programme", objects.programme),
      ("--importance", objects.importance.map(String.init)),
      ("--headphone-modes", other(objects.headphoneModes, "follow")),
    ]
    let lists =
      objects.object.map { ("--object", $0) }
      + objects.complementary.map { ("--complementary", $0) }
      + inOpt.map { ("--in-opt", $0) }
    return (values.compactMap { name, value in value.map { (name, $0) } } + lists)
      .map { "\($0) \(ShellText.quoted($1))" }.joined(separator: " ")
  }
}
