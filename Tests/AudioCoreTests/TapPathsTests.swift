// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

/// Paths inside taps that are written as text.
struct TapPathsTests {
  @Test(
    "paths in texts of taps are replaced, and URNs and filter options stay",
    arguments: [
      ("post:eq=a.txt", "post:eq=<a.txt>"),
      ("item:fir=a b.wav,align=peak", "item:fir=<a b.wav>,align=peak"),
      ("post:lv2=urn:x", "post:lv2=urn:x"),
      ("post:lv2=urn:x,state=s.ttl", "post:lv2=urn:x,state=<s.ttl>"),
      ("post:lv2=urn:x,state=s.ttl,a=1", "post:lv2=urn:x,state=<s.ttl>,a=1"),
      ("post:avfilter=bass=g=1", "post:avfilter=bass=g=1"), ("eq", "eq"), ("", ""),
      ("eq=a", "eq=a"),
    ])
  func onlyPathsArePlaced(text: String, placed: String) {
    #expect(TapPaths.placed(text) { "<\($0)>" } == placed)
    #expect((TapPaths.path(in: text) == nil) == (text == placed))
  }
}
