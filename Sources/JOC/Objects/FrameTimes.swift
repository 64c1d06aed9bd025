import AudioCore
import ObjectMetadata

extension ObjectTimeline {
  /// Samples with which libavcodec's decoder begins before the programme; times of metadata count from the
  /// programme's first sample.
  private static let leadIn: Int64 = 256

  /// A timeline of objects of E-AC-3 that begin in `starts`.
  init(_ starts: [ObjectState]) { self.init(starts, blocks: ObjectFrame.mostBlocks) }

  /// Adds the updates of a frame.
  /// - Parameters:
  ///   - start: the frame's first sample.
  ///   - delay: samples by which its payload is later (`smploffst`).
  ///   - objects: number of each plane's object; `nil` for a plane without one.
  mutating func add(_ frame: ObjectFrame, start: Int64, delay: Int, objects: [Int?]) {
    let base = start + ObjectTimeline.leadIn + Int64(delay + frame.sampleOffset)
    for (index, block) in frame.blocks.enumerated() {
      let time = base + Int64(block.offset)
      for (plane, object) in objects.enumerated() {
        guard let object else { continue }
        add(plane, at: time, ramp: block.ramp, frame.info(object, index))
      }
    }
  }
}
