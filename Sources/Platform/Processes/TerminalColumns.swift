// SPDX-License-Identifier: Apache-2.0
import CProcess

/// Columns of characters on a terminal.
package enum TerminalColumns {
  /// Columns of `scalar`: two for characters of East Asian scripts and most emoji, none for accents that combine with a letter.
  package static func width(of scalar: Unicode.Scalar) -> Int {
    Int(process_columns(scalar.value))
  }
}
