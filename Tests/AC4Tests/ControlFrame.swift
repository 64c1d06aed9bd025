/// One line of the oracle's `ctl.jsonl`, in its own names.
struct ControlFrame: Decodable {
  let frame: Int
  let seq: Int
  let iframe: Int
  let toc_bytes: Int
  let sizes: [Int]
  let audio_size: Int
  let bits_left: Int
}
