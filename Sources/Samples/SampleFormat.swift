import CSamples

/// How samples lie in memory: little-endian, full scale of integers at the ends of their range.
package enum SampleFormat: Sendable {
  case unsigned8
  case integer16
  case integer24
  case integer32
  case integer64
  case float32
  case float64

  /// Bytes of one sample.
  package var bytes: Int {
    switch self {
    case .unsigned8: return 1
    case .integer16: return 2
    case .integer24: return 3
    case .integer32, .float32: return 4
    case .integer64, .float64: return 8
    }
  }

  var kernel: cs_format {
    switch self {
    case .unsigned8: return CS_U8
    case .integer16: return CS_S16
    case .integer24: return CS_S24
    case .integer32: return CS_S32
    case .integer64: return CS_S64
    case .float32: return CS_F32
    case .float64: return CS_F64
    }
  }
}
