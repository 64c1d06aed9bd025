// SPDX-License-Identifier: Apache-2.0
import CLilv
import Synchronization

/// Numbers for addresses; threads of plugins may ask, too.
final class URIDMap: Sendable {
  private struct State {
    var numbers: [String: UInt32] = [:]
    // Texts are handed out and must stay where they are.
    var kept: [UInt] = []
  }

  private let state = Mutex(State())

  /// The number of `uri`, from 1.
  func number(_ uri: String) -> UInt32 {
    state.withLock { state in
      if let known = state.numbers[uri] { return known }
      let text = Array(uri.utf8CString)
      let place = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
      place.initialize(from: text, count: text.count)
      state.kept.append(UInt(bitPattern: place))
      let number = UInt32(state.kept.count)
      state.numbers[uri] = number
      return number
    }
  }

  /// The address with `number`; `nil` where none has it.
  func text(_ number: UInt32) -> UnsafePointer<CChar>? {
    state.withLock { state in
      guard number > 0, number <= state.kept.count else { return nil }
      return UnsafePointer(bitPattern: state.kept[Int(number) - 1])
    }
  }

  deinit {
    state.withLock { state in
      for place in state.kept { UnsafeMutablePointer<CChar>(bitPattern: place)?.deallocate() }
    }
  }

  private var handle: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The map as plugins get it.
  var map: LV2_URID_Map {
    LV2_URID_Map(handle: handle) { handle, uri in
      guard let handle, let uri else { return 0 }
      return Unmanaged<URIDMap>.fromOpaque(handle).takeUnretainedValue()
        .number(String(cString: uri))
    }
  }

  /// The way back as plugins get it.
  var unmap: LV2_URID_Unmap {
    LV2_URID_Unmap(handle: handle) { handle, number in
      handle.flatMap { Unmanaged<URIDMap>.fromOpaque($0).takeUnretainedValue().text(number) }
    }
  }
}
