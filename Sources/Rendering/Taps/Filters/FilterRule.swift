// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The facts about one filter of libavfilter that may be used.
///
/// Only what is listed may be used: a chain of filters can otherwise read and write files, open sockets and load code.
package struct FilterRule: Sendable {
  package let name: String
  /// The options that may be given.
  package let options: Set<String>
  /// Options without which it does nothing that a test could see, as text.
  package let example: String
  /// By how many samples a burst of noise is found later at 48 kHz with ``example``; `nil` where it isn't found.
  package let delay: Int?
  /// Whether it delays all frequencies alike, which is removed; others only turn phases.
  package let isDelaying: Bool
  /// Samples that it gives more than it gets, at 48 kHz with ``example``.
  package let tail: Int

  init(
    _ name: String, _ options: String, _ example: String = "", delay: Int? = 0, tail: Int = 0,
    isDelaying: Bool = false
  ) {
    self.name = name
    self.options = Set(options.split(separator: " ").map(String.init))
    self.example = example
    self.delay = delay
    self.isDelaying = isDelaying
    self.tail = tail
  }

  /// The rule for the filter `name`; `nil` for one that may not be used.
  package static func named(_ name: String) -> FilterRule? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Reasons why well-known filters may not be used, in the words of the program that shows them.
  static var reasons: [String: String] {
    [
      "loudnorm": "the loudness is Pinna's own work", "volumedetect": "pinna measure does it",
      "ebur128": "pinna measure does it", "astats": "pinna measure does it",
      "aresample": "\(setting: .sampleRate) chooses the rate",
      "asetrate": "\(setting: .sampleRate) chooses the rate",
      "atempo": "it has no exact length",
      "atrim": "\(setting: .rangeStart) and \(setting: .rangeEnd) choose the range",
      "adelay": "it moves the sound against its pictures",
      "compensationdelay": "it moves the sound against its pictures",
      "areverse": "it holds the whole programme in memory",
      "aloop": "it holds the programme in memory",
      "pan": "\(setting: .outputLayout) chooses the channels",
      "channelmap": "\(setting: .outputLayout) chooses the channels",
      "aformat":
        "\(setting: .sampleRate), \(setting: .bits) and \(setting: .outputLayout) choose the format",
      "ametadata": "it writes files",
      "asendcmd": "it reads files", "amovie": "it reads files", "arnndn": "it reads files",
      "sofalizer": "it reads files; \(setting: .hrtf) takes them",
      "headphone": "\(setting: .endpoint) headphones does it",
      "azmq": "it opens sockets", "ladspa": "it loads code", "lv2": "it loads code",
      "dialoguenhance": "it changes the channels", "surround": "it changes the channels",
    ]
  }

  /// Makes sure that `filter` may be used.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func check(_ filter: FilterRequest.Filter) throws {
    guard let rule = named(filter.name) else {
      let reason = reasons[filter.name] ?? "only filters that were tried are used"
      throw MediaError(
        .usage,
        "the filter \(filter.name) may not be used: \(reason); pinna taps list names those that may"
      )
    }
    for option in filter.options {
      guard rule.options.contains(option.name) else {
        throw MediaError(
          .usage,
          "the filter \(filter.name) doesn't take the option \(option.name) here; it takes "
            + rule.options.sorted().joined(separator: ", "))
      }
      // Expressions may call random(), which is seeded by the time, and change over time.
      guard !option.value.contains("random"), !option.value.contains("ld(") else {
        throw MediaError(
          .usage,
          "the filter \(filter.name): \(option.name)=\(option.value) isn't the same in every run")
      }
    }
  }
}

extension FilterRule {
  private static let biquad =
    "frequency f width_type t width w mix m channels c normalize n transform a precision r"
  private static let shelf = biquad + " gain g poles p"
  private static let order = "cutoff order level"

