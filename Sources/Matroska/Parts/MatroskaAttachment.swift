// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A file that is attached (RFC 9559, 5.1.6.1 and 21).
package struct MatroskaAttachment {
  /// The bytes of a file that is written: at hand, or read in pieces while they are written.
  package enum Content {
    case bytes([UInt8])
    case part(of: ByteSource, offset: Int64, size: Int64)
    /// The whole AttachedFile element of another file, which has the name and all else.
    case element(of: ByteSource, offset: Int64, size: Int64)

    /// Bytes in all.
    var size: Int64 {
      switch self {
      case .bytes(let bytes): return Int64(bytes.count)
      case .part(_, _, let size), .element(_, _, let size): return size
      }
    }
  }

  /// Bytes that are read at once while they are written.
  private static let piece = 1 << 20

  package var name: String
  /// Media type (RFC 6838).
  package var mediaType: String
  package var description: String?
  /// The number that tags refer to, from 1.
  package var uid: UInt64
  package var content: Content

  /// A file that is attached under this name.
  package init(
    name: String, mediaType: String, uid: UInt64, description: String? = nil, _ content: Content
  ) {
    self.name = name
    self.mediaType = mediaType
    self.uid = uid
    self.description = description
    self.content = content
  }

  /// The attached file that was read at `place` of `source`, to be written as it is.
  package init(_ place: MatroskaAttachmentPlace, of source: ByteSource) {
    self.init(
      name: place.name, mediaType: place.mediaType, uid: place.uid,
      description: place.description,
      .element(
        of: source, offset: place.element.offset, size: place.element.end - place.element.offset))
  }

  /// Hands out the Attachments element in pieces; none without attachments.
  /// - Throws: what `emit` throws, and ``MatroskaError`` where a source has fewer bytes than stated.
  static func write(
    _ attachments: [MatroskaAttachment], _ emit: ([UInt8]) throws -> Void
  ) throws {
    guard !attachments.isEmpty else { return }
    let size = attachments.reduce(Int64(0)) { $0 + $1.length }
    try emit(EBMLBuilder.header(.attachments, size: size))
    for attachment in attachments {
      try emit(attachment.head)
      try attachment.checkElement()
      switch attachment.content {
      case .bytes(let bytes): try emit(bytes)
      case .part(let source, let offset, let size), .element(let source, let offset, let size):
        try copy(source, from: offset, size: size, emit)
      }
    }
  }

  private static func copy(
    _ source: ByteSource, from offset: Int64, size: Int64, _ emit: ([UInt8]) throws -> Void
  ) throws {
    var done: Int64 = 0
    while done < size {
      let bytes = source.bytes(at: offset + done, count: Int(min(Int64(piece), size - done)))
      guard !bytes.isEmpty else {
        throw MatroskaError(.attachedFile, "\(size - done) of \(size) bytes can't be read")
      }
      try emit(bytes)
      done += Int64(bytes.count)
    }
  }

  /// Checks that a copied element is one.
  private func checkElement() throws {
    guard case .element(let source, let offset, let size) = content else { return }
    let head = EBMLHead(source.bytes(at: offset, count: EBMLHead.longest))
    guard let head, head.id == EBMLID.attachedFile.rawValue,
      head.size.map({ $0 == UInt64(max(0, size - Int64(head.length))) }) == true
    else { throw MatroskaError(.attachedFile, "its copied bytes aren't one whole element") }
  }

  /// Everything in front of the file's bytes.
  private var head: [UInt8] {
    if case .element = content { return [] }
    let fields = self.fields
    let size = Int64(fields.count) + EBMLBuilder.length(.fileData, size: content.size)
    return EBMLBuilder.header(.attachedFile, size: size) + fields
      + EBMLBuilder.header(.fileData, size: content.size)
  }

  private var fields: [UInt8] {
    var builder = EBMLBuilder()
    builder.text(.fileDescription, ifAny: description)
    builder.text(.fileName, name)
    builder.text(.fileMediaType, mediaType)
    builder.unsigned(.fileUID, uid)
    return builder.bytes
  }

  /// Bytes of the whole AttachedFile element.
  private var length: Int64 { Int64(head.count) + content.size }
}

/// An attached file as it was found, without its bytes.
package struct MatroskaAttachmentPlace: Sendable, Equatable {
  package let name: String
  /// Media type (RFC 6838).
  package let mediaType: String
  package let description: String?
  package let uid: UInt64
  /// The bytes of the file.
  package let data: Range<Int64>
  /// The whole AttachedFile element.
  package let element: EBMLPlace
}
