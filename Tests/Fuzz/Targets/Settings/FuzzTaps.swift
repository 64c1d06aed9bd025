// SPDX-License-Identifier: Apache-2.0
import PlayQueue

@testable import Rendering

/// The bytes are the text of a tap, and of a chain of filters, which is written as it was read.
func fuzzTaps(_ bytes: [UInt8]) {
  guard let text = FuzzInput.text(bytes) else { return }
  _ = try? TapText.parse(text, "--tap")
  guard let request = try? FilterRequest(parsing: text) else { return }
  _ = try? request.tempo()
  do {
    let again = try FilterRequest(parsing: request.text)
    demand(again == request, "\(request.text) is read as it was written")
  } catch { demand(false, "\(request.text) can be read: \(error)") }
}
