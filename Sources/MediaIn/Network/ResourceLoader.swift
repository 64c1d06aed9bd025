// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Fetches what the user or a playlist named, over http or from local files.
///
/// After a failure that may pass, a transfer is tried again after a growing pause, from the byte it had
/// reached. Content that is shorter than the server or the range states is an error.
final class ResourceLoader {
  /// How often a transfer is tried, and how long it may pause.
  struct Policy: Sendable {
    /// Requests in all.
    var tries = 4
    /// Seconds before the second request; doubled for each further one, so four tries pause 1.75 s in all.
    var firstPause = 0.25
    /// Seconds without enough bytes after which a transfer is given up.
    var patience = InputBounds().networkTimeout
    /// Seconds after which all of the input is given up: a day, longer than any film takes at 1 Mbit/s.
    var total = 86_400.0
  }

  /// The facts about something that was fetched.
  struct Arrival {
    /// The media type that the server states, in lower case.
    var mediaType: String?
    /// Address of its source, after redirections.
    var address: ResourceAddress
    /// Whether its length was stated, so that a broken transfer would have been noticed.
    var isSizeKnown = true
  }

  private let policy: Policy
  /// Bounds of what the loader may open.
  let bounds: InputBounds
  private let isCancelled: () -> Bool
  /// Hosts and connections. Few inputs need any, and libcurl takes its time to begin.
  private lazy var session = WebResource.Session(
    hosts: HostPolicy(listed: bounds.allowedHosts, proxy: proxy), proxy: proxy,
    authorities: bounds.authorities,
    watch: { [policy, end, isCancelled] in
      TransferWatch(patience: policy.patience, end: end, isCancelled: isCancelled)
    })
  private let proxy = WebProxy()
  private let end: Double
  private var scratch = [UInt8](repeating: 0, count: 1 << 16)
  /// Bytes received over the network so far.
  private var downloaded: Int64 = 0
  /// Contents of which parts were fetched. All parts of a URL must be of the same content.
  private var contents: [WebAddress: ContentIdentity] = [:]

  /// A loader that opens only what `bounds` allow; without a `policy`, one that has their timeout.
  init(
    policy: Policy? = nil, bounds: InputBounds = InputBounds(), isCancelled: @escaping () -> Bool
  ) {
    let policy = policy ?? Policy(patience: bounds.networkTimeout)
    end = SystemClock.steady + policy.total
    self.policy = policy
    self.bounds = bounds
    self.isCancelled = isCancelled
  }

  /// Appends the bytes in `range`, or all for `nil`, of what lies at `address` to `file`. `origin` says who named the
  /// address.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `unavailable`, `diskFull` or `interrupted`; of kind
  ///   `inputUnreadable` also when there are more than `limit` bytes, or when the host may not be used.
  @discardableResult
  func append(
    _ address: ResourceAddress, range: Range<Int64>? = nil, limit: Int64 = .max,
    from origin: HostPolicy.Origin = .playlist, to file: TemporaryFile
  ) throws -> Arrival {
    switch address {
    case .local(let path, _):
      try copy(path, range, limit, to: file)
      return Arrival(mediaType: nil, address: address)
    case .web(let web):
      let transfer = Transfer(address: web, range: range, limit: limit, origin: origin)
      return try fetch(transfer, to: file)
    }
  }

  /// The bytes in `range`, or all for `nil`, of what lies at `address`: at most `limit`.
  /// - Throws: ``MediaError`` as ``append(_:range:limit:from:to:)``.
  func bytes(
    _ address: ResourceAddress, range: Range<Int64>? = nil, limit: Int,
    from origin: HostPolicy.Origin = .playlist
  ) throws -> (bytes: [UInt8], arrival: Arrival) {
    let file = try TemporaryFile()
    let arrival = try append(
      address, range: range, limit: Int64(limit), from: origin, to: file)
    let all = try file.sealed(name: address.name)
    return (all.bytes(at: 0, count: limit), arrival)
  }

