#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the seeds of targets that read text into Seeds, and words for libFuzzer into Dictionaries.

Nothing of anybody's programme is in them.
"""

import json
import pathlib

HERE = pathlib.Path(__file__).parent


def write(target, seeds):
    folder = HERE / "Seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds.items():
        data = content if isinstance(content, bytes) else content.encode()
        (folder / name).write_bytes(data)


def dictionary(target, words):
    folder = HERE / "Dictionaries"
    folder.mkdir(exist_ok=True)
    lines = []
    for word in words:
        escaped = "".join(
            chr(byte) if 0x20 <= byte < 0x7F and byte not in (0x22, 0x5C) else f"\\x{byte:02X}"
            for byte in word.encode())
        lines.append(f'"{escaped}"\n')
    (folder / f"{target}.dict").write_text("".join(lines))


def lists():
    write("CUE", {
        "album.cue": 'REM GENRE Jazz\nREM DATE 2001\nCATALOG 1234567890123\nPERFORMER "A"\nTITLE "B"\nFILE "a.wav" WAVE\n'
                     '  TRACK 01 AUDIO\n    TITLE "One"\n    ISRC ABCDE1234567\n    FLAGS PRE DCP\n    INDEX 00 00:00:00\n'
                     '    INDEX 01 00:02:00\n  TRACK 02 AUDIO\n    PERFORMER "C"\n    PREGAP 00:01:00\n'
                     '    INDEX 01 03:00:74\n    INDEX 02 03:10:00\n    POSTGAP 00:00:10\n',
        "files.cue": '\ufeffFILE "a b.flac" WAVE\r\n TRACK 01 AUDIO\r\n  INDEX 01 00:00:00\r\nFILE c.mp3 MP3\r\n'
                     ' TRACK 02 AUDIO\r\n  INDEX 00 00:00:00\r\n  INDEX 01 00:05:00\r\n',
        "western.cue": b'TITLE "Caf\xe9"\nFILE "d/x.wav" WAVE\nTRACK 01 AUDIO\nINDEX 01 10:00:00\n',
    })
    dictionary("CUE", [
        "FILE ", "TRACK ", "INDEX 00 ", "INDEX 01 ", "PREGAP ", "POSTGAP ", "TITLE ", "PERFORMER ", "SONGWRITER ",
        "REM GENRE ", "REM DATE ", "REM COMMENT ", "REM DISCNUMBER ", "CATALOG ", "ISRC ", "FLAGS ", " AUDIO",
        " MODE1/2352", " WAVE", " MP3", " BINARY", " AIFF", "CDTEXTFILE ", "99:59:74", "00:00:00", '"', "\r\n",
        "\ufeff", ".."])
    write("M3U", {
        "extended.m3u": "#EXTM3U\n#PLAYLIST:P\n#EXTALB:Album\n#EXTART:Artist\n#EXTINF:123,Artist - Title\na.flac\n"
                        "#EXTVLCOPT:start-time=1.5\n#EXTVLCOPT:stop-time=20\nd/b%20c.wav\nfile:///nowhere/x.wav\n",
        "plain.m3u": "a.wav\r\nb.wav\r\n# remark\r\nc\\d.wav\r\n",
        "refused.m3u": "#EXTM3U\n../a.wav\nhttp://example.org/a.mp3\nC:\\x.wav\nb.m3u\n",
        "unicode.m3u": "#EXTM3U\n#EXTINF:-1 tvg-id=\"x\",\u00e9\u0301\n\u00fc/\u65e5.flac\n",
    })
    dictionary("M3U", [
        "#EXTM3U", "#EXTINF:", "#PLAYLIST:", "#EXTALB:", "#EXTART:", "#EXTVLCOPT:start-time=", "#EXTVLCOPT:stop-time=",
        "#EXTGENRE:", "#EXT-X-TARGETDURATION:", "file:///", "file://localhost/", "http://", "%2F", "%2e%2e", "../", ".m3u",
        "\r\n", "\ufeff", "\u0301"])
    track = "<track><location>{}</location><title>T</title><creator>C</creator><album>A</album><trackNum>2</trackNum></track>"
    xspf = ('<?xml version="1.0" encoding="UTF-8"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><title>P</title>'
            '<creator>X</creator><annotation>Y</annotation><trackList>{}</trackList></playlist>')
    write("XSPF", {
        "tracks.xspf": xspf.format(track.format("a.wav") + track.format("d/b%20c.flac") + track.format("file:///nowhere/x.wav")),
        "references.xspf": xspf.format(track.format("&#97;&amp;b.wav") + "<!-- c --><track><location><![CDATA[c.wav]]></location>"
                                       "<extension application='x'><y>1</y></extension></track>"),
        "base.xspf": xspf.replace("<playlist ", "<playlist xml:base='http://example.org/' ").format(track.format("a.wav")),
        "refused.xspf": "<!DOCTYPE playlist [<!ENTITY a 'b'>]>" + xspf.format(""),
    })
    dictionary("XSPF", [
        "<playlist", "</playlist>", "<trackList>", "</trackList>", "<track>", "</track>", "<location>", "</location>",
        "<title>", "</title>", "<creator>", "<album>", "<trackNum>", "<extension", "<![CDATA[", "]]>", "<!--", "-->",
        "xml:base=", "xmlns=", "http://xspf.org/ns/0/", "&#x41;", "&amp;", "<!DOCTYPE", "<?xml", "?>", "%2F", "%2e%2e",
        "file:///"])
    write("PLS", {
        "two.pls": "[playlist]\nFile1=a.wav\nTitle1=One\nLength1=12\nFile2=d\\b.wav\nLength2=-1\nNumberOfEntries=2\nVersion=2\n",
        "odd.pls": "[Playlist]\r\nfile10=b.wav\r\nFILE2=file:///nowhere/c.wav\r\nNumberOfEntries=9\r\nX=1\r\n",
        "twice.pls": "[playlist]\nFile1=a\nFile1=b\n",
    })
    dictionary("PLS", [
        "[playlist]", "File1=", "File2=", "Title1=", "Length1=", "NumberOfEntries=", "Version=2", "http://", "file:///",
        "..", "9223372036854775807", "\r\n"])


def otio():
    def time(value, rate=48000.0):
        return {"OTIO_SCHEMA": "RationalTime.1", "value": value, "rate": rate}

    def span(start, length, rate=48000.0):
        return {"OTIO_SCHEMA": "TimeRange.1", "start_time": time(start, rate), "duration": time(length, rate)}

    def clip(name, start, length, **more):
        return {"OTIO_SCHEMA": "Clip.2", "name": name, "source_range": span(start, length), "effects": [], "markers": [],
                "media_references": {"DEFAULT_MEDIA": {
                    "OTIO_SCHEMA": "ExternalReference.1", "target_url": name + ".wav",
                    "available_range": span(0, 480000)}},
                "active_media_reference_key": "DEFAULT_MEDIA", **more}

    def timeline(children):
        return {"OTIO_SCHEMA": "Timeline.1", "name": "T", "global_start_time": None,
                "tracks": {"OTIO_SCHEMA": "Stack.1", "children": [
                    {"OTIO_SCHEMA": "Track.1", "kind": "Audio", "name": "A", "children": children}]}}

    marker = {"OTIO_SCHEMA": "Marker.2", "name": "M", "marked_range": span(100, 0), "color": "RED"}
    fade = {"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve", "in_offset": time(2400),
            "out_offset": time(2400)}
    write("OTIO", {
        "clips.otio": json.dumps(timeline([clip("a", 0, 48000), clip("b", 4800, 48000, markers=[marker])])),
        "fade.otio": json.dumps(timeline([clip("a", 4800, 48000), fade, clip("b", 4800, 48000)])),
        "gap.otio": json.dumps(timeline([{"OTIO_SCHEMA": "Gap.1", "source_range": span(0, 24, 24.0)}, clip("a", 0, 9)])),
        "effects.otio": json.dumps(timeline([clip("a", 0, 48000, effects=[
            {"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": 2.0}, {"OTIO_SCHEMA": "FreezeFrame.1"}])])),
        "words.otio": '{"OTIO_SCHEMA": "Timeline.1", "x": [NaN, -Infinity, 1e400, "\\ud83d\\ude00\\u0041"], "tracks": null}',
    })
    dictionary("OTIO", [
        '"OTIO_SCHEMA": ', '"Timeline.1"', '"Stack.1"', '"Track.1"', '"Clip.2"', '"Clip.1"', '"Gap.1"', '"Transition.1"',
        '"RationalTime.1"', '"TimeRange.1"', '"ExternalReference.1"', '"MissingReference.1"', '"Marker.2"', '"Effect.1"',
        '"LinearTimeWarp.1"', '"children": [', '"source_range": ', '"available_range": ', '"start_time": ', '"duration": ',
        '"value": ', '"rate": ', '"in_offset": ', '"out_offset": ', '"target_url": ', '"media_reference": ', '"kind": ',
        '"enabled": false', "NaN", "Infinity", "1e308", "23.976023976023978", "29.97", "\\ud83d"])


def queue():
    write("Queue", {
        "items.yaml": "schema: pinna.queue/1\nrate: 48000\nlayout: stereo\ncrossfade: 0.5s\ncurve: equal-power\n"
                      "loudness: item\ngain: -2 dB\nchapters: keep\ntags: {album: A, artist: B}\nitems:\n"
                      "  - file: a.wav\n    track: 1\n    start: 1.5s\n    end: 48000S\n    gain: -1.5\n    title: One\n"
                      "    tags: {isrc: X, track: '3'}\n    tap: ['item:eq=eq.txt', 'item:fir=room.wav']\n"
                      "  - silence: 2s\n    gap: 0.25s\n  - file: b.wav\n    crossfade: {samples: 4800, rate: 48000}\n"
                      "    markers:\n      - {at: 1s, title: M}\n",
        "fades.yaml": "schema: pinna.queue/1\nitems:\n- {file: a.wav, fade-in: 1s, fade-in-curve: linear, fade-out: 00:01.5}\n"
                      "- {file: a.wav, start: 2s, part: true}\n- {file: 'it''s # no comment.wav', loudness: -16}\n",
        "queue.json": '{"schema": "pinna.queue/1", "gap": "1s", "items": [{"file": "\\u00e9.wav"}, {"silence": "96000S"}]}',
        "wrong.yaml": "schema: pinna.queue/2\nitems: []\nx: &a [1]\ny: *a\n",
    })
    dictionary("Queue", [
        "schema: pinna.queue/1\n", "items:\n", "- file: ", "- silence: ", "crossfade: ", "curve: ", "gap: ", "loudness: ",
        "gain: ", "chapters: ", "tags: ", "title: ", "tap: ", "start: ", "end: ", "track: ", "part: true", "fade-in: ",
        "fade-out: ", "fade-in-curve: ", "markers: ", "{samples: 1, rate: 48000}", "48000S", "0.000000001s", "rate: ",
        "layout: 5.1", "equal-power", "linear", "\\u0301", "&a ", "*a"])


def settings():
    write("Settings", {
        "plain.yaml": "a: 1\nb: [x, 'y', \"z\\n\"]\nc: {d: ~, e: null}\nf: |\n  text\n  more\n# remark\n",
        "aliases.yaml": "a: &a [1, 2]\nb: [*a, *a]\n<<: {c: d}\n",
        "tags.yaml": "!!map {? !!str a : !!int 1}\n--- \n...\n%YAML 1.1\n",
        "deep.yaml": "[" * 200 + "]" * 200,
        "escapes.json": '{"a": [1, 2.5, true, null, "\\/\\u00e9"], "b": {"c": 1e3}}',
    })
    dictionary("Settings", ["&a ", "*a", "!!str ", "!!binary ", "<<: ", "? ", "---\n", "...\n", "%YAML 1.1\n", "|\n ",
                            ">-\n ", "\\/", "\\u0000", "[[", "{{", "\u2028", "\ufeff"])
    write("Preset", {
        "own.yaml": "summary: My own\nreference: EBU R 128\nextends: podcast\nloudness: -16\ntrue-peak: -1\n",
        "taps.yaml": "summary: \"quo\\\"ted \\u00e9\"\ntap: ['item:eq=a.txt', post:fir=b.wav]\nloudness: off\n",
        "wrong.yaml": "loudness: [1]\nunknown: 2\n",
    })
    write("Manifest", {
        "jobs.yaml": "schema: pinna.manifest/1\nextends: podcast\ndefaults:\n  loudness: -16\n  name: '{dir}/{stem}.{ext}'\n"
                     "jobs:\n- input: a.wav\n  id: one\n  album: A\n  expect: golden/a\n  outputs:\n"
                     "  - {endpoint: headphones, name: '{id}-{n}.{ext}'}\n  - format: flac\n- input: '*.mkv'\n  tap: [item:eq=x.txt]\n",
        "jobs.json": '{"schema": "pinna.manifest/1", "jobs": [{"input": "https://example.org/a.m3u8", "loudness": -23}]}',
        "wrong.yaml": "schema: pinna.manifest/1\nextends: manifest.yaml\njobs:\n- {input: '', id: ../x, name: '{', outputs: []}\n- 1\n",
    })
    words = ["schema: pinna.manifest/1\n", "extends: ", "defaults:\n", "jobs:\n", "- input: ", "outputs:\n", "name: ", "id: ",
             "album: ", "expect: ", "endpoint: ", "format: ", "loudness: ", "true-peak: ", "tap: ", "{dir}", "{stem}", "{ext}",
             "{endpoint}", "{id}", "{n}", "manifest.yaml", "true", "false", "\\0", "\\u2028"]
    dictionary("Manifest", words)
    dictionary("Preset", ["summary: ", "reference: ", "extends: ", "loudness: ", "true-peak: ", "tap: ", "endpoint: ",
                          "bits: ", "rate: ", "off", "null", "~", "\\u0301", "\\e", "|\n "])
    write("Speakers", {
        "text.txt": "L=30,R=-30,C=0,TFL=45/30", "surround.txt": " ls = 110 , RS=-110/0,bl=360",
        "file.yaml": "L: 30\nR: -30\nTFL: [45, 35]\n", "wrong.txt": "LFE=0,L=nan,L=1e400/91,=,",
    })
    dictionary("Speakers", ["L=", "R=", "C=", "LS=", "RS=", "LB=", "RB=", "TFL=", "TFR=", "LFE=", "-180", "180.0000001",
                            "nan", "inf", "0x1p3", ": [45, 35]\n"])
    write("Taps", {
        "filters.txt": "afftdn=nr=12:nf=-40,deesser,rubberband=tempo=1.5", "eq.txt": "item:eq=headphones.txt",
        "avfilter.txt": "post:avfilter=highpass=f=30,volume=volume=min(1,2):eval=frame",
        "fir.txt": "programme:fir=room.wav,gain=-3,latency=10", "lv2.txt": "post:lv2=urn:x,preset=p,gain=1,channels=mix",
    })
    dictionary("Taps", ["item:", "programme:", "post:", "eq=", "fir=", "avfilter=", "lv2=", "preset=", "channels=", "state=",
                        "rubberband=tempo=", "(", ")", ":", ",", "=", "0x1p-2", "\u0301"])
    write("HeadTrajectory", {
        "path.csv": "time,yaw,pitch,roll\n0,0,0,0\n1.5,30,0,-10 # remark\n\n3,-170,45,0\n4,170,-90,360\n",
        "wrong.csv": "\ufeff-1e6,0,0,0\r\n-1e6,1,1,1\n", "one.csv": "0.000000001,360,90,360",
    })
    dictionary("HeadTrajectory", ["time,yaw,pitch,roll\n", "1e6", "-1e6", "nan", "inf", "0x1p3", "360", "-90", "#", "\r\n",
                                  "\u2028", "\ufeff"])
    write("Words", {
        "time.txt": "01:02:03.500", "samples.txt": "48000S", "seconds.txt": "12.5s", "long.txt": "999999:999999:999999999.999999999",
        "statistics.txt": "01:23:45.678901234", "shard.txt": "3/8", "languages.txt": "en-GB,deu,fre", "layout.txt": "5.1(side)",
        "template.txt": "{dir}/{stem}-{n}.{ext}", "paths.txt": "a.wav\nb.wav\r\n", "zeros.txt": "a\0b\0",
    })
    dictionary("Words", [":", ".", "S", "s", "/", "{dir}", "{stem}", "{ext}", "7.1.4", "stereo", "9223372036854775807", "\u0663",
                         "\u0301"])


def streams():
    media = ("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-MAP:URI=\"init.mp4\",BYTERANGE=\"100@0\"\n"
             "#EXTINF:3.989333,title\n#EXT-X-BYTERANGE:1000@100\na.m4s\n#EXTINF:4,\n#EXT-X-BYTERANGE:1000\na.m4s\n"
             "#EXT-X-DISCONTINUITY\n#EXT-X-KEY:METHOD=AES-128,URI=\"k/key.bin\",IV=0x0102\n#EXTINF:2.5,\nsub/b%20c.ts?x=1#y\n"
             "#EXT-X-KEY:METHOD=NONE\n#EXT-X-GAP\n#EXTINF:1,\nc.ts\n#EXT-X-ENDLIST\n")
    multivariant = ("#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,"
                    "CHANNELS=\"2\",URI=\"en.m3u8\"\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",LANGUAGE=\"de\",URI=\"de.m3u8\"\n"
                    "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"E\",URI=\"s.m3u8\"\n"
                    "#EXT-X-STREAM-INF:BANDWIDTH=1280000,CODECS=\"avc1.640028,mp4a.40.2\",RESOLUTION=1920x1080,AUDIO=\"a\",SUBTITLES=\"s\"\n"
                    "low.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=96000,CODECS=\"mp4a.40.2\"\nhttps://u:p@example.org/audio.m3u8\n")
    write("HLS", {"media.m3u8": media, "multivariant.m3u8": multivariant,
                  "refused.m3u8": "#EXTM3U\n#EXT-X-DEFINE:NAME=\"x\"\n#EXTINF:1e9,\n../../etc/passwd\n#EXTINF:31536000,\n//host/%2e%2e/x\n",
                  "live.m3u8": "#EXTM3U\r\n#EXTINF:0.0000000001,\r\nfile:///etc/passwd\r\n#EXTINF:1,\r\na%2F..%2F..%2Fb.ts\r\n"})
    dictionary("HLS", [
        "#EXTM3U", "#EXTINF:", "#EXT-X-BYTERANGE:", "#EXT-X-MEDIA-SEQUENCE:", "#EXT-X-KEY:", "#EXT-X-MAP:", "#EXT-X-DISCONTINUITY",
        "#EXT-X-GAP", "#EXT-X-ENDLIST", "#EXT-X-DEFINE:", "#EXT-X-SKIP:", "#EXT-X-STREAM-INF:", "#EXT-X-MEDIA:", "METHOD=AES-128",
        "METHOD=NONE", "METHOD=SAMPLE-AES", "URI=", "IV=0x", "KEYFORMAT=", "BYTERANGE=", "BANDWIDTH=", "CODECS=", "AUDIO=",
        "SUBTITLES=", "TYPE=AUDIO", "GROUP-ID=", "LANGUAGE=", "CHANNELS=", "DEFAULT=YES", "AUTOSELECT=YES", "999999999999999999",
        "https://", "file:", "//", "../", "%2e%2e%2f", "@", "\u0301", "\r\n"])
    write("Address", {
        "simple.txt": "https://example.org/a/b.m3u8?x=1#y\n../c.ts?z", "credentials.txt": "http://user:pa@ss@host:8080/\n//other/x",
        "odd.txt": "HTTP://[::1]:80?q\n?r#s", "unicode.txt": "https://example.org/\u00e9 \"<>\n/./a/../..//b",
    })
    dictionary("Address", ["http://", "https://", "@", ":", "//", "/../", "/./", "?", "#", "%00", "%2F", "\n", "\\", "[::1]", "\u0301"])
    write("HTTP", {
        "length.txt": "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 206 x\r\nContent-Range: bytes 5-9/20\r\nContent-Length: 5\r\n\r\n",
        "chunks.txt": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: Audio/X; a=b\r\n\r\nA: b\r\n\r\n",
        "close.txt": "HTTP/2 200 \nETag: \"1\"\nLast-Modified: x\n\n",
    })
    dictionary("HTTP", ["HTTP/1.1 ", "HTTP/2 ", "\r\n\r\n", "Content-Length: ", "Content-Range: bytes ", "Transfer-Encoding: chunked",
                        "Content-Type: ", "ETag: ", "/*", "-1", "99999999999999999999"])
    write("Subtitles", {
        "ass.bin": b"\x00\x01\x10{\\i1}Two\\Nlines{\\i0}\n\x05\x20{\\p1}m 0 0 l 1 1{\\p0}text\\h\\n\n\x01-open {unclosed",
        "subrip.bin": b"\x01\x01\x10<i>a</i> --> b\\Nc\n\x05\x20\\N\\N  \n\x00\x00x & < > y",
        "timed.bin": b"\x02\x10-first\n\x20-second\n\x20-\n\x01-third",
        "arrow.bin": b"\x00\x10-a --> b --\xc3\xa9>\xcc\x81 --\x3e\xcc\x81\n",
        "file.bin": b"\x03WEBVTT - x\r\nKind: captions\r\n\r\nSTYLE\r\n::cue { color: red; }\r\n\r\nNOTE x\r\n\r\n1\r\n00:01.000 --> 00:02.000 "
                    b"line:0\r\n<v Bob>a&nbsp;&#x27;b</v>\r\n100:00:02.000-->100:00:03.000\nb",
        "closed.bin": b"\x07\x10\x10\xe2\x80\xa8 \xcc\x81{\xcc\x81}\r\n\x10\x10\\",
    })
    dictionary("Subtitles", ["{\\p1}", "{\\p0}", "{\\i1}", "\\N", "\\n", "\\h", "{", "}", "-->", "&lt;", "<i>", "\r\n", "\r", "\u0301",
                             "\u2028", "\u0085", "\n", "WEBVTT\n\n", "00:01.000 --> 00:02.000\n", "STYLE\n", "NOTE", "&#x", "&nbsp;"])


def masters():
    root = ("version: 0.5.1\npresentations:\n  - type: home\n    simplified: false\n    metadata: x.atmos.metadata\n    audio: x.atmos.audio\n"
            "    offset: 3598.0\n    ffoa: 3600\n    fps: 29.97df\n    scBedConfiguration: [3]\n    creationTool: seed\n    warpMode: normal\n"
            "    trimMode: {}\n    bedInstances:\n      - channels:\n          - channel: L\n            ID: 0\n          - channel: LFE\n"
            "            ID: 3\n    objects:\n      - ID: 10\n        description: \"a: b\"\n")
    events = ("sampleRate: 48000\nevents:\n  - ID: 0\n    samplePos: 0\n    active: true\n    gain: -inf\n  - ID: 10\n    pos: [0, 0.8, 0]\n"
              "    snap: false\n    elevation: true\n    zones: no back\n    size: 0,5\n    decorr: 0\n    importance: 1\n    rampLength: 1536\n"
              "    headTrackMode: undefined\n    binauralRenderMode: off\n  - samplePos: 480\n    pos: [0.5, 0.5, 1]\n    rampLength: 0\n"
              "    rampLength: 32\n  - samplePos: 490\n    size3D: [0, 0.5, 1]\n    active: false\n  - samplePos: 100\n    pos: [-2001, 2001, 0]\n")
    flat = ("version: 0.3\npresentations:\n- audio: x.caf\n  channels:\n  - {name: a, bed: Lss, ID: 0}\n  - {name: b, ID: 1}\n")
    head = (b"caff\0\1\0\0desc\0\0\0\0\0\0\0\x20\x40\xe7\x70\0\0\0\0\0lpcm\0\0\0\2\0\0\0\x09\0\0\0\1\0\0\0\3\0\0\0\x18"
            b"free\0\0\0\0\0\0\0\4abcd")
    write("DAMF", {
        "set.txt": root + "\0" + events, "flat.txt": flat + "\0sampleRate: 44100\nevents:\n- objectID: 1\n  pos: [1, 0, 0]\n",
        "alias.txt": "a: &a [x]\nb: [*a, *a]\n", "stated.caf": head + b"data\0\0\0\0\0\0\0\x0d\0\0\0\0123456789",
        "open.caf": head + b"data" + b"\xff" * 8 + b"\0\0\0\0123456789",
    })
    dictionary("DAMF", ["ID: ", "samplePos: ", "rampLength: ", "pos: [", "gain: -inf", "active: false", "zones: ", "size3D: ", "binauralRenderMode: ",
                        "9007199254740993", "1e999", ".nan", "-0", "0x1p3", "&a ", "*a", "!!int ", "  - ", "\0", "\r\n", "presentations:",
                        "channels:", "objects: []", "salt: 0", "../", "data", "desc", "free"])


lists()
masters()
otio()
queue()
settings()
streams()
