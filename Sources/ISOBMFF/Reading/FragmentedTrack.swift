/// A track of a fragmented movie as read.
package struct FragmentedTrack: Sendable, Equatable {
  /// The properties of samples whose fragment states no others (`trex`, ISO/IEC 14496-12, 8.8.3).
  package struct Defaults: Sendable, Equatable {
    var duration: UInt32 = 0
    var size: UInt32 = 0
    var flags: UInt32 = 0
  }

  /// Width and height.
  package struct Size: Sendable, Equatable {
    /// From left to right.
    package let width: Int
    /// From top to bottom.
    package let height: Int
  }

  /// Number of the track (`tkhd`).
  package let id: Int
  /// Handler type (`hdlr`): `soun`, `vide`, `text` …
  package let handler: String
  /// Ticks a second of its samples (`mdhd`), from 1.
  package let timescale: Int64
  /// Length in movie ticks (`tkhd`).
  package let duration: Int64
  /// Size in whole pixels it is shown at (`tkhd`).
  package let size: Size
  /// Its edits (`elst`).
  package let edits: [EditListBox.Entry]
  /// Type of its first sample entry, e.g. `mp4a`; empty when there is none.
  package let sampleEntry: String
  /// The whole first sample entry, at most 1 MiB.
  package let sampleEntryBox: [UInt8]
  /// Roll distance of its sample group (`sgpd`), negative; `nil` without one.
  package let rollDistance: Int?
  /// What its samples are by default.
  package let defaults: Defaults

  /// Payload of the first box of `type` inside an audio sample entry, version 0.
  package func configuration(_ type: String) -> [UInt8]? {
    let bytes = sampleEntryBox
    let source = ByteSource(size: Int64(bytes.count)) { offset, count in
      let start = Int(offset)
      return Array(bytes[start..<min(bytes.count, start + count)])
    }
    let scanner = BoxScanner(source)
    // The entry's header has 8 bytes and its fields have 28.
    return scanner.boxes(from: 36).first { $0.type == type }.map { scanner.payload($0) }
  }
}
