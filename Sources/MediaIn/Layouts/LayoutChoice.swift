import AudioCore
import LibAV

/// Finds out which loudspeakers a track's channels belong to, or which sound field they are.
struct LayoutChoice {
  /// The file's name, for messages.
  let path: String
  /// The layout that the caller asks for; `nil` believes the file.
  let wanted: ChannelLayout?
  /// The order in which the caller says that the channels lie; `nil` for that of the mask.
  var wantedOrder: ChannelOrder?
  /// The sound field that the caller asks for; `nil` believes the file.
  let wantedField: FieldInput?
  /// Whether it must be known to which loudspeakers the channels belong.
  let needsPlaces: Bool
  let log: DiagnosticLog

  /// The sound field of a track whose first frame has `channels` channels: the one asked for, else that of
  /// order `stated` by the decoder or the container; `nil` for loudspeaker channels.
  /// - Throws: ``MediaError`` of kind `usage` when the one asked for has another number of channels.
  func field(channels: Int, stated: Int?) throws -> FieldInput? {
    if let wantedField {
      guard wantedField.channels == channels else {
        throw MediaError(
          .usage,
          "\(setting: .inputField) \(wantedField): has \(wantedField.channels) channels but \(path) has "
            + "\(channels)")
      }
      log.decide(.layout, wantedField.name, why: "asked for by \(setting: .inputField)")
      return wantedField
    }
    guard wanted == nil, let field = stated.flatMap({ FieldInput(order: $0) }),
      field.channels == channels
    else { return nil }
    log.decide(.layout, field.name, why: "the file states a sound field of order \(field.order)")
    return field
  }

  /// The layout of a track whose first frame has `channels` channels: the one asked for, else `stated`
  /// (by the decoder or the container), else the conventional one.
  /// - Throws: ``MediaError`` of kind `usage` when the one asked for has another number of channels, of
  ///   kind `layoutUnknown` when none is stated, no conventional one exists and the places are needed.
  func layout(channels: Int, stated: ChannelLayout?) throws -> ChannelLayout {
    if let wanted {
      guard wanted.count == channels else {
        throw MediaError(
          .usage,
          "\(setting: .inputLayout) \(wanted): has \(wanted.count) channels but \(path) has \(channels)"
        )
      }
      let order = wantedOrder.map { ", whose channels lie as \($0)" } ?? ""
      log.decide(.layout, wanted.name + order, why: "asked for by \(setting: .inputLayout)")
      return wanted
    }
    if let stated, stated.count == channels { return stated }
    guard let guess = ChannelLayout.conventional(channels: channels) else {
      guard needsPlaces else {
        let layout = ChannelLayout(unnamed: channels)
        log.decide(
          .layout, layout.name,
          why: "the file names no layout for its channels, and the outputs keep them as they are")
        return layout
      }
      throw MediaError(
        .layoutUnknown, about: path,
        "has \(channels) channels but names no layout\(LayoutChoice.cure(channels: channels))")
    }
    if channels > 2 {
      log.degrade(
        .layoutGuessed,
        "the file names no layout for its \(channels) channels; taken as \(guess), "
          + "change it with \(setting: .inputLayout)")
    } else {
      log.decide(.layout, guess.name, why: "the usual meaning of \(channels) channel(s)")
    }
    return guess
  }

  /// Large layouts that a file of so many channels usually has.
  private static let large = ["7.1.2", "7.1.4", "9.1.4", "9.1.6", "22.2"]

  /// What to do about a file with so many channels and no layout, as the rest of a sentence.
  private static func cure(channels: Int) -> String {
    let field = (0...7).lazy.compactMap { FieldInput(order: $0) }.first { $0.channels == channels }
    let layout = large.first { ChannelLayout(name: $0)?.count == channels }
    let say = "; say which with \(setting: .inputLayout)"
    if let name = layout ?? field?.name { return say + ", e.g. \(setting: .inputLayout) \(name)" }
    guard channels > Speaker.allCases.count else {
      return say + ", with a name for each channel, e.g. \(setting: .inputLayout) FL+FR+FC"
    }
    return
      ", and Pinna knows none with so many; give a file with only the channels that belong together"
  }

  /// The layout of later frames that have another number of channels than the first.
  /// - Throws: ``MediaError`` of kind `layoutUnknown` when none is stated and no conventional one exists.
  func laterLayout(channels: Int, stated: ChannelLayout?) throws -> ChannelLayout {
    if let layout = stated ?? ChannelLayout.conventional(channels: channels) { return layout }
    if !needsPlaces { return ChannelLayout(unnamed: channels) }
    throw MediaError(
      .layoutUnknown, about: path,
      "changes in mid-stream to \(channels) channels without a layout; cut it there")
  }
}
