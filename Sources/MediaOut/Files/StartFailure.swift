import AudioCore
import LibAV

extension LibAVError {
  /// What users are told when the output `name` can't be begun in `format`: that memory is out, or that the format can't
  /// take what is asked of it.
  func startFailure(of name: String, as format: String) -> MediaError {
    guard meaning != .outOfMemory else {
      return MediaError(
        .outOfResources, about: name, "memory is out; try again", cause: self)
    }
    return MediaError(
      .unsupportedFeature, about: name, "can't be started as \(format) (libav: \(self))")
  }
}
