import AudioCore

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
  /// Which track belongs to which audioTrackUID.
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