  private func copy(
    _ path: String, _ range: Range<Int64>?, _ limit: Int64, to file: TemporaryFile
  ) throws {
    let source = try bounds.open(path)
    let range = range ?? 0..<source.size
    guard range.upperBound <= source.size else {
      throw MediaError(
        .inputUnreadable, about: path,
        "ends at byte \(source.size), before the range that the playlist asks for; "
          + "give a complete copy")
    }
    guard Int64(range.count) <= limit else { throw ResourceLoader.tooLong(path, limit) }
    var position = range.lowerBound
    while position < range.upperBound {
      guard !isCancelled() else { throw ResourceLoader.stopped(path) }
      let got = try scratch.withUnsafeMutableBytes { room in
        let count = Int(min(Int64(room.count), range.upperBound - position))
        guard let base = room.baseAddress else { return 0 }
        let got = source.read(into: base, count: count, at: position)
        if got > 0 { try file.append(UnsafeRawBufferPointer(rebasing: room[..<got])) }
        return got
      }
      guard got > 0 else {
        throw MediaError(
          .inputUnreadable, about: path, "reading failed at byte \(position); check the disk")
      }
      position += Int64(got)
    }
  }

  private func fetch(_ wanted: Transfer, to file: TemporaryFile) throws -> Arrival {
    let web = wanted.address
    guard !bounds.isOffline else {
      throw MediaError(
        .inputUnreadable, about: web.publicText,
        "isn't fetched under \(setting: .isOffline); leave it out or give a local file"
      )
    }
    guard Sandbox.current?.usesNetwork != false else {
      throw MediaError(
        .inputUnreadable, about: web.publicText,
        "isn't fetched, because the sandbox has no network unless an input is a web address; give a local file"
      )
    }
    let start = file.size
    var transfer = wanted
    var pause = policy.firstPause
    for attempt in 1... {
      do {
        return try receive(&transfer, to: file)
      } catch var failure as RemoteFailure {
        // The server can't send the rest alone. The whole was wanted, so the next try begins at byte 0.
        if failure.cause == .noRanges, transfer.range == nil, transfer.received > 0 {
          transfer.isResumable = false
          failure = .short(transfer.received, of: transfer.identity?.size ?? 0)
        }
        guard failure.isTransient, attempt < policy.tries else {
          throw failure.error(web, transfer.range)
        }
        if !transfer.isResumable {
          try file.truncate(to: start)
          transfer.received = 0
        }
        try wait(pause, web)
        pause *= 2
      }
    }
    throw MediaError(.internal, about: web.publicText, "no try was made")
  }

