// SPDX-License-Identifier: Apache-2.0

/// The oracle's `toc.json`, in its own names.
struct DescribedFile: Decodable {
  let first_frame_fields: DescribedFrame
  let other_frames: [DescribedFrame]
}

struct DescribedFrame: Decodable {
  let frame: Int
  let toc: Contents

  struct Contents: Decodable {
    let bitstream_version: Int
    let seq: Int
    let wait_frames: Int?
    let fs_index: Int
    let fri: Int
    let iframe: Int
    let pres: [Presentation]
    let groups: [Group]
    let sizes: [Int]
    let toc_bytes: Int
  }

  struct Presentation: Decodable {
    let groups: [Int]
    let version: Int
    let md_compat: Int
    let presentation_id: Int?
    let pre_virtualized: Int
    let pres_ndot: Int
    let substream_index: Int
  }

  struct Group: Decodable {
    let channel_coded: Int
    let classifier: Int?
    let lang: String?
    let subs: [Substream]
  }

  struct Substream: Decodable {
    let ch_mode_coded: Int
    let b_audio_ndot: [Int]
    let substream_index: Int
  }
}
