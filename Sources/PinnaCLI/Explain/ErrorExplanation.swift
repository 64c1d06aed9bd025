// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension MediaError.Kind {
  /// The exit code of a process that fails with an error of this kind.
  var exitCode: Int32 { MediaError(self, "").exitCode }

  /// Texts about the kind beside its sentence. They are true of each error of this kind.
  var texts: ExplainedTexts {
    switch self {
    case .internal:
      ExplainedTexts(
        "Pinna has a fault, or the system behaved in a way that was taken for impossible.",
        "No output was written; a file that had its name is as it was.",
        "Report it with the command line and the message. Another version may not have the fault.")
    case .usage:
      ExplainedTexts(
        "An option or its value is unknown, contradicts another one, or doesn't fit the input.",
        "Nothing was written.",
        "Follow the message; the command's `--help` lists its options.")
    case .inputMissing:
      ExplainedTexts(
        "No file has this path, no server has this address, or no set, golden or folder has this name.",
        "Nothing was written.",
        "Check the path or address, also relative to the current folder or the manifest's.")
    case .inputUnreadable:
      ExplainedTexts(
        "The file isn't media, its header makes no sense, permissions or `--input-root` forbid it, or a server refuses it.",
        "Nothing was written.",
        "Check the file with `pinna probe`, its permissions, and for addresses `--allow-hosts` and `--offline`."
      )
    case .encrypted:
      ExplainedTexts(
        "The sound is protected by a key that Pinna doesn't have, as purchased films and music often are.",
        "Nothing was written.",
        "Nothing here decrypts it, but for HLS with AES-128; give a decrypted copy.")
    case .noAudio:
      ExplainedTexts(
        "The file holds pictures or data only, or its track of sound holds no samples.",
        "Nothing was written.",
        "Give a file with sound; `pinna probe` lists the tracks.")
    case .damaged:
      ExplainedTexts(
        "Packets, frames or headers contradict the codec's rules, mostly because of a broken transfer or disk.",
        "No output was written; a file that had its name is as it was.",
        "Take an intact copy, or use `--on-damage conceal`, which fills damaged packets with silence and reports each place."
      )
    case .unsupportedCodec:
      ExplainedTexts(
        "Neither Pinna nor the installed libavcodec decodes this codec, or `-c:a copy` doesn't take it.",
        "Nothing was written.",
        "Choose another track with `--audio` or another presentation with `--presentation`, or convert the file before."
      )
    case .unsupportedFeature:
      ExplainedTexts(
        "The file or the command asks for a combination that Pinna, a codec or a format doesn't have.",
        "Nothing was written.",
        "Follow the message. Often another `-f`, `-c:a`, `--layout` or `--audio` helps.")
    case .layoutUnknown:
      ExplainedTexts(
        "The file has more than eight channels, or an unusual number, and doesn't say which they are.",
        "Nothing was written.",
        "State them with `--layout-in`. With `--endpoint none` and `--loudness off` into WAV they are kept as they are."
      )
    case .outputExists:
      ExplainedTexts(
        "A file has the output's name already, and nothing is replaced without being asked.",
        "The old file is as it was.",
        "Give another name with `--output`, or add `--overwrite`.")
    case .outputUnwritable:
      ExplainedTexts(
        "The folder is missing or protected, the name is the input's or another output's, or the receiver closed its pipe.",
        "No output was written; a file that had its name is as it was.",
        "Give another name or folder, and check permissions.")
    case .outputLimit:
      ExplainedTexts(
        "The output would be larger than `--max-output-size` or than one page can hold.",
        "No output was written; a file that had its name is as it was.",
        "Raise `--max-output-size`, or render a part with `--duration`. For a listening page use `--folder`."
      )
    case .verificationFailed:
      ExplainedTexts(
        "The file that was read back isn't the one that was meant, or a comparison, golden or condition found a difference.",
        "No output was kept; a file that had its name is as it was.",
        "Follow the message. If a disk is at fault, try another one; else report it with the command line."
      )
    case .targetNotMet:
      ExplainedTexts(
        "With `--peak-policy fail` or a pinned gain, the loudness target and the true peak's ceiling can't both be met.",
        "No output was written; a file that had its name is as it was.",
        "Use a lower `--loudness`, or another `--peak-policy`.")
    case .degraded:
      ExplainedTexts(
        "`--strict` was given, and something is worse than it could be, or doubtful.",
        "No output was kept; a file that had its name is as it was. The report has all degradations.",
        "Remove the cause that the degradation's own code explains, or allow its class: `--strict damage` refuses damage only."
      )
    case .tapFailed:
      ExplainedTexts(
        "In a program that uses the library, a tap of its own threw an error.",
        "No output was written; a file that had its name is as it was.",
        "The error is the cause that is stated; correct the tap, or use `--on-tap-failure bypass` to continue without it."
      )
    case .diskFull:
      ExplainedTexts(
        "The output's or the temporary folder has no space left, or a quota or limit of size is reached.",
        "No output was written; a file that had its name is as it was.",
        "Free some space and run it again, or set TMPDIR to a folder on another disk.")
    case .outOfResources:
      ExplainedTexts(
        "The system has no memory, file handles or processes left for Pinna.",
        "No output was written; a file that had its name is as it was.",
        "Close other programs and run it again, or lower `-j`.")
    case .unavailable:
      ExplainedTexts(
        "A server is overloaded, slow, or changed the file while it was fetched. Several tries were made.",
        "No output was written; a file that had its name is as it was.",
        "Try again later. For a slow server raise `--network-timeout`, or download the file and give its path."
      )
    case .busy:
      ExplainedTexts(
        "Another run works in the same folder of outputs, or a file was changed while it got its tags.",
        "Nothing was written by this run.",
        "Wait for the other run to end, or give another folder.")
    case .interrupted:
      ExplainedTexts(
        "A signal, as Ctrl-C sends one, or a program that uses the library asked the run to stop.",
        "No output was written; a file that had its name is as it was. A batch keeps what it had finished.",
        "Run the same command again; a batch goes on where it was.")
    }
  }
}
