/// Families of processors whose extensions have names of their own.
package enum ProcessorFamily {
  case x86
  case arm
  case other

  /// The one that this program was built for.
  package static var own: ProcessorFamily {
    #if arch(x86_64) || arch(i386)
      .x86
    #elseif arch(arm64) || arch(arm)
      .arm
    #else
      .other
    #endif
  }
}
