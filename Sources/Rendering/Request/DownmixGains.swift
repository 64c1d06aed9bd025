/// Which gains a downmix uses; those of AC-3 and AC-4 are for stereo and mono.
public enum DownmixGains: String, Sendable, CaseIterable, Codable {
  /// Those of ITU-R BS.775, even where the programme carries its own.
  case standard
  /// The programme's own where it carries any, else those of ITU-R BS.775.
  case stream
}
