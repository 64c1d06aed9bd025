// SPDX-License-Identifier: Apache-2.0
import AudioCore

@testable import MediaIn

/// The bytes are a playlist of HTTP Live Streaming. No place that it names lies outside of its folder.
func fuzzHLS(_ bytes: [UInt8]) {
  _ = PlaylistLine.beginsPlaylist(bytes)
  if MultivariantPlaylist.isMultivariant(bytes) {
    if let playlist = try? MultivariantPlaylist(bytes, name: "input") { choose(playlist) }
  }
  guard let playlist = try? MediaPlaylist(bytes, name: "input") else { return }
  demand(playlist.segments.count <= bytes.count, "segments take bytes")
  let sections = StreamSection.sections(of: playlist.segments)
  let total = playlist.segments.reduce(0 as Int64) { $0 + $1.duration }
  demand(total <= PlaylistNumber.year, "a playlist lasts a year at most")
  demand(sections.reduce(0) { $0 + $1.duration } == total, "sections last as long as segments")
  demand(
    sections.reduce(0) { $0 + $1.segmentCount } == playlist.segments.count,
    "each segment is in one section")
  for segment in playlist.segments {
    resolve(segment.uri)
    if let range = segment.range { demand(range.lowerBound >= 0, "a range begins in the file") }
    if let map = segment.map { resolve(map.uri) }
    if case .aes128(let uri, let vector)? = segment.key {
      resolve(uri)
      demand(vector?.count ?? 16 == 16, "a vector has 16 bytes")
    }
  }
}

private func choose(_ playlist: MultivariantPlaylist) {
  for variant in playlist.variants { resolve(variant.uri) }
  let wanted: [TrackChoice] = [.automatic, .index(0), .index(7), .languages(["en", "de"])]
  for track in wanted {
    let choice = try? RenditionChoice(
      playlist, track: track, name: "input", log: DiagnosticLog())
    guard let choice else { continue }
    let known = playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri)
    demand(known.contains(choice.uri), "what is chosen is listed")
  }
}

private func resolve(_ uri: String) {
  let folder = ResourceAddress.localPlaylist("/nowhere/list.m3u8")
  if case .local(let path, let root)? = try? folder.resolving(uri) {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"))
    demand(root == "/nowhere/" && path.utf8.starts(with: root.utf8), "\(path) is in the folder")
    demand(!parts.contains { $0.elementsEqual("..".utf8) }, "\(path) doesn't lead upwards")
  }
  guard let base = WebAddress("https://example.org/a/list.m3u8") else { return }
  if case .web(let address)? = try? ResourceAddress.web(base).resolving(uri) {
    checkAddress(address)
  }
}
