// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// mutagen, an independent reader and writer of tags, in the virtual environment of `make setup-test`.
enum TagScript {
  /// Whether it is there; tests are skipped without it.
  static let isInstalled = TestPython.has("mutagen") && Tool.isInstalled("ffmpeg")
  /// The words of a skipped test.
  static let absence: Testing.Comment = "mutagen or ffmpeg isn't installed; run make setup-test"

  /// Gives the file at `path` the tags of `state`, one of those in the script.
  static func write(_ state: String, to path: String) throws {
    try run(["write", state, path])
  }

  /// All tags of the file by name, each value as text or as a digest.
  static func tags(of path: String) throws -> [String: [String]] {
    try JSONDecoder().decode([String: [String]].self, from: run(["read", "-", path]))
  }

  /// Tags on loudness alone.
  static func loudness(of path: String) throws -> [String: [String]] {
    try tags(of: path).filter { isLoudness($0.key) }
  }

  /// Whether a name, with what stands before it, is one on loudness.
  static func isLoudness(_ name: String) -> Bool {
    ["REPLAYGAIN_", "R128_", "RVA2"].contains { name.uppercased().contains($0) }
  }

  @discardableResult
  private static func run(_ words: [String]) throws -> Data {
    let result = try Tool.run(TestPython.path, ["-c", script] + words)
    guard result.status == 0 else { throw ToolFailure(text: "\(words): \(result.errors)") }
    return result.output
  }

  private static let script = #"""
    import base64, hashlib, json, struct, sys
    import mutagen
    from mutagen import aiff, apev2, flac, id3, mp3, mp4, wave

    what, state, path = sys.argv[1:]
    PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
    TEXTS = {"TITLE": ["A sine, ünïcode"], "ARTIST": ["One", "Two"], "CUSTOM FIELD": ["x=y"]}
    STALE = {"replaygain_track_gain": "+9.99 dB", "Replaygain_Track_Peak": "0.5", "replaygain_album_gain": "+1.00 dB",
             "REPLAYGAIN_REFERENCE_LOUDNESS": "89.0 dB", "replaygain_track_range": "7.00 dB"}

    def opened():
        with open(path, "rb") as file:
            head = file.read(12)
        if head[:4] in (b"MAC ", b"MPCK"):
            try:
                return apev2.APEv2(path)
            except apev2.APENoHeaderError:
                return apev2.APEv2()
        return mutagen.File(path)

    def picture():
        made = flac.Picture()
        made.type, made.mime, made.desc, made.data = 3, "image/png", "front", PNG
        made.width = made.height = 8
        return made

    def frames(tags, full, stale):
        encoding = 1 if state.endswith("3") else 3
        for name, values in TEXTS.items():
            known = {"TITLE": id3.TIT2, "ARTIST": id3.TPE1}.get(name)
            if known:
                tags.add(known(encoding=encoding, text=values))
            else:
                tags.add(id3.TXXX(encoding=encoding, desc=name, text=values))
        if full:
            tags.add(id3.APIC(encoding=0, mime="image/png", type=3, desc="front", data=PNG))
            tags.add(id3.PRIV(owner="a@b", data=bytes(range(256))))
            tags.add(id3.UFID(owner="http://x", data=b"\x00\xff\x01"))
            tags.add(id3.COMM(encoding=encoding, lang="deu", desc="d", text=["ein Satz"]))
            tags.add(id3.GEOB(encoding=0, mime="a/b", filename="f", desc="d", data=b"\xff\xe0" * 9))
            tags.add(id3.POPM(email="p@q", rating=196, count=7))
        if stale:
            for name, value in STALE.items():
                tags.add(id3.TXXX(encoding=encoding, desc=name, text=[value]))
            if not state.endswith("3"):
                tags.add(id3.RVA2(desc="track", channel=1, gain=-3.0, peak=0.5))

    def write():
        file = opened()
        stale, full = "stale" in state, "full" in state
        if isinstance(file, (mp3.MP3, wave.WAVE, aiff.AIFF)):
            if file.tags is None:
                file.add_tags()
            frames(file.tags, full, stale)
            version = 3 if state.endswith("3") else 4
            if version == 3:
                file.tags.update_to_v23()
            return file.save(v2_version=version, **({"v1": 0} if isinstance(file, mp3.MP3) else {}))
        if isinstance(file, mp4.MP4):
            file["\xa9nam"], file["\xa9ART"], file["trkn"] = TEXTS["TITLE"], TEXTS["ARTIST"], [(3, 9)]
            file["----:com.apple.iTunes:CUSTOM FIELD"] = b"x=y"
            if full:
                file["covr"] = [mp4.MP4Cover(PNG, mp4.MP4Cover.FORMAT_PNG)]
                file["----:org.other:BYTES"] = mp4.MP4FreeForm(b"\x00\x01", mp4.AtomDataType.IMPLICIT)
                file["cpil"], file["tmpo"] = True, [120]
            for name, value in STALE.items() if stale else ():
                file["----:com.apple.iTunes:" + name] = value.encode()
            return file.save()
        if isinstance(file, apev2.APEv2) or type(file).__name__ == "WavPack":
            for name, values in TEXTS.items():
                file[name] = values
            if full:
                file["Cover Art (Front)"] = apev2.APEValue(b"a.png\0" + PNG, apev2.BINARY)
            for name, value in STALE.items() if stale else ():
                file[name] = value
            return file.save(path)
        for name, values in TEXTS.items():
            file[name] = values
        if full:
            if isinstance(file, flac.FLAC):
                file.add_picture(picture())
                file.cuesheet = None
            else:
                file["METADATA_BLOCK_PICTURE"] = [base64.b64encode(picture().write()).decode()]
        for name, value in STALE.items() if stale else ():
            file[name] = [value]
        if stale and type(file).__name__ == "OggOpus":
            file["r128_track_gain"] = ["77"]
        file.save()

    def shown(value):
        if isinstance(value, bytes):
            return hashlib.sha1(value).hexdigest()
        return str(value)

    def read():
        file, result = opened(), {}
        tags = file if isinstance(file, apev2.APEv2) else file.tags
        for name, value in tags.items() if tags is not None else ():
            if isinstance(value, id3.Frame):
                texts = getattr(value, "text", None)
                result[name] = [str(text) for text in texts] if texts is not None else [hashlib.sha1(repr(value).encode()).hexdigest()]
            elif isinstance(value, apev2.APEBinaryValue):
                result[name] = [shown(value.value)]
            elif isinstance(value, apev2.APETextValue):
                result[name] = list(value)
            elif isinstance(value, (list, tuple)):
                result[name] = [shown(bytes(one)) if isinstance(one, bytes) and not name.startswith("----") else
                                one.decode("utf-8", "backslashreplace") if isinstance(one, bytes) else shown(one) for one in value]
            else:
                result[name] = [shown(value)]
        for one in getattr(file, "pictures", []):
            result["PICTURE"] = [hashlib.sha1(one.write()).hexdigest()]
        print(json.dumps(result))

    {"write": write, "read": read}[what]()
    """#
}
