// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import LibAV

/// Finds out which loudspeakers a track's channels belong to, or which sound field they are.
struct LayoutChoice {
  /// The file's name, for messages.
  let path: String
  /// The channels that the caller asks for, in the file's order; `nil` believes the file.
  let wanted: ChannelOrder?
  /// The sound field that the caller asks for; `nil` believes the file.
  let wantedField: FieldInput?
  /// Whether it must be known to which loudspeakers the channels belong.
  let needsPlaces: Bool
  let log: DiagnosticLog

  /// Statement of a file on the sound field of a track.
  struct StatedField {
    /// Its order, by the decoder or the container.
    var order: Int?
    /// The box of MP4 for it, or why that can't be taken.
    var box: Result<SpatialAudioBox, SpatialAudioBox.Fault>?
    /// Channels of plain samples by the sample entry; libavformat takes the number in the box for theirs.
    var channels: Int?
  }

  /// The sound field of a track whose first frame has `channels` channels: the one asked for, else the one that is `stated`, in MP4
  /// by its own box before all others; `nil` for loudspeaker channels.
  /// - Throws: ``MediaError`` of kind `usage` when the one asked for has another number of channels, of kind
  ///   `unsupportedFeature` for a box that can't be followed.
  func field(channels: Int, stated: StatedField) throws -> FieldChannels? {
    if let wantedField {
      guard wantedField.channels == channels else {
        throw MediaError(
          .usage,
          "\(setting: .inputField) \(wantedField): has \(wantedField.channels) channels but \(path) has "
            + "\(channels)")
      }
      log.decide(.layout, wantedField.name, why: "asked for by \(setting: .inputField)")
      return FieldChannels(wantedField)
    }
    guard wanted == nil else { return nil }
    if let box = stated.box { return try field(channels: stated.channels ?? channels, in: box) }
    guard let field = stated.order.flatMap({ FieldInput(order: $0) }), field.channels == channels
    else { return nil }
    log.decide(.layout, field.name, why: "the file states a sound field of order \(field.order)")
    return FieldChannels(field)
  }

  /// The sound field that a box of MP4 states for `channels` channels.
  private func field(
    channels: Int, in box: Result<SpatialAudioBox, SpatialAudioBox.Fault>
  ) throws -> FieldChannels? {
    let say = "; say with \(setting: .inputLayout) what its channels are"
    let stated: SpatialAudioBox
    do { stated = try box.get() } catch {
      throw MediaError(
        .unsupportedFeature, about: path, "its box for spatial audio (SA3D) \(error)\(say)")
    }
    guard stated.channelMap.count == channels else {
      throw MediaError(
        .unsupportedFeature, about: path,
        "its box for spatial audio (SA3D) has \(stated.channelMap.count) channels, but the track has "
          + "\(channels)\(say)")
    }
    guard let field = FieldChannels(stated) else { return nil }
    let map = stated.channelMap
    log.decide(
      .layout, field.field.name,
      why: "the file states a sound field of order \(stated.order) (SA3D)"
        + (stated.hasHeadLockedStereo ? " and head-locked stereo beside it" : ""))
    // Maps that are their own inverse mean the same both ways.
    if map.indices.contains(where: { map[map[$0]] != $0 }) {
      log.degrade(
        .layoutGuessed,
        "the file's channel map \(map.map(String.init).joined(separator: " ")) (SA3D) is taken for the "
          + (stated.hasHeadLockedStereo ? "component of each channel" : "channel of each component")
          + ", as the RFC's example of such a track has it; its other example says the opposite, so listen, and bring "
          + "the channels to the order 0 1 2 3 … where it is wrong")
    }
    return field
  }

  /// The layout of a track whose first frame has `channels` channels: the one asked for, else `stated`
  /// (by the decoder or the container), else the conventional one.
  /// - Throws: ``MediaError`` of kind `usage` when the one asked for has another number of channels, of
  ///   kind `layoutUnknown` when none is stated, no conventional one exists and the places are needed.
  func layout(channels: Int, stated: ChannelLayout?) throws -> ChannelLayout {
    if let wanted {
      let layout = wanted.layout
      guard layout.count == channels else {
        throw MediaError(
          .usage,
          "\(setting: .inputLayout) \(wanted): has \(layout.count) channels but \(path) has \(channels)"
        )
      }
      let order = wanted.isOfMask ? "" : ", whose channels lie as \(wanted)"
      log.decide(.layout, layout.name + order, why: "asked for by \(setting: .inputLayout)")
      return layout
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
      log.decide(
        .layout, guess.name, why: "the usual meaning of \(channels.counted("channel", "channels"))")
    }
    return guess
  }

  /// Large layouts that a file of so many channels usually has.
  private static let large = ["7.1.2", "7.1.4", "9.1.4", "9.1.6", "22.2"]

  /// Remedy for a file with so many channels and no layout, as the rest of a sentence.
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
