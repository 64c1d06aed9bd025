// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Frames of an ID3v2 tag as they stand in a file (ID3v2.2 to ID3v2.4), for comparing them before and after a change.
struct ID3Frames {
  /// A frame without its header.
  struct Frame {
    /// Its identifier in ID3v2.3 and 2.4; that of ID3v2.2 where these have none.
    let id: String
    /// Content, as it is before unsynchronisation and without the length that ID3v2.4 may put in front.
    let bytes: [UInt8]
  }

  /// The frames in order, up to the padding or the first that makes no sense.
  private(set) var frames: [Frame] = []

  /// The frames of the tag that `tag` begins with; none where it doesn't.
  init(_ tag: [UInt8]) {
    guard tag.count >= 10, tag.starts(with: "ID3".utf8) else { return }
    let version = Int(tag[3])
    guard (2...4).contains(version) else { return }
    let flags = tag[5]
    var body = Array(tag.dropFirst(10).prefix(Int(ID3Frames.size(tag[6..<10]))))
    let isUnsynchronised = flags & 0x80 != 0
    if isUnsynchronised, version < 4 { body = ID3Frames.synchronised(body) }
    var place = 0
    if flags & 0x40 != 0, version > 2, body.count >= 4 {
      let size = version == 3 ? Int(body.bigEndian32(at: 0)) + 4 : Int(ID3Frames.size(body[0..<4]))
      place = min(size, body.count)
    }
    while let (frame, end) = ID3Frames.frame(body, place, version, isUnsynchronised) {
      frames.append(frame)
      place = end
    }
  }

  /// A length of four bytes of seven bits each.
  static func size(_ bytes: ArraySlice<UInt8>) -> Int64 {
    bytes.prefix(4).reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }

  private static func frame(
    _ body: [UInt8], _ place: Int, _ version: Int, _ isUnsynchronised: Bool
  ) -> (Frame, Int)? {
    let head = version == 2 ? 6 : 10
    let letters = version == 2 ? 3 : 4
    guard place + head <= body.count, body[place] != 0 else { return nil }
    let id = body[place..<place + letters]
    guard id.allSatisfy(isLetter) else { return nil }
    let size = frameSize(body, place, version)
    let start = place + head
    guard size <= body.count - start else { return nil }
    var bytes = Array(body[start..<start + size])
    if version == 4 {
      let flags = body[place + 9]
      if flags & 2 != 0 || isUnsynchronised { bytes = synchronised(bytes) }
      if flags & 1 != 0 { bytes.removeFirst(min(4, bytes.count)) }
    }
    let name = String(decoding: id, as: UTF8.self)
    return (Frame(id: renamed[name] ?? name, bytes: bytes), start + size)
  }

  /// Identifiers of ID3v2.2 and those of the same frames in ID3v2.3.
  private static let renamed: [String: String] = {
    let pairs = """
      BUF RBUF CNT PCNT COM COMM CRA AENC EQU EQUA ETC ETCO GEO GEOB IPL IPLS LNK LINK MCI MCDI MLL MLLT PIC APIC POP POPM
      REV RVRB RVA RVAD SLT SYLT STC SYTC TAL TALB TBP TBPM TCM TCOM TCO TCON TCP TCMP TCR TCOP TDA TDAT TDY TDLY TEN TENC
      TFT TFLT TIM TIME TKE TKEY TLA TLAN TLE TLEN TMT TMED TOA TOPE TOF TOFN TOL TOLY TOR TORY TOT TOAL TP1 TPE1 TP2 TPE2
      TP3 TPE3 TP4 TPE4 TPA TPOS TPB TPUB TRC TSRC TRD TRDA TRK TRCK TS2 TSO2 TSA TSOA TSC TSOC TSI TSIZ TSP TSOP TSS TSSE
      TST TSOT TT1 TIT1 TT2 TIT2 TT3 TIT3 TXT TEXT TXX TXXX TYE TYER UFI UFID ULT USLT WAF WOAF WAR WOAR WAS WOAS WCM WCOM
      WCP WCOP WPB WPUB WXX WXXX
      """.split(whereSeparator: \.isWhitespace).map(String.init)
    let starts = stride(from: 0, to: pairs.count - 1, by: 2)
    return Dictionary(uniqueKeysWithValues: starts.map { (pairs[$0], pairs[$0 + 1]) })
  }()

