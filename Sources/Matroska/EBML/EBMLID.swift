// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Elements of EBML and Matroska that Pinna reads, writes and checks, by their identifiers with the VINT_MARKER (RFC 8794, 5, 11.2
/// and 11.3; RFC 9559, 5.1 and 27.1).
package enum EBMLID: UInt32, Sendable, CaseIterable {
  // The header, and global elements.
  case ebml = 0x1A45_DFA3
  case ebmlVersion = 0x4286
  case ebmlReadVersion = 0x42F7
  case ebmlMaxIDLength = 0x42F2
  case ebmlMaxSizeLength = 0x42F3
  case docType = 0x4282
  case docTypeVersion = 0x4287
  case docTypeReadVersion = 0x4285
  case void = 0xEC
  case crc32 = 0xBF

  // Segment and SeekHead.
  case segment = 0x1853_8067
  case seekHead = 0x114D_9B74
  case seek = 0x4DBB
  case seekID = 0x53AB
  case seekPosition = 0x53AC

  // Info.
  case info = 0x1549_A966
  case segmentUUID = 0x73A4
  case prevUUID = 0x3C_B923
  case nextUUID = 0x3E_B923
  case timestampScale = 0x2A_D7B1
  case duration = 0x4489
  case dateUTC = 0x4461
  case title = 0x7BA9
  case muxingApp = 0x4D80
  case writingApp = 0x5741

  // Tracks.
  case tracks = 0x1654_AE6B
  case trackEntry = 0xAE
  case trackNumber = 0xD7
  case trackUID = 0x73C5
  case trackType = 0x83
  case flagEnabled = 0xB9
  case flagDefault = 0x88
  case flagForced = 0x55AA
  case flagHearingImpaired = 0x55AB
  case flagVisualImpaired = 0x55AC
  case flagTextDescriptions = 0x55AD
  case flagOriginal = 0x55AE
  case flagCommentary = 0x55AF
  case flagLacing = 0x9C
  case defaultDuration = 0x23_E383
  case maxBlockAdditionID = 0x55EE
  case blockAdditionMapping = 0x41E4
  case blockAddIDName = 0x41A4
  case blockAddIDType = 0x41E7
  case blockAddIDExtraData = 0x41ED
  case name = 0x536E
  case language = 0x22_B59C
  case languageBCP47 = 0x22_B59D
  case codecID = 0x86
  case codecPrivate = 0x63A2
  case codecName = 0x25_8688
  case codecDelay = 0x56AA
  case seekPreRoll = 0x56BB

  // Video.
  case video = 0xE0
  case flagInterlaced = 0x9A
  case fieldOrder = 0x9D
  case stereoMode = 0x53B8
  case alphaMode = 0x53C0
  case pixelWidth = 0xB0
  case pixelHeight = 0xBA
  case pixelCropBottom = 0x54AA
  case pixelCropTop = 0x54BB
  case pixelCropLeft = 0x54CC
  case pixelCropRight = 0x54DD
  case displayWidth = 0x54B0
  case displayHeight = 0x54BA
  case displayUnit = 0x54B2
  case colour = 0x55B0
  case matrixCoefficients = 0x55B1
  case bitsPerChannel = 0x55B2
  case chromaSubsamplingHorz = 0x55B3
  case chromaSubsamplingVert = 0x55B4
  case chromaSitingHorz = 0x55B7
  case chromaSitingVert = 0x55B8
  case range = 0x55B9
  case transferCharacteristics = 0x55BA
  case primaries = 0x55BB
  case maxCLL = 0x55BC
  case maxFALL = 0x55BD
  case masteringMetadata = 0x55D0
  case primaryRChromaticityX = 0x55D1
  case primaryRChromaticityY = 0x55D2
  case primaryGChromaticityX = 0x55D3
  case primaryGChromaticityY = 0x55D4
  case primaryBChromaticityX = 0x55D5
  case primaryBChromaticityY = 0x55D6
  case whitePointChromaticityX = 0x55D7
  case whitePointChromaticityY = 0x55D8
  case luminanceMax = 0x55D9
  case luminanceMin = 0x55DA
  case projection = 0x7670
  case projectionType = 0x7671
  case projectionPoseYaw = 0x7673
  case projectionPosePitch = 0x7674
  case projectionPoseRoll = 0x7675

  // Audio.
  case audio = 0xE1
  case samplingFrequency = 0xB5
  case outputSamplingFrequency = 0x78B5
  case channels = 0x9F
  case bitDepth = 0x6264

  // ContentEncodings.
  case contentEncodings = 0x6D80
  case contentEncoding = 0x6240
  case contentEncodingOrder = 0x5031
  case contentEncodingScope = 0x5032
  case contentEncodingType = 0x5033
  case contentCompression = 0x5034
  case contentCompAlgo = 0x4254
  case contentCompSettings = 0x4255
  case contentEncryption = 0x5035

  // Cluster.
  case cluster = 0x1F43_B675
  case timestamp = 0xE7
  case position = 0xA7
  case prevSize = 0xAB
  case simpleBlock = 0xA3
  case blockGroup = 0xA0
  case block = 0xA1
  case blockDuration = 0x9B
  case referenceBlock = 0xFB
  case discardPadding = 0x75A2
  case blockAdditions = 0x75A1

  // Cues.
  case cues = 0x1C53_BB6B
  case cuePoint = 0xBB
  case cueTime = 0xB3
  case cueTrackPositions = 0xB7
  case cueTrack = 0xF7
  case cueClusterPosition = 0xF1
  case cueRelativePosition = 0xF0

  // Attachments.
  case attachments = 0x1941_A469
  case attachedFile = 0x61A7
  case fileDescription = 0x467E
  case fileName = 0x466E
  case fileMediaType = 0x4660
  case fileData = 0x465C
  case fileUID = 0x46AE

  // Chapters.
  case chapters = 0x1043_A770
  case editionEntry = 0x45B9
  case editionUID = 0x45BC
  case editionFlagHidden = 0x45BD
  case editionFlagDefault = 0x45DB
  case editionFlagOrdered = 0x45DD
  case chapterAtom = 0xB6
  case chapterUID = 0x73C4
  case chapterStringUID = 0x5654
  case chapterTimeStart = 0x91
  case chapterTimeEnd = 0x92
  case chapterFlagHidden = 0x98
  case chapterFlagEnabled = 0x4598
  case chapterSegmentUUID = 0x6E67
  case chapterDisplay = 0x80
  case chapString = 0x85
  case chapLanguage = 0x437C
  case chapLanguageBCP47 = 0x437D

  // Tags.
  case tags = 0x1254_C367
  case tag = 0x7373
  case targets = 0x63C0
  case targetTypeValue = 0x68CA
  case targetType = 0x63CA
  case tagTrackUID = 0x63C5
  case tagEditionUID = 0x63C9
  case tagChapterUID = 0x63C4
  case tagAttachmentUID = 0x63C6
  case simpleTag = 0x67C8
  case tagName = 0x45A3
  case tagLanguage = 0x447A
  case tagLanguageBCP47 = 0x447B
  case tagDefault = 0x4484
  case tagString = 0x4487
  case tagBinary = 0x4485

  /// How the content of an element is to be read (RFC 8794, 7).
  package enum ContentType: Sendable {
    case unsigned, signed, float, text, date, master, binary
  }

  package var type: ContentType {
    switch self {
    case .ebml, .segment, .seekHead, .seek, .info, .tracks, .trackEntry, .blockAdditionMapping,
      .video, .colour, .masteringMetadata, .projection, .audio, .contentEncodings,
      .contentEncoding, .contentCompression, .contentEncryption, .cluster, .blockGroup,
      .blockAdditions, .cues, .cuePoint, .cueTrackPositions, .attachments, .attachedFile,
      .chapters, .editionEntry, .chapterAtom, .chapterDisplay, .tags, .tag, .targets, .simpleTag:
      return .master
    case .void, .crc32, .seekID, .segmentUUID, .prevUUID, .nextUUID, .codecPrivate,
      .contentCompSettings, .simpleBlock, .block, .fileData, .chapterSegmentUUID, .tagBinary,
      .blockAddIDExtraData:
      return .binary
    case .docType, .title, .muxingApp, .writingApp, .name, .language, .languageBCP47, .codecID,
      .codecName, .fileDescription, .fileName, .fileMediaType, .chapterStringUID, .chapString,
      .chapLanguage, .chapLanguageBCP47, .targetType, .tagName, .tagLanguage, .tagLanguageBCP47,
      .tagString, .blockAddIDName:
      return .text
    case .duration, .primaryRChromaticityX, .primaryRChromaticityY, .primaryGChromaticityX,
      .primaryGChromaticityY, .primaryBChromaticityX, .primaryBChromaticityY,
      .whitePointChromaticityX, .whitePointChromaticityY, .luminanceMax, .luminanceMin,
      .projectionPoseYaw, .projectionPosePitch, .projectionPoseRoll, .samplingFrequency,
      .outputSamplingFrequency:
      return .float
    case .referenceBlock, .discardPadding: return .signed
    case .dateUTC: return .date
    default: return .unsigned
    }
  }

  /// The element's name as the standards write it.
  package var name: String {
    switch self {
    case .crc32: return "CRC-32"
    case .ebml, .ebmlVersion, .ebmlReadVersion, .ebmlMaxIDLength, .ebmlMaxSizeLength:
      return "EBML" + "\(self)".dropFirst(4)
    default: return "\(self)".prefix(1).uppercased() + "\(self)".dropFirst()
    }
  }

  /// The identifier's bytes, 1…4.
  package var bytes: [UInt8] { EBMLID.bytes(rawValue) }

  /// The bytes of any identifier, without zeros in front.
  static func bytes(_ id: UInt32) -> [UInt8] { Array(id.bigEndianBytes.drop { $0 == 0 }) }

  /// The name of any identifier; its digits where it isn't listed.
  static func name(_ id: UInt32) -> String {
    EBMLID(rawValue: id)?.name ?? "0x" + String(id, radix: 16, uppercase: true)
  }

  /// Whether the element is a direct child of Segment, and so ends a Cluster of unknown size (RFC 8794, 6.2).
  static func isTopLevel(_ id: UInt32) -> Bool {
    switch EBMLID(rawValue: id) {
    case .seekHead, .info, .tracks, .chapters, .cluster, .cues, .attachments, .tags, .segment,
      .ebml:
      return true
    default: return false
    }
  }
}
