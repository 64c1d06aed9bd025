import Samples

/// How samples are stored in a WAV file (`-b`).
public enum SampleEncoding: String, Sendable, CaseIterable, Codable {
  /// 16-bit integers.
  case pcm16 = "16"
  /// 24-bit integers.
  case pcm24 = "24"
  /// 32-bit IEEE floats.
  case float32 = "32f"

  /// Bytes of one sample.
  public var bytes: Int {
    switch self {
    case .pcm16: return 2
    case .pcm24: return 3
    case .float32: return 4
    }
  }

  /// How they lie in memory.
  package var format: SampleFormat {
    switch self {
    case .pcm16: return .integer16
    case .pcm24: return .integer24
    case .float32: return .float32
    }
  }

  /// Significant bits of an integer sample; `nil` for floats.
  public var integerBits: Int? {
    switch self {
    case .pcm16: return 16
    case .pcm24: return 24
    case .float32: return nil
    }
  }
}
