"""Wrong command lines: each ends with another exit code than 0 and one sentence or more. One row a line."""

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
-f iamf -c:a flac
-c:a mp3
-b:a 192k
-b:a 1k -f fmp4
-f fmp4 -c:a aac -b 32f
--iamf-layers stereo,mono -f iamf
--adm-times rational -f bw64
--adm-times decimal
--segment-duration 2s
--segment-files
--fragment-duration 0 -f fmp4
--opus-target web -f fmp4 -c:a opus
--out-opt aac_coder=fast
-f fmp4 --out-opt nonsense=1
-c:a copy
-c:a copy -f fmp4
--video encode
--subtitles in/absent.srt
--chapters-out out.pdf
--also speakers:out.wav
--also nowhere:b.wav
--also b.wav
--cache-size 1Q --cache home/c
--verify-cache
--expect-unchanged-before 1s
-j 0
--block-size 0
--max-output-size 1
--progress loud
--strict noise
--strict level -l -10
--nonsense
""".strip().splitlines()
# Whole command lines.
OTHERS = """
render
render in/stereo.wav
render -o out.wav
render in/absent.wav -o out.wav
render in/text.wav -o out.wav
render in -o out.wav
render in/stereo.wav -o absent/out.wav
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
""".strip().splitlines()
WRONG = [f"render in/stereo.wav -o out.wav {words}" for words in RENDER] + OTHERS
