import ArgumentParser
import AudioCore
import MediaIn

/// Options of every command that opens media.
struct InputArguments: ParsableArguments {
  @Option(
    name: [.customShort("a"), .customLong("audio")],
    help: "Audio track: an index from 0, lang:en[,de], or default.")
  var audio = "default"

  @Option(
    help:
      "Layout to assume instead of what the file says, e.g. 5.1; its channels in the file's order, e.g. FL+FC+FR+SL+SR+LFE, 5.1(film) or 7.1.4(side-first); or a sound field: ambix0 to ambix7, ambix3-n3d, fuma1 to fuma3."
  )
  var layoutIn: String?

  @Option(
    help:
      "Presentation of AC-4 by id or index from 0, mix of IAMF by id, or either by language, lang:en[,de]; see pinna probe."
  )
  var presentation: String?

  @Option(help: "Gain of dialogue in AC-4, dB, 0 to 12; the stream may allow less.")
  var dialogEnhancement: String?

  @Option(help: "Dynamic range control of AC-3, E-AC-3 and AC-4: off, line or rf.")
  var drc = "off"

  @Option(help: "Damaged packets: fail, or conceal with silence.")
  var onDamage = "fail"

  @OptionGroup var boundsArguments: BoundsArguments

  @Option(name: .customLong("in-opt"), help: "libav demuxer option K=V (repeatable).")
  var inputOptions: [String] = []

  @OptionGroup var objectArguments: ObjectArguments

  /// The options as a value.
  func options() throws -> InputOptions {
    var options = InputOptions()
    options.track = try TrackChoice(audio)
    if let layoutIn {
      options.field = FieldInput(name: layoutIn)
      if options.field == nil {
        options.order = try Choice.order(
          layoutIn, "--layout-in",
          alsoKnown:
            "a sound field (ambix0 to ambix7, ambix0-n3d to ambix7-n3d, fuma1 to fuma3), an order ("
            + ChannelOrder.knownNames.joined(separator: ", ") + ") or ")
      }
    }
    options.presentation = try presentation.map { try PresentationChoice($0) }
    options.bounds = try boundsArguments.bounds()
    if let dialogEnhancement {
      options.dialogueGain = try Choice.number(dialogEnhancement, "--dialog-enhancement")
      guard (0...12).contains(options.dialogueGain) else {
        throw MediaError(
          .usage, "--dialog-enhancement \(dialogEnhancement): give 0 to 12 dB")
      }
    }
    options.dynamicRange = try Choice.parse(drc, "--drc")
    options.damage = try Choice.parse(onDamage, "--on-damage")
    options.objects = try objectArguments.options()
    options.demuxerOptions = try Choice.pairs(inputOptions, "--in-opt")
    return options
  }
}