  /// One request for what is still missing.
  private func receive(_ transfer: inout Transfer, to file: TemporaryFile) throws -> Arrival {
    // libcurl's failure wouldn't say that the file is missing.
    if let file = bounds.authorities { _ = try LocalFile(path: file) }
    let resource = try WebResource(
      transfer.address, range: transfer.missing, from: transfer.origin, session: session)
    try identify(resource, &transfer)
    let end = transfer.identity?.size
    try admit(transfer.range == nil ? (end ?? 0) - transfer.received : 0, transfer)
    var beginning: [UInt8] = []
    // A server may send more than was asked for.
    while transfer.left > 0 {
      let got = try scratch.withUnsafeMutableBytes { room throws in
        let count = Int(min(Int64(room.count), transfer.left))
        let got = try resource.read(into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
        try file.append(UnsafeRawBufferPointer(rebasing: room[..<got]))
        return got
      }
      // The first bytes may come one by one.
      let head = PlaylistLine.headLength
      if beginning.count < head, transfer.range == nil {
        beginning += scratch.prefix(min(got, head - beginning.count))
      }
      if transfer.limit > Int64(PlaylistLine.limit), beginning.count == head || got == 0,
        PlaylistLine.beginsPlaylist(beginning)
      {
        transfer.limit = Int64(PlaylistLine.limit)
        try admit((end ?? 0) - transfer.received, transfer)
      }
      transfer.received += Int64(got)
      downloaded += Int64(got)
      try admit(0, transfer)
      if got == 0 { break }
    }
    let part = resource.partEnd.map { $0 - (transfer.range?.lowerBound ?? 0) }
    if let part, transfer.received < min(part, transfer.expected(of: end) ?? part) {
      throw RemoteFailure.short(transfer.received, of: part)
    }
    if let wanted = transfer.expected(of: end), transfer.received != wanted {
      throw RemoteFailure.short(transfer.received, of: wanted)
    }
    if transfer.range == nil, resource.missing > 0 {
      throw RemoteFailure.short(transfer.received, of: transfer.received + resource.missing)
    }
    return Arrival(
      mediaType: resource.mediaType, address: .web(resource.location),
      isSizeKnown: transfer.expected(of: end) != nil)
  }

  /// Compares what an answer says about its content with earlier answers for the same URL, so that the parts of two
  /// contents are never put together.
  private func identify(_ resource: WebResource, _ transfer: inout Transfer) throws {
    let identity = ContentIdentity(size: resource.size, validators: resource.validators)
    let before = transfer.received > 0 ? transfer.identity : contents[transfer.address]
    guard before.map({ !$0.differs(from: identity) }) ?? true else {
      throw MediaError(
        .unavailable, about: transfer.address.publicText,
        "changed on the server while it was fetched; try again")
    }
    let known = before?.adding(identity) ?? identity
    transfer.identity = known
    if transfer.range != nil { contents[transfer.address] = known }
  }

  /// Refuses a transfer that has become too long, or will when `more` bytes come.
  private func admit(_ more: Int64, _ transfer: Transfer) throws {
    let name = transfer.address.publicText
    guard transfer.received + more <= transfer.limit else {
      throw ResourceLoader.tooLong(name, transfer.limit)
    }
    guard downloaded + more <= bounds.downloadLimit else {
      throw MediaError(
        .inputUnreadable, about: name,
        "makes the input more than \(bounds.downloadLimit) bytes; raise \(setting: .downloadLimit) if that is right"
      )
    }
  }

  /// Pauses before the next try, in steps of 50 ms so that a cancelled job stops soon.
  private func wait(_ seconds: Double, _ web: WebAddress) throws {
    var left = seconds
    while left > 0 {
      guard !isCancelled() else { throw ResourceLoader.stopped(web.publicText) }
      usleep(UInt32(min(left, 0.05) * 1e6))
      left -= 0.05
    }
  }

  private static func stopped(_ name: String) -> MediaError {
    MediaError(.interrupted, about: name, "stopped before it was done")
  }

  private static func tooLong(_ name: String, _ limit: Int64) -> MediaError {
    MediaError(
      .inputUnreadable, about: name, "is longer than \(limit) bytes, so it isn't what it seems")
  }
}

/// The progress of a fetch over http, over all of its tries.
struct Transfer {
  let address: WebAddress
  /// The bytes wanted; `nil` for everything.
  let range: Range<Int64>?
  /// The most that is taken.
  var limit: Int64
  /// Origin of the address.
  let origin: HostPolicy.Origin
  /// The content, as the first answer says.
  var identity: ContentIdentity?
  /// Bytes received so far, over all tries.
  var received: Int64 = 0
  /// Whether the server may be asked for the rest alone.
  var isResumable = true

  /// Bytes of the range still to come.
  var left: Int64 { range.map { Int64($0.count) - received } ?? .max }

  /// Bytes that the next request asks for; the end is `Int64.max` for all the rest.
  var missing: Range<Int64> {
    let start = (range?.lowerBound ?? 0) + received
    return start..<max(start, range?.upperBound ?? .max)
  }

  /// Bytes that have to arrive in all from a resource of `size` bytes; `nil` when neither a range nor the
  /// server states a length.
  func expected(of size: Int64?) -> Int64? { range.map { Int64($0.count) } ?? size }
}

/// The marks that distinguish one content of a URL from another.
struct ContentIdentity {
  /// Bytes of the whole resource; `nil` when the server doesn't state it.
  let size: Int64?
  /// Validators of the server that distinguish contents; empty texts for what it leaves out.
  let validators: [String]

  /// Identity stated by this and `later`, of the same content, together: an answer that leaves something out takes nothing back.
  func adding(_ later: ContentIdentity) -> ContentIdentity {
    ContentIdentity(
      size: size ?? later.size,
      validators: zip(validators, later.validators).map { $0.isEmpty ? $1 : $0 })
  }

  /// Whether `other` can't be the same content.
  func differs(from other: ContentIdentity) -> Bool {
    if let size, let later = other.size, size != later { return true }
    return zip(validators, other.validators).contains { before, now in
      !before.isEmpty && !now.isEmpty && before != now
    }
  }
}
