import ADM
import AudioCore

/// Loudspeakers of the packs of ITU-R BS.2094-1 that are layouts of ours, too.
enum BedSpeakers {
  /// The layout of a pack, by its identifier.
  private static let names: [String: String] = [
    "AP_00010001": "mono", "AP_00010002": "stereo", "AP_0001000A": "3.0", "AP_0001000B": "4.0",
    "AP_0001000C": "5.0(side)", "AP_00010003": "5.1(side)", "AP_0001000F": "7.1",
    "AP_00010004": "5.1.2", "AP_00010005": "5.1.4", "AP_00010017": "7.1.4",
    "AP_00010009": "22.2",
  ]

  /// The layout that `pack` holds the channels of; `nil` for other packs.
  static func layout(of pack: ElementID?) -> ChannelLayout? {
    pack.flatMap { names[$0.text] }.flatMap { ChannelLayout(name: $0) }
  }

  /// The loudspeaker of a channel of the common definitions in `pack`; `nil` for other channels and packs.
  static func speaker(of channel: ElementID, in pack: ElementID?) -> Speaker? {
    guard let layout = layout(of: pack), let format = CommonDefinitions.channels[channel],
      let block = format.blocks.first
    else { return nil }
    let label = format.details(of: block).speaker.labels.first?.split(separator: ":").last
    switch label.map(String.init) {
    case "LFE", "LFE1", "LFEL": return .lowFrequency
    case "LFE2", "LFER": return .lowFrequency2
    case let name?:
      return layout.speakers.indices.first {
        !layout.speakers[$0].isLFE && layout.direction(at: $0).label == name
      }.map { layout.speakers[$0] }
    case nil: return nil
    }
  }
}
