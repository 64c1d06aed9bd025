// SPDX-License-Identifier: Apache-2.0

/// One line of the oracle's `ctl.jsonl`, in its own names.
struct ControlFrame: Decodable {
  let frame: Int
  let seq: Int
  let iframe: Int
  let toc_bytes: Int
  let sizes: [Int]
  let audio_size: Int
  let bits_left: Int
  let trk0: Track
  let trk1: Track
  let mdct_stereo: Int
  let sap_mode: Int
  let sap_used: [String]?
  let ms_used: [String]?
  let dpcm_alpha: [[Int]]?
  let companding: Companding
  let aspx: Extension
  let metadata: Metadata
  let presentation_substream: Presentation

  struct Track: Decodable {
    let win: [Int]
    let groups: [Int]
    let max_sfb: [Int]
    let n_nonzero: Int
    let maxq: Int
    let sum_abs_q: Int
    let cb: [String]
    let sf_first_last: [[Int]?]
    let snf: Int
  }

  struct Companding: Decodable {
    let sync: Int
    let avg: Int
    let on: [Int]
  }

  struct Extension: Decodable {
    let sbg_high: [Int]
    let sbg_low: [Int]
    let sbg_noise: [Int]
    let sba: Int
    let sbx: Int
    let sbz: Int
    let balance: Int
    let ch: [Channel]
  }

  struct Channel: Decodable {
    let cls: String
    let sig: [Int]
    let noise: [Int]
    let tsg_ptr: Int
    let freq_res: [Int]
    let qmode: Int
    let sig_dir: [Int]
    let noise_dir: [Int]
    let tna: [Int]
    let ah: [Int]
    let sig_delta: [[Int]]
    let noise_delta: [[Int]]
  }

  struct Metadata: Decodable {
    let pre_dmixtyp_2ch: Int?
    let phase90_2ch: Int?
    let dc_block: Int?
    let b_dialog: Int
    let de: Enhancement
    let tools_ok: Bool
  }

  struct Enhancement: Decodable {
    let present: Int
    let method: Int
    let max_gain: Int
    let chcfg: Int
    let par: [[Int]]?
  }

  struct Presentation: Decodable {
    let immersive_audio_indicator: Int?
    let dialnorm_bits: Int
    let fli: Loudness?
    let drc: DynamicRange
    let assoc: Int
  }

  struct Loudness: Decodable {
    let loudness_version: Int?
    let loud_prac_type: Int?
    let dialgate: Int?
    let loudcorr_type: Int?
    let loudrelgat: Int?
    let loudspchgat: Int?
    let dialgate2: Int?
  }

  struct DynamicRange: Decodable {
    let present: Int
    let cfg: Settings?
    let reset: Int?
  }

  struct Settings: Decodable {
    let modes: [Mode]
    let profile: Int
  }

  struct Mode: Decodable {
    let id: Int
    let `default`: Int
    let c: Curve?
    let `repeat`: Int?
  }

  struct Curve: Decodable {
    let nl: Int
    let nh: Int
    let mb: Int
    let lmb: Int
    let mc: Int
    let lmc: Int
    let gsc: Int
    let lsc: Int
    let tc: [Int]
    let thr: [Int]
  }
}
