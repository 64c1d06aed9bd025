/// Whose gains a downmix to stereo or mono has.
public enum DownmixGains: String, Sendable, CaseIterable, Codable {
  /// Those of ITU-R BS.775, whatever the programme says.
  case standard
  /// The programme's own where it carries any, else those of ITU-R BS.775.
  case stream
}
