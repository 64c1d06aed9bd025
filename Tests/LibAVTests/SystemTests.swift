// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing

/// Platform's questions to the system.
@Suite struct SystemTests {
  private func output(
    _ program: String, _ words: [String], environment: [String]? = nil
  ) throws -> String {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let start = ProgramStart()
    start.pass(ends[1], as: STDOUT_FILENO)
    for end in ends { start.close(end) }
    let (pid, code) = start.start(program, words, environment: environment)
    close(ends[1])
    defer { close(ends[0]) }
    try #require(code == 0)
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var bytes: [UInt8] = []
    while true {
      let got = Descriptor.readSome(ends[0], into: &room)
      guard got > 0 else { break }
      bytes += room[..<got]
    }
    var status: Int32 = -1
    waitpid(pid, &status, 0)
    #expect(status == 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("a program starts by its name and by its path")
  func aProgramIsFoundByItsNameOrItsPath() throws {
    #expect(try output("echo", ["echo", "by name"]) == "by name\n")
    #expect(try output("/bin/echo", ["echo", "by path"]) == "by path\n")
  }

  @Test("a program that isn't there fails with ENOENT by name and by path")
  func aProgramThatIsNotThereIsRefused() {
    #expect(ProgramStart().start("no-such-program-of-pinna", ["x"]).code == ENOENT)
    #expect(ProgramStart().start("/no/such/program", ["x"]).code == ENOENT)
  }

  @Test("a program gets the environment given or this process's")
  func aProgramGetsTheEnvironmentThatIsGivenOrThisProcesss() throws {
    #expect(try output("/usr/bin/env", ["env"], environment: ["A=1", "B=2"]) == "A=1\nB=2\n")
    #expect(try output("/usr/bin/env", ["env"]).contains("PATH="))
  }

  @Test("a separate program has a process group of its own")
  func aSeparateProgramHasAGroupOfItsOwn() throws {
    let start = ProgramStart()
    start.separate()
    let (pid, code) = start.start("/bin/sleep", ["sleep", "60"])
    try #require(code == 0)
    #expect(getpgid(pid) == pid)
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  @Test("this process's memory is over 1 MiB and about its peak, and that of no process is 0")
  func theMemoryOfAProcessIsKnownAsLongAsItRuns() {
    let resident = ProcessMemory.resident(getpid())
    #expect(resident > 1 << 20)
    #expect(resident <= ProcessMemory.ownPeak + 64 << 20)
    #expect(ProcessMemory.resident(-1) == 0)
  }

  @Test("the own program's path is executable")
  func theOwnProgramCanBeStarted() { #expect(access(OwnProgram.path, X_OK) == 0) }

  @Test("a signal counts as ignored once it is set so")
  func onlyASignalThatIsIgnoredCountsAsIgnored() {
    #expect(!SignalState.isIgnored(SIGVTALRM))
    signal(SIGVTALRM, SIG_IGN)
    #expect(SignalState.isIgnored(SIGVTALRM))
    signal(SIGVTALRM, SIG_DFL)
  }

  @Test("a byte written to descriptor −1 gives EBADF, and none gives 0")
  func writingToAClosedDescriptorSaysWhy() {
    #expect(Descriptor.writeAll([1], to: -1) == EBADF)
    #expect(Descriptor.writeAll([], to: -1) == 0)
    #expect(Descriptor.writeAll([1], to: -1, at: 0) == EBADF)
  }

  @Test(
    "bytes lie in a file where they were written to, and those that follow stand behind what was read"
  )
  func bytesGoWhereTheyAreWrittenTo() throws {
    let descriptor = try TemporaryFile.makeDescriptor()
    defer { close(descriptor) }
    #expect(Descriptor.writeAll([1, 2, 3, 4], to: descriptor) == 0)
    #expect(Descriptor.writeAll([7, 8], to: descriptor, at: 1) == 0)
    var room = [UInt8](repeating: 0, count: 8)
    #expect(Descriptor.readAll(descriptor, into: &room, count: 8, at: 1) == 3)
    #expect(room[..<3] == [7, 8, 4])
    lseek(descriptor, 1, SEEK_SET)
    #expect(Descriptor.readAll(descriptor, into: &room, count: 1) == 1)
    var pieces: [[UInt8]] = []
    #expect(Descriptor.readToEnd(descriptor, size: 1) { pieces.append(Array($0)) } == 0)
    #expect(pieces == [[8], [4]])
    #expect(Descriptor.readToEnd(-1) { _ in } == EBADF)
  }

  @Test("a full device gives ENOSPC", .enabled(if: access("/dev/full", W_OK) == 0))
  func aFullDeviceIsADiskThatIsFull() {
    let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    #expect(Descriptor.writeAll([1, 2], to: descriptor) == ENOSPC)
    #expect(
      Descriptor.writeSome(UnsafeRawBufferPointer(start: nil, count: 0), to: -1) == -Int(EBADF))
  }
}
