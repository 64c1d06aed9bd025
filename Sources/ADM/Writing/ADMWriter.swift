// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Markup

/// Writes audio definition metadata (ITU-R BS.2076-2) of beds, objects and sound fields: the document for
/// the `axml` chunk and the table for `chna`.
///
/// There is one programme with one content, and an object for each element, in their order. Beds, channels
/// and sound fields refer to the common definitions (ITU-R BS.2094-1) where these have their pack or channels. Times
/// lie at the same samples when they are read: decimal numbers of seconds within a thousandth of a sample, or exact fractions.
/// How much of a room an object wants for headphones isn't written; that it wants none is.
package struct ADMWriter {
  /// The XML document, UTF-8.
  package let document: [UInt8]
  /// Tracks with their audioTrackUIDs.
  package let channelTable: ChannelTable

  /// Writes the metadata of `programme`.
  /// - Throws: ``ADMError``: `value` for numbers that are out of range and blocks that don't ascend,
  ///   `limit` for too many tracks, `unsupported` for objects that are channels of loudspeakers or ears, for
  ///   channels that move, and for sound fields of other orders than 1…6.
  package init(_ programme: WrittenProgramme, times: ADMTimeForm = .decimal) throws(ADMError) {
    let objects = try WriterPlan(programme).objects
    var writer = FormatWriter(programme, times)
    writer.write(objects)
    document = writer.xml.bytes
    channelTable = ChannelTable(
      rows: objects.flatMap { object in
        zip(zip(object.tracks, object.uids), object.channels).map { track, channel in
          ChannelTable.Row(
            track: track.0, uid: track.1, format: channel.trackFormat, pack: object.pack)
        }
      })
  }
}

/// Writes an audioFormatExtended (ITU-R BS.2076-2, 5).
struct FormatWriter {
  /// The document so far.
  private(set) var xml = XMLWriter()
  private let programme: WrittenProgramme
  private let blocks: BlockWriter

  /// A writer of the document of `programme`.
  init(_ programme: WrittenProgramme, _ times: ADMTimeForm) {
    self.programme = programme
    blocks = BlockWriter(rate: programme.sampleRate, times)
  }

  /// Writes the document; `objects` are those of the programme's elements.
  mutating func write(_ objects: [WrittenObject]) {
    xml.begin("ebuCoreMain", [("xmlns", "urn:ebu:metadata-schema:ebuCore_2014")])
    xml.begin("coreMetadata")
    xml.begin("format")
    xml.begin("audioFormatExtended", [("version", "ITU-R_BS.2076-2")])
    writeProgramme(objects)
    for object in objects { writeObject(object) }
    for object in objects where !object.hasCommonPack { writePack(object) }
    let own = objects.flatMap(\.channels).filter { !$0.isCommon }
    for channel in own { writeChannel(channel) }
    for channel in own { writeFormats(of: channel) }
    for object in objects { writeTracks(of: object) }
    for _ in 0..<4 { xml.end() }
  }

  private mutating func writeProgramme(_ objects: [WrittenObject]) {
    xml.begin(
      "audioProgramme",
      [
        ("audioProgrammeID", "APR_1001"), ("audioProgrammeName", programme.name),
        ("start", blocks.time(0)), ("end", blocks.time(programme.length)),
      ] + (programme.language.map { [("audioProgrammeLanguage", $0)] } ?? []))
    xml.element("audioContentIDRef", [], "ACO_1001")
    xml.end()
    xml.begin(
      "audioContent", [("audioContentID", "ACO_1001"), ("audioContentName", programme.name)])
    for object in objects { xml.element("audioObjectIDRef", [], object.id.text) }
    xml.end()
  }

  private mutating func writeObject(_ object: WrittenObject) {
    let part = object.part ?? 0..<programme.length
    xml.begin(
      "audioObject",
      [
        ("audioObjectID", object.id.text), ("audioObjectName", object.name),
        ("start", blocks.time(part.lowerBound)), ("duration", blocks.duration(part)),
      ])
    if object.gain != 1 { xml.element("gain", [], "\(object.gain)") }
    xml.element("audioPackFormatIDRef", [], object.pack.text)
    for uid in object.uids { xml.element("audioTrackUIDRef", [], uid.text) }
    xml.end()
  }

  private func type(_ kind: ContentKind) -> [XMLWriter.Attribute] {
    [
      ("typeLabel", kind.rawValue.hexadecimal(4, uppercase: true)),
      ("typeDefinition", kind.definition),
    ]
  }

  private mutating func writePack(_ object: WrittenObject) {
    let names = [("audioPackFormatID", object.pack.text), ("audioPackFormatName", object.name)]
    xml.begin("audioPackFormat", names + type(object.kind))
    for channel in object.channels { xml.element("audioChannelFormatIDRef", [], channel.id.text) }
    xml.end()
  }

  private mutating func writeChannel(_ channel: WrittenChannel) {
    let names = [
      ("audioChannelFormatID", channel.id.text), ("audioChannelFormatName", channel.name),
    ]
    switch channel.content {
    case .common: break
    case .speaker(let plans, let isLFE):
      xml.begin("audioChannelFormat", names + type(.directSpeakers))
      for (index, plan) in plans.enumerated() {
        blocks.writeSpeaker(
          plan, index + 1, of: channel,
          isWhole: plan.duration == WrittenTime(sample: programme.length), to: &xml)
      }
      if isLFE { xml.element("frequency", [("typeDefinition", "lowPass")], "120") }
      xml.end()
    case .object(let plans):
      xml.begin("audioChannelFormat", names + type(.objects))
      for (index, plan) in plans.enumerated() {
        blocks.write(plan, index + 1, of: channel, to: &xml)
      }
      xml.end()
    }
  }

  /// Readers of the first version of BS.2076 need a stream and the format of its track.
  private mutating func writeFormats(of channel: WrittenChannel) {
    let coding = [("formatLabel", "0001"), ("formatDefinition", "PCM")]
    xml.begin(
      "audioStreamFormat",
      [("audioStreamFormatID", channel.stream.text), ("audioStreamFormatName", channel.name)]
        + coding)
    xml.element("audioChannelFormatIDRef", [], channel.id.text)
    xml.element("audioTrackFormatIDRef", [], channel.trackFormat.text)
    xml.end()
    xml.begin(
      "audioTrackFormat",
      [("audioTrackFormatID", channel.trackFormat.text), ("audioTrackFormatName", channel.name)]
        + coding)
    xml.element("audioStreamFormatIDRef", [], channel.stream.text)
    xml.end()
  }

  private mutating func writeTracks(of object: WrittenObject) {
    for (uid, channel) in zip(object.uids, object.channels) {
      var attributes = [("UID", uid.text), ("sampleRate", "\(programme.sampleRate)")]
      if let depth = programme.bitDepth { attributes.append(("bitDepth", "\(depth)")) }
      xml.begin("audioTrackUID", attributes)
      xml.element("audioTrackFormatIDRef", [], channel.trackFormat.text)
      xml.element("audioPackFormatIDRef", [], object.pack.text)
      xml.end()
    }
  }
}
