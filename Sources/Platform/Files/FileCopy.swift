// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// Content and attributes of a file for another one that is to take its place.
package enum FileCopy {
  /// Has the empty open file `target` hold what `file` holds: where the file system can, both share their blocks.
  ///
  /// Bytes that `file` leaves out are copied as well. `path` is what messages are about.
  /// - Throws: ``MediaError`` of kind `diskFull` or `outputUnwritable`, and `inputUnreadable` when `file` can't be read.
  package static func content(of file: LocalFile, to target: Int32, _ path: String) throws {
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0 else {
      throw LocalFile.openFailure(file.path, errno)
    }
    let size = Int64(facts.st_size)
    let code = process_copy_file(file.descriptor, target, UInt64(size))
    if code == 0 { return }
    if [ENOSPC, EDQUOT, EFBIG].contains(code) { throw OutputFailure.error(code, path) }
    // Not every file system has such calls: the bytes go through this process.
    var room = [UInt8](repeating: 0, count: 1 << 20)
    var done: Int64 = 0
    while done < size {
      let got = room.withUnsafeMutableBytes { room in
        room.baseAddress.map {
          Descriptor.readAll(file.descriptor, into: $0, count: room.count, at: done)
        } ?? 0
      }
      guard got > 0 else { throw LocalFile.openFailure(file.path, got == 0 ? EIO : Int32(-got)) }
      let failure = room[..<got].withUnsafeBytes {
        Descriptor.writeAll($0, to: target, at: done)
      }
      try OutputFailure.check(failure, path)
      done += Int64(got)
    }
  }

  /// Gives the open file `target` the owner, group, mode and extended attributes of `file`, access lists among them; with
  /// `times`, those of last access and change, too.
  /// - Returns: what can't be kept, a sentence each.
  package static func attributes(of file: LocalFile, to target: Int32, times: Bool) -> [String] {
    var facts = stat()
    guard fstat(file.descriptor, &facts) == 0 else {
      return ["Its attributes can't be read (\(String(cString: strerror(errno))))."]
    }
    var lost = owner(facts, to: target)
    // A change of the owner takes rights away, and an access list refines the mode.
    if fchmod(target, facts.st_mode & 0o7777) != 0 {
      lost.append("Its mode can't be kept (\(String(cString: strerror(errno)))).")
    }
    lost += extended(of: file.descriptor, to: target)
    if times, !setTimes(facts, of: target) {
      lost.append("Its times can't be kept (\(String(cString: strerror(errno)))).")
    }
    return lost
  }

  /// Owner and group, each alone where not both can be kept.
  private static func owner(_ facts: stat, to target: Int32) -> [String] {
    var now = stat()
    if fstat(target, &now) == 0, now.st_uid == facts.st_uid, now.st_gid == facts.st_gid {
      return []
    }
    if fchown(target, facts.st_uid, facts.st_gid) == 0 { return [] }
    var lost: [String] = []
    if fchown(target, facts.st_uid, gid_t.max) != 0 {
      lost.append("Its owner, user \(facts.st_uid), can't be kept.")
    }
    if fchown(target, uid_t.max, facts.st_gid) != 0 {
      lost.append("Its group \(facts.st_gid) can't be kept.")
    }
    return lost
  }

  private static func setTimes(_ facts: stat, of target: Int32) -> Bool {
    #if canImport(Darwin)
      let times = [facts.st_atimespec, facts.st_mtimespec]
    #else
      let times = [facts.st_atim, facts.st_mtim]
    #endif
    return futimens(target, times) == 0
  }

  /// Extended attributes, those of access lists among them.
  private static func extended(of file: Int32, to target: Int32) -> [String] {
    var lost: [String] = []
    for name in names(of: file) {
      let value = value(of: name, file)
      if let value, value == self.value(of: name, target) { continue }
      let code =
        value.map { bytes in
          bytes.withUnsafeBytes {
            process_set_attribute(target, name, $0.baseAddress, UInt64($0.count))
          }
        } ?? EIO
      if code != 0 {
        let reason = String(cString: strerror(code))
        lost.append("Its extended attribute \(name) can't be kept (\(reason)).")
      }
    }
    return lost
  }

  /// Names of the attributes; none where the file system has no attributes.
  private static func names(of file: Int32) -> [String] {
    let room = process_attribute_names(file, nil, 0)
    guard room > 0 else { return [] }
    var bytes = [CChar](repeating: 0, count: Int(room))
    let got = process_attribute_names(file, &bytes, UInt64(room))
    guard got > 0 else { return [] }
    return bytes.prefix(Int(got)).split(separator: 0).map { name in
      String(decoding: name.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  private static func value(of name: String, _ file: Int32) -> [UInt8]? {
    let room = process_attribute(file, name, nil, 0)
    guard room >= 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(room))
    let got = process_attribute(file, name, &bytes, UInt64(room))
    return got < 0 ? nil : Array(bytes.prefix(Int(got)))
  }
}
