# SPDX-License-Identifier: Apache-2.0
"""Wrong command lines, each of which ends with another exit code than 0 and a sentence, and words that a copy or a plain render has no
use for. One row a line."""

# Words of `pinna render in/stereo.wav -o out.wav`, and what is wrong with them.
RENDER = """
-b 17
-b 64f
-r 7999
-r 1e9
-r fast
--dither rpdf
-l -71
-l 3
-l loud
-l nan
--true-peak 1
--true-peak -40
--peak-policy crush
--max-gain -1
--threshold 21
--threshold x
--loudness-mode dialnorm
--loudness-mode metadata
--loudest-track
--dual-mono --no-dual-mono=1
-e earphones
-e none --room small
-e speakers --yaw 30
-e speakers --hrtf kemar --speaker-span 200
--speaker-span 0
-e none --speaker-span 20
--hrtf nobody
--hrtf in/stereo.wav
--hrtf-symmetry perhaps
--itd-scale 2
--itd-scale 1.1 --head-circumference 57
--head-circumference 30
--lfe-gain 21
--lfe-gain loud
--downmix other
--layout 5.1
--layout 9.9 -e none
-e none --layout 5.1,7.1
--virtualizer maybe
--already-virtualized no-idea
--yaw 400
--yaw north
--pitch nan
--trajectory in/eq.txt
--trajectory in/absent.csv
--room hall
--room-tail on
--speakers X=30
--speakers L=30,L=40
--speakers L=400
--object-angles 2128
-a 3
-a lang:xx
-a -1
--layout-in 5.1
--layout-in FL+FX
--layout-in ambix9
--presentation 2
--dialog-enhancement 13
--drc heavy
--on-damage repair
--input-root in/chain
--network-timeout 0
--max-download none
--in-opt novalue
--in-opt nonsense=1
--objects AO_1001
--object dialogue=+3dB
--programme 2
--importance 11
--headphone-modes keep
--start 7
--start 2 --end 1
--start 1 --end 2 --duration 1
--end -1
--duration 0
--start 1:2:3:4
--priming some
--priming -5
--head cut
--tail cut
--align video
--gaps close
--preset nobody
--preset in/eq.txt
--text-encoding latin9
--eq in/absent.txt
--eq in/album.cue
--tap post:nothing=1
--tap nowhere:eq=in/eq.txt
--tap post:fir=in/absent.wav
--tap post:fir=in/response.wav,align=end
--tap post:avfilter=movie=in/film.mkv
--tap post:avfilter=highpass=f=x
--tap post:lv2=http://example.com/absent
--tap-exec post
--tap-exec nowhere -- cat
--tap-exec post -- ./absent
--tap-exec post -- false
--tap-latency soon
--on-tap-failure ignore
--analyze noise
--analyze levels=out.wav
-f mp9
-f flac -c:a aac
-c:a mp3
-b:a 192k
-b:a 1k -f fmp4
--adm-times rational -f bw64
--adm-times decimal
--segment-duration 2s
--segment-files
--opus-target web -f fmp4 -c:a opus
--out-opt aac_coder=fast
-c:a copy
--video encode
--chapters-out out.pdf
--also speakers:out.wav
--also nowhere:b.wav
--also b.wav
--also :
--also ,:b.wav
--also headphones,64:b.m4a
--cache-size 1Q --cache home/c
--verify-cache
--expect-unchanged-before 1s
-j 0
--block-size 0
--max-output-size 1
--progress loud
--strict level -l -10
--strict=noise
--nonsense
-b 17 -r 7999
-l 3 -e earphones
--start 2 --end 1 -f mp9
--layout 5.1 --room hall
-c:a mp3 -b:a 1k
--preset nobody --eq in/absent.txt
-e speakers --yaw 30 --layout 5.1
--tap post:nothing=1 --tap nowhere:eq=in/eq.txt
--hrtf nobody --trajectory in/absent.csv --room hall
--loudest-track --threshold 21 --speaker-span 0
--opus-target mse --adm-times decimal --segment-files
-l 16
-l -16bB
--true-peak 1dB
-r 48kb
-b 192k
-ss 10
-map 0:1
-ar 48000
--lufs -16
--endpont none
--true
-j two
--dry-run=1
--tag title
--cover in/eq.txt
--trajectory-offset 1s
--color blue
""".strip().splitlines()
# Whole command lines.
OTHERS = """
render
render in/stereo.wav
render -o out.wav
render in/absent.wav -o out.wav
render in/text.wav -o out.wav
render in -o out.wav
render in/stereo.wav -o absent/deep/out.wav
render in/stereo.wav -o in/stereo.wav
render in/stereo.wav -o in/mono.wav
render in/stereo.wav -o out.xyz
render in/stereo.wav in/mono.wav -o out.wav
render in/stereo.wav in/stereo.wav -o folder/
render in/cover.png -o out.wav
render in/eq.txt -o out.wav
render in/damaged.mp3 -o out.wav
render in/shared-protected.mp4 -o out.wav
render in/shared-joc.mp4 -c:a copy -l -16 -o out.mp4
render in/film.mkv -c:a copy --layout stereo -o out.mp4
render in/film.mkv -c:a copy -o out.flac
render in/film.mkv -c:a copy --eq in/eq.txt -o out.mp4
render in/scene.wav -o out.wav --objects AO_9999
render in/scene.wav -o out.wav --object Walker=+3dB
render in/scene.wav -f bw64 -o out.wav -r 44100
render in/scene.wav -f bw64 -o out.wav --tail keep
render --join in/stereo.wav#t=2,1 in/mono.wav -o out.wav
render --join in/stereo.wav silence:x -o out.wav
render in/show.yaml in/taps.yaml -o out.wav
render in/stereo.wav -o out.iamf -c:a iamf-pcm -b 32f
render in/seven.wav -o out.iamf --iamf-layers stereo,mono
render in/stereo.wav -o out.opus -r 44100
render in/stereo.wav -o out.mp4 --fragment-duration 0
render in/stereo.wav -o out.m4a --out-opt nonsense=1
render in/stereo.wav -o out.mp4 -c:a copy
render in/stereo.wav -o out.m3u8 -c:a pcm
render in/film.mkv -o out.mp4 --subtitles in/absent.srt
render in/film.mkv -o out.m3u8 --segment-duration 0
render in/scene.wav -o out.m4a -f bw64
render in/stereo.wav -o out.wav --preset in/wrong-preset.yaml
render in/wrong-queue.yaml -o out.wav
render in/absent.wav -o out.xyz -b 17
render in/film.mkv -c:a copy --layout stereo -l -16 --eq in/eq.txt -o out.mp4
batch in/wrong-manifest.yaml -O o
queue show in/wrong-queue.yaml
presets show in/wrong-preset.yaml
render http://127.0.0.1:1/a.flac -o out.wav
render https://example.com/a.flac --offline -o out.wav
batch
batch in/absent.yaml -O o
batch in/show.yaml -O o
batch in/manifest.yaml -O o --shard 3/2
batch in/manifest.yaml -O o -j none
batch in/manifest.yaml -O o --job-timeout x
batch in/chain -O o -b 17
batch in/chain -O o --retry -1
merge in/chain -O o
emit fog in/manifest.yaml -O o
emit kubernetes in/manifest.yaml -O o
probe
probe in/absent.wav
probe in/text.wav --json
measure in/text.wav
measure in/stereo.wav --layout 9.9
measure in/stereo.wav --target high
queue show in/stereo.wav
queue show in/eq.txt
queue convert in/album.cue -o out.pdf
queue edit in/show.yaml --set 9.gain=1dB -o out.yaml
queue edit in/show.yaml --set 1.colour=red -o out.yaml
queue diff in/show.yaml in/absent.yaml
queue pin in/show.yaml --from in/timeline.otio
presets show nobody
taps show http://example.com/absent
taps check post:nothing=1
taps check post:eq=in/eq.txt --rate 10
validate in/text.wav
validate in/absent.mp4
compare in/stereo.wav
compare in/stereo.wav in/absent.wav
compare in/stereo.wav in/mono.wav --tolerance loose
golden verify nobody
golden record new --input in/stereo.wav
report in/timeline.otio -o page.html
report in/absent.json
hrtf inspect nobody
hrtf fit kemar
hrtf compare kemar
audition in/stereo.wav
audition page in/stereo.wav -o page.html --length 0
audition results in/timeline.otio
schema nothing
schema
nonsense
in/film.mkv
in
rendr in/stereo.wav -o out.wav
-o out.wav
hrtf lst --json
help nosuch
render in/stereo.wav -o film
render -i in/stereo.wav -o out.wav
batch in/stereo.wav -O o
measure -i in/stereo.wav
doctor now
compare a b c d
validate in/absent
audition in/stereo.wav -o page.html --way plain
audition in/stereo.wav -o page.html --way "a: --drc rf"
--generate-completion-script=csh
""".strip().splitlines()
# Words of `pinna render in/film.mkv -c:a copy -o out.mp4`: some are refused, some mean nothing for a copy, some act on it.
COPIES = """
-l -16
-l off
--true-peak -2
--peak-policy lower
--dual-mono
--lower-only
--max-gain 3
--threshold 1
--album
--loudness-mode metadata
-e headphones
-e none
--virtualizer off
--hrtf kemar
--hrtf-symmetry off
--itd-scale 1.1
--head-circumference 57
--speaker-span 20
--lfe-gain 0
--downmix stream
--layout stereo
--layout-in 5.1
--already-virtualized no
-r 44100
-b 16
--dither tpdf
-b:a 128k
--out-opt aac_coder=fast
--priming none
--head keep
--tail keep
--align presentation
--gaps ignore
--drc line
--dialog-enhancement 3
--presentation 0
--objects bed
--importance 2
--headphone-modes ignore
--object-angles rays
--yaw 10
--room small
--speakers L=30
--trajectory in/trajectory.csv
--on-damage conceal
--tap post:eq=in/eq.txt
--eq in/eq.txt
--analyze levels
--tap-latency measure
--preset podcast
--preset in/preset.yaml
--same-gain
--also speakers:b.wav
--crossfade 1s
--block-size 480
--max-output-size 1G
--video drop --subtitles drop
--no-metadata --no-chapters
--start 0.5 --duration 1
--fragment-duration 1s
""".strip().splitlines()
# Words of `pinna render in/stereo.wav -o out.wav` that mean nothing there, but are taken.
IDLE = """
--dither tpdf -b 32f
--album --same-gain
--same-gain
--ca-file in/absent.pem
--crossfade 1s
--gap 1s
--queue-loudness item
--chapters keep
--cue-gaps append
--text-encoding utf-8
--threads 3
-j 2 --threads 9
--max-memory 1
--tap post:avfilter=highpass
--loudness-layout 5.1
--video copy --subtitles copy
""".strip().splitlines()
WRONG = [f"render in/stereo.wav -o out.wav {words}" for words in RENDER] + OTHERS
