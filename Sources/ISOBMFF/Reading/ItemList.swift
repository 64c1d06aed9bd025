// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Apple's list of tags in a movie (QuickTime File Format, "Metadata": `udta`, `meta`, `ilst`).
package struct ItemList {
  /// An item as it stands in the file.
  package struct Item: Equatable {
    /// Type of its atom, e.g. `©nam`; `----` for a freeform one.
    package let type: String
    /// Name of a freeform item; empty for others.
    package let name: String
    /// Content of its `data` boxes in order.
    package let values: [Value]
  }

  /// Content of a `data` box.
  package struct Value: Equatable {
    /// Kind of the content: 0 by the item, 1 UTF-8, 2 UTF-16, 21 and 22 integers.
    package let kind: UInt32
    /// The content.
    package let bytes: [UInt8]

    /// The text of UTF-8 and UTF-16; `nil` for other kinds, and for bytes that aren't valid.
    package var text: String? {
      switch kind {
      case 1: return String(validating: bytes, as: UTF8.self)
      case 2:
        let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
          bytes.bigEndian16(at: $0)
        }
        return String(validating: units, as: UTF16.self)
      default: return nil
      }
    }

    /// The unsigned integer of 1…8 bytes; `nil` for texts and other lengths.
    package var integer: UInt64? {
      guard [0, 21, 22].contains(kind), (1...8).contains(bytes.count) else { return nil }
      return bytes.bigEndian()
    }

    /// Number and count of `trkn` and `disk`; `nil` for anything shorter.
    package var numbers: (number: Int, count: Int)? {
      guard bytes.count >= 4 else { return nil }
      return (Int(bytes.bigEndian16(at: 2)), Int(bytes.bigEndian16(at: 4)))
    }
  }

  /// Items that are read at most; real files have a few dozen.
  private static let limit = 4096
  /// Bytes of one value that are read at most.
  private static let longest = 1 << 24

  /// Items in order, without pictures.
  package private(set) var items: [Item] = []

  /// Reads the list of a file; `nil` where it has none.
  package init?(_ source: ByteSource) {
    let scanner = BoxScanner(source)
    guard let movie = scanner.boxes().first(where: { $0.type == "moov" }),
      let meta = scanner.first(["udta", "meta"], in: movie) ?? scanner.first(["meta"], in: movie),
      let list = ItemList.list(in: meta, scanner)
    else { return nil }
    for box in scanner.boxes(from: list.payload, to: list.end).prefix(ItemList.limit)
    where box.type != "covr" {
      items.append(ItemList.item(box, scanner))
    }
  }

  /// The list of a `meta` box, which has version and flags in MP4 and none in QuickTime; `nil` where its items are
  /// named by keys.
  private static func list(in meta: BoxHeader, _ scanner: BoxScanner) -> BoxHeader? {
    for start in [meta.payload + 4, meta.payload] {
      let children = scanner.boxes(from: start, to: meta.end)
      guard let list = children.first(where: { $0.type == "ilst" }) else { continue }
      let handler = children.first { $0.type == "hdlr" }.map { scanner.payload($0, limit: 12) }
      return handler?.suffix(4).elementsEqual("mdta".utf8) == true ? nil : list
    }
    return nil
  }

  private static func item(_ box: BoxHeader, _ scanner: BoxScanner) -> Item {
    let children = scanner.boxes(from: box.payload, to: box.end).prefix(limit)
    let name = children.first { $0.type == "name" }.map { scanner.payload($0, limit: 1024) } ?? []
    let values = children.filter { $0.type == "data" }.compactMap { data -> Value? in
      let bytes = scanner.payload(data, limit: longest)
      guard bytes.count >= 8, !data.isTruncated else { return nil }
      return Value(kind: bytes.bigEndian32(at: 0) & 0xFF_FFFF, bytes: Array(bytes.dropFirst(8)))
    }
    // A type is decoded as UTF-8, in which the byte A9 (©) isn't valid.
    let type = box.type.replacing("\u{FFFD}", with: "©")
    return Item(
      type: type, name: String(decoding: name.dropFirst(4), as: UTF8.self), values: values)
  }
}
