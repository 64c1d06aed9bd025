// SPDX-License-Identifier: Apache-2.0
import Foundation
import Rendering
import Spatial
import Testing

/// Listeners in requests that were written by this and by earlier versions.
@Suite struct ListenerCodingTests {
  @Test("a request from before rooms had tails is read")
  func requestsFromBeforeRoomsHadTailsAreRead() throws {
    let plain = Listener(room: .medium)
    let bytes = try JSONEncoder().encode(plain)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("roomTail"))
    #expect(try JSONDecoder().decode(Listener.self, from: bytes) == plain)
  }

  @Test("options from before sets could stay as measured are read")
  func optionsFromBeforeSetsCouldBeLeftAsMeasuredAreRead() throws {
    let plain = HRTFOptions(head: .scaled(1.1))
    let bytes = try JSONEncoder().encode(plain)
    #expect(!String(decoding: bytes, as: UTF8.self).contains("isProcessed"))
    #expect(try JSONDecoder().decode(HRTFOptions.self, from: bytes) == plain)
    let unprocessed = HRTFOptions(isProcessed: false)
    let other = try JSONEncoder().encode(unprocessed)
    #expect(try JSONDecoder().decode(HRTFOptions.self, from: other) == unprocessed)
  }

  @Test("a listener's room tail survives encoding to JSON") func aTailIsKept() throws {
    let listener = Listener(room: .small, roomTail: true)
    let bytes = try JSONEncoder().encode(listener)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"roomTail\":true"))
    #expect(try JSONDecoder().decode(Listener.self, from: bytes) == listener)
  }
}