  /// Bytes of the frame at `place`. iTunes once wrote plain numbers into ID3v2.4, which show by what follows.
  private static func frameSize(_ body: [UInt8], _ place: Int, _ version: Int) -> Int {
    if version == 2 { return Int(body[place + 3..<place + 6].bigEndian(UInt32.self)) }
    let plain = Int(body.bigEndian32(at: place + 4))
    guard version == 4 else { return plain }
    let safe = Int(size(body[place + 4..<place + 8]))
    func fits(_ size: Int) -> Bool {
      let end = place + 10 + size
      guard end < body.count - 4 else { return end <= body.count }
      return body[end] == 0 || body[end..<end + 4].allSatisfy(isLetter)
    }
    return safe != plain && !fits(safe) && fits(plain) ? plain : safe
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
  }

  /// `bytes` without the zeros that unsynchronisation put behind 0xFF.
  private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0, index > 0, bytes[index - 1] == 0xFF { continue }
      result.append(byte)
    }
    return result
  }
}

extension ID3Frames.Frame {
  /// Text frames and comments as texts, whatever the encoding; `nil` for frames of other content.
  ///
  /// Writers differ in encodings and in whether a zero ends the last text.
  var texts: [String]? {
    let isComment = ["COMM", "USLT"].contains(id)
    guard id.hasPrefix("T") || isComment, let encoding = bytes.first else { return nil }
    // A language of three letters stands in front of comments.
    let language = isComment ? 3 : 0
    let text = bytes.dropFirst(1 + language)
    let parts = ID3Frames.Frame.decoded(text, encoding)
    let head = bytes.dropFirst().prefix(language)
    var all = [String(decoding: head, as: UTF8.self)] + parts
    while all.count > 1, all.last?.isEmpty == true { all.removeLast() }
    return all
  }

  /// A picture's kind, description and file, without its type, which ID3v2.2 writes in another form; `nil` for other frames.
  var picture: [UInt8]? {
    guard id == "APIC", let encoding = bytes.first else { return nil }
    // The type of ID3v2.2 has three letters and no zero behind them.
    let isShort =
      bytes.count > 4 && ["PNG", "JPG", "-->"].contains { bytes[1..<4].elementsEqual($0.utf8) }
    let type = isShort ? 3 : bytes.dropFirst().prefix { $0 != 0 }.count + 1
    let rest = bytes.dropFirst(1 + type)
    let isWide = encoding == 1 || encoding == 2
    var end = rest.startIndex + 1
    while end < rest.endIndex,
      rest[end] != 0 || isWide && (end + 1 < rest.endIndex && rest[end + 1] != 0)
    {
      end += isWide ? 2 : 1
    }
    guard end < rest.endIndex else { return Array(rest) }
    let text = ID3Frames.Frame.decoded(rest[(rest.startIndex + 1)..<end], encoding).first ?? ""
    return rest.prefix(1) + Array(text.utf8) + [0] + rest[end...].dropFirst(isWide ? 2 : 1)
  }

  /// Description of a user's text frame; `nil` for other frames.
  var description: String? {
    guard id == "TXXX", let texts, texts.count > 1 else { return nil }
    return texts[1]
  }

  private static func decoded(_ bytes: ArraySlice<UInt8>, _ encoding: UInt8) -> [String] {
    guard encoding == 1 || encoding == 2 else {
      return bytes.split(separator: 0, omittingEmptySubsequences: false).map { part in
        encoding == 3
          ? String(decoding: part, as: UTF8.self)
          : String(String.UnicodeScalarView(part.map { Unicode.Scalar($0) }))
      }
    }
    var units: [[UInt16]] = [[]]
    var isLittle = false
    var pairs = bytes
    while pairs.count >= 2 {
      let pair = Array(pairs.prefix(2))
      pairs = pairs.dropFirst(2)
      if pair == [0xFF, 0xFE] || pair == [0xFE, 0xFF] {
        isLittle = pair[0] == 0xFF
        continue
      }
      let unit = isLittle ? pair.littleEndian(UInt16.self) : pair.bigEndian(UInt16.self)
      if unit == 0 { units.append([]) } else { units[units.count - 1].append(unit) }
    }
    return units.map { String(decoding: $0, as: UTF16.self) }
  }
}
