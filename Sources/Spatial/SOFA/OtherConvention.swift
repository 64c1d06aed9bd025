import AudioCore

/// What SOFA files hold whose convention isn't read, and what to do about it.
enum OtherConvention {
  private static let directions = "SimpleFreeFieldHRIR"

  /// Why the file at `path` isn't read, by what it says of itself; `nil` where it says nothing, or that it is a set of directions.
  static func refusal(path: String) -> MediaError? {
    guard let file = try? HDF5File(path: path), let convention = file.text("SOFAConventions"),
      convention != directions
    else { return nil }
    let kinds = [
      "SOS": "filters in second-order sections", "TF": "transfer functions",
      "TF-E": "transfer functions",
    ]
    guard let kind = file.text("DataType").flatMap({ kinds[$0] }) else {
      return MediaError(
        .unsupportedFeature,
        "\(path) follows \(convention), which isn't read; give a set of \(directions) with \(setting: .hrtf), or a room of "
          + "MultiSpeakerBRIR, SingleRoomSRIR or SingleRoomDRIR with \(setting: .room)")
    }
    return MediaError(
      .unsupportedFeature,
      "\(path) holds \(kind) (\(convention)), which aren't read; give the same set as impulse responses (\(directions)), or export "
        + "it as such")
  }
}
