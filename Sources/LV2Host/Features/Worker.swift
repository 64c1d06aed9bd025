import CLilv

/// The work that a plugin wants done outside its blocks. It is done at once, so that every run gives the same sound.
final class Worker {
  private var instance: UnsafeMutablePointer<LilvInstance>?
  private var interface: UnsafePointer<LV2_Worker_Interface>?
  /// Answers that the plugin gets behind the block.
  private var answers: [[UInt8]] = []

  /// Takes the plugin's side, once it has been made.
  func connect(_ instance: UnsafeMutablePointer<LilvInstance>) {
    self.instance = instance
    interface = lilv_instance_get_extension_data(instance, LV2URI.worker)?
      .assumingMemoryBound(to: LV2_Worker_Interface.self)
  }

  /// Hands the answers over that came in a block.
  func endBlock() {
    guard let instance, let interface else { return }
    while !answers.isEmpty {
      let waiting = answers
      answers.removeAll()
      for answer in waiting {
        answer.withUnsafeBytes { bytes in
          _ = interface.pointee.work_response?(
            instance.pointee.lv2_handle, UInt32(bytes.count), bytes.baseAddress)
        }
      }
    }
    _ = interface.pointee.end_run?(instance.pointee.lv2_handle)
  }

  /// It as plugins get it.
  var schedule: LV2_Worker_Schedule {
    LV2_Worker_Schedule(handle: Unmanaged.passUnretained(self).toOpaque()) { handle, size, data in
      guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
      return Unmanaged<Worker>.fromOpaque(handle).takeUnretainedValue().work(size, data)
    }
  }

  private func work(_ size: UInt32, _ data: UnsafeRawPointer?) -> LV2_Worker_Status {
    guard let instance, let interface, let work = interface.pointee.work else {
      return LV2_WORKER_ERR_UNKNOWN
    }
    // The plugin's data may lie where its own work writes.
    let copy = [UInt8](UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size)))
    return copy.withUnsafeBytes { bytes in
      work(
        instance.pointee.lv2_handle,
        { handle, size, data in
          guard let handle else { return LV2_WORKER_ERR_UNKNOWN }
          let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(size))
          Unmanaged<Worker>.fromOpaque(handle).takeUnretainedValue().answers.append([UInt8](bytes))
          return LV2_WORKER_SUCCESS
        }, Unmanaged.passUnretained(self).toOpaque(), UInt32(bytes.count), bytes.baseAddress)
    }
  }
}