  /// All filters that may be used. Delays and tails were measured with libavfilter 8.44; a test compares them with those
  /// of the library that is installed.
  package static let all: [FilterRule] = [
    // Equalisers.
    FilterRule("allpass", biquad + " order o", delay: nil),
    FilterRule("bandpass", biquad + " csg", delay: 1),
    FilterRule("bandreject", biquad), FilterRule("bass", shelf, "g=6"),
    FilterRule("treble", shelf, "g=6"),
    FilterRule("equalizer", biquad + " gain g", "f=1000:t=q:w=1:g=3"),
    FilterRule("highpass", biquad + " poles p"),
    FilterRule("lowpass", biquad + " poles p", "f=15000", delay: 1),
    FilterRule("highshelf", shelf, "g=3"), FilterRule("lowshelf", shelf, "g=3"),
    FilterRule("tiltshelf", shelf, "g=3"),
    FilterRule("anequalizer", "params", "params=c0 f=200 w=100 g=-10 t=1"),
    FilterRule(
      "firequalizer",
      "gain gain_entry delay accuracy wfunc fixed multi scale fft2 min_phase",
      "gain_entry=entry(0,0)", delay: 480, tail: 960, isDelaying: true),
    FilterRule(
      "superequalizer",
      (1...18).map { "\($0)b" }.joined(separator: " "), "1b=2", delay: 4095, isDelaying: true),
    FilterRule("aemphasis", "level_in level_out mode type", delay: nil),
    FilterRule("asupercut", order, delay: nil), FilterRule("asubcut", order),
    FilterRule("asuperpass", "centerf order qfactor level", "qfactor=0.02", delay: nil),
    FilterRule("asuperstop", "centerf order qfactor level"),
    FilterRule("asubboost", "dry wet boost decay feedback cutoff slope delay channels"),
    FilterRule(
      "adynamicequalizer",
      "threshold dfrequency dqfactor tfrequency tqfactor attack release ratio makeup range mode tftype direction"
    ),
    // Dynamics.
    FilterRule(
      "acompressor",
      "level_in mode threshold ratio attack release makeup knee link detection level_sc mix"),
    FilterRule(
      "agate",
      "level_in mode range threshold ratio attack release makeup knee detection link level_sc"),
    FilterRule("compand", "attacks decays points soft-knee gain volume delay", isDelaying: true),
    FilterRule(
      "alimiter", "level_in level_out limit attack release asc asc_level level latency", delay: 239,
      isDelaying: true),
    FilterRule(
      "apsyclip", "level_in level_out clip diff adaptive iterations level", delay: 192,
      isDelaying: true),
    FilterRule("asoftclip", "type threshold output param oversample"),
    FilterRule(
      "dynaudnorm",
      "framelen f gausssize g peak p maxgain m targetrms r coupling n correctdc c altboundary b compress s threshold t channels h overlap o"
    ),
    FilterRule(
      "speechnorm",
      "peak p expansion e compression c threshold t raise r fall f channels h invert i link l"),
    FilterRule("deesser", "i m f s"), FilterRule("volume", "volume precision", "volume=0.5"),
    FilterRule("acontrast", "contrast"),
    // Repair.
    FilterRule(
      "afftdn",
      "noise_reduction nr noise_floor nf noise_type nt band_noise bn residual_floor rf track_noise tn track_residual tr output_mode om adaptivity ad floor_offset fo noise_link nl band_multiplier bm gain_smooth gs",
      delay: 1200, isDelaying: true),
    FilterRule(
      "anlmdn", "strength s patch p research r output o smooth m", delay: 384,
      isDelaying: true),
    FilterRule(
      "adeclick", "window w overlap o arorder a threshold t burst b method m"),
    FilterRule(
      "adeclip", "window w overlap o arorder a threshold t hsize n method m"),
    FilterRule("dcshift", "shift limitergain", "shift=0.01"),
    FilterRule("adenorm", "level type"),
    // Stereo and effects.
    FilterRule("bs2b", "profile fcut feed"),
    FilterRule("crossfeed", "strength range slope level_in level_out"),
    FilterRule(
      "stereotools",
      "level_in level_out balance_in balance_out softclip mutel muter phasel phaser mode slev sbal mlev mpan base delay sclevel phase bmode_in bmode_out"
    ),
    FilterRule("stereowiden", "delay feedback crossfeed drymix"),
    FilterRule("extrastereo", "m c"), FilterRule("crystalizer", "i c"),
    FilterRule("aexciter", "level_in level_out amount drive blend freq ceil listen", delay: nil),
    FilterRule("aecho", "in_gain out_gain delays decays", "delays=300:decays=0.5", tail: 14_400),
    FilterRule("aphaser", "in_gain out_gain delay decay speed type"),
    FilterRule("aphaseshift", "shift level order", delay: nil),
    FilterRule("afade", "type t start_sample ss nb_samples ns start_time st duration d curve c"),
    FilterRule(
      "rubberband",
      "tempo pitch transients detector phase window smoothing formant pitchq channels",
      "pitch=1"),
  ]
}
