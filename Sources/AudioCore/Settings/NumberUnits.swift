// SPDX-License-Identifier: Apache-2.0

/// Numbers as people write them, with the unit or without.
package enum NumberUnits {
  /// Ways to write each unit of ``SettingValue``, in small letters, with the factor that each stands for. Loudness and
  /// levels relative to it share the decibel (ITU-R BS.1770-5, Annex 1: 1 LU equals 1 dB).
  private static let spellings: [String: [(text: String, factor: Double)]] = [
    "LUFS": [("lufs", 1), ("lkfs", 1), ("db", 1), ("lu", 1)],
    "LU": [("lu", 1), ("db", 1)],
    "dBTP": [("dbtp", 1), ("dbfs", 1), ("db", 1)],
    "dB": [("db", 1), ("lu", 1)],
    "degrees": [("degrees", 1), ("deg", 1), ("°", 1)],
    "cm": [("cm", 1)],
    "seconds": [("seconds", 1), ("s", 1)],
    "Hz": [("khz", 1000), ("hz", 1), ("k", 1000)],
    "bit/s": [
      ("kbit/s", 1000), ("kb/s", 1000), ("kbps", 1000), ("bit/s", 1), ("bps", 1), ("k", 1000),
    ],
  ]

  /// The finite number that `text` writes in `unit`; `nil` for anything else.
  package static func number(_ text: String, in unit: String) -> Double? {
    // Pages and this program's own messages print U+2212 before numbers below zero.
    let plain = text.lowercased().replacing("\u{2212}", with: "-")
    let ways = spellings[unit] ?? []
    let found = ways.first { plain.hasSuffix($0.text) }
    let digits = plain.dropLast(found?.text.count ?? 0)
    var figure = digits
    while found != nil, figure.last == " " || figure.last == "\u{A0}" { figure.removeLast() }
    // A unit is neither a number, nor may it end one that is written in hexadecimal.
    guard !figure.isEmpty, !figure.hasPrefix("0x"), let number = Double(figure), number.isFinite
    else { return nil }
    return number * (found?.factor ?? 1)
  }
}

extension SettingValue {
  /// The number that `text` writes, with the value's unit or without; `nil` for anything else.
  package func number(_ text: String) -> Double? {
    switch self {
    case .number(_, let unit, _), .whole(_, let unit): return NumberUnits.number(text, in: unit)
    default: return nil
    }
  }
}
