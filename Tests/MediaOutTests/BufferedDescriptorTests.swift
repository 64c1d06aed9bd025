// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import MediaOut

/// The file as libsndfile sees it through its callbacks.
@Suite struct BufferedDescriptorTests {
  private let folder: TemporaryFolder
  private let handle: FileHandle

  init() throws {
    folder = try TemporaryFolder()
    try Data().write(to: folder.url("a"))
    handle = try FileHandle(forUpdating: folder.url("a"))
  }

  @Test("reads through the callbacks go on where the last one ended")
  func readingGoesOnWhereItEnded() {
    let file = BufferedDescriptor(descriptor: handle.fileDescriptor)
    let callbacks = BufferedDescriptor.callbacks()
    let user = Unmanaged.passUnretained(file).toOpaque()
    withExtendedLifetime(file) {
      let bytes: [UInt8] = Array(1...10)
      #expect(file.write(bytes, bytes.count) == 10)
      #expect(file.seek(2, SEEK_SET) == 2)
      for wanted in [[3, 4, 5, 6], [7, 8, 9, 10], []] as [[UInt8]] {
        var read = [UInt8](repeating: 0, count: 4)
        #expect(callbacks.read(&read, 4, user) == Int64(wanted.count))
        #expect(Array(read.prefix(wanted.count)) == wanted)
      }
      #expect(callbacks.tell(user) == 10 && callbacks.get_filelen(user) == 10)
      #expect(file.failure == 0)
    }
  }

  /// Parts written here and there make the file, without its former content.
  @Test("writes here and there give the file, without its bytes from before")
  func theFileIsWhatWasWritten() throws {
    try Data(count: 100).write(to: folder.url("a"))
    let other = try FileHandle(forUpdating: folder.url("a"))
    let file = BufferedDescriptor(descriptor: other.fileDescriptor)
    #expect(file.write([1, 2, 3, 4] as [UInt8], 4) == 4)
    #expect(file.seek(1, SEEK_SET) == 1)
    #expect(file.write([9] as [UInt8], 1) == 1)
    #expect(file.seek(0, SEEK_END) == 4)
    #expect(file.write([5, 6] as [UInt8], 2) == 2)
    #expect(file.seek(-1, SEEK_CUR) == 5)
    #expect(file.finish())
    #expect(try Data(contentsOf: folder.url("a")) == Data([1, 9, 3, 4, 5, 6]))
  }
}
