/// The sample table of a track whose samples all lie in fragments (ISO/IEC 14496-12, 8.5).
struct SampleTableBox: WritableBox {
  let track: TrackBox

  func append(to builder: inout BoxBuilder) {
    builder.box("stbl") { table in
      table.fullBox("stsd") { box in
        box.u32(1)
        box.append(track.sampleEntry)
      }
      table.fullBox("stts") { $0.u32(0) }
      table.fullBox("stsc") { $0.u32(0) }
      table.fullBox("stsz") { $0.zeros(8) }
      table.fullBox("stco") { $0.u32(0) }
      if let distance = track.rollDistance {
        // One group that the fragments' `sbgp` boxes name as number 1 (8.9.3, 10.1).
        table.fullBox("sgpd", version: 1) { box in
          box.fourCC("roll")
          box.u32(2)
          box.u32(1)
          box.i16(distance)
        }
      }
    }
  }
}
