# SPDX-License-Identifier: Apache-2.0
"""Texts: plans, schemas, help, the manual, batches with their keys, pages and what the other commands print."""

# Dry runs; -n --json is added.
PLANS = {
    "headphones": "in/surround.wav -o out.wav",
    "speakers": "in/surround.wav -o out.flac -e speakers",
    "none": "in/surround.wav -o out.m4a -e none --layout stereo",
    "already virtualized": "in/stereo.wav -o out.wav",
    "head and room": "in/stereo.wav -o out.wav --yaw 20 --room small --room-tail on",
    "moving head": "in/surround.wav -o out.wav --trajectory in/trajectory.csv",
    "objects": "in/scene.wav -o out.wav",
    "objects in a layout": "in/scene.wav -o out.wav -e none --layout 7.1.4",
    "objects stored": "in/scene.wav -o out.bw64",
    "objects in iamf": "in/scene.wav -o out.iamf -e none --layout 5.1.4",
    "a field": "in/field.wav -o out.wav",
    "joc": "in/shared-joc.mp4 -o out.wav",
    "ac-4": "in/shared.ac4 -o out.mp4",
    "truehd": "in/shared.thd -o out.wav",
    "iamf": "in/shared-mixes.iamf -o out.wav",
    "dts": "in/shared-dts.mkv -o out.wav",
    "film": "in/film.mkv -o out.mp4",
    "film to hls": "in/film.mkv -o out.m3u8 --segment-files",
    "copy": "in/film.mkv -c:a copy -o out.mp4",
    "copy of a range": "in/surround-eac3.mp4 -c:a copy -o out.mp4 --start 1 --end 2",
    "several outputs": "in/surround.wav -o a.wav --also speakers:b.wav --also none:c.m4a --same-gain",
    "album": "in/stereo.wav in/mono.wav -o folder/ --album -e none",
    "join": "--join in/stereo.wav silence:1s in/mono.wav -o out.wav",
    "join to a folder": "--join in/chain -o folder/ -e none",
    "cue": "in/album.cue -o out.flac -e none",
    "m3u8": "in/list.m3u8 -o out.m4b -e none",
    "queue": "in/show.yaml -o out.wav --crossfade 0.2s --queue-loudness both",
    "queue with taps": "in/taps.yaml -o out.wav",
    "otio": "in/timeline.otio -o out.wav",
    "taps": "in/stereo.wav -o out.wav --eq in/eq.txt --tap item:fir=in/response.wav --tap post:avfilter=lowpass=f=8000",
    "preset": "in/surround.wav -o out.wav --preset ebu-r128",
    "preset of a file": "in/surround.wav -o out.wav --preset in/preset.yaml -l -18",
    "resampled": "in/short-44100.flac -o out.wav -r 96000 --tail keep",
    "metadata": "in/channel-walk.mkv -o out.wav --loudness-mode metadata --drc line --downmix stream",
}
SCHEMAS = """report progress probe measure hrtf hrtf-list hrtf-comparison hrtf-fit validation comparison golden item batch queue-report
queue-diff tap plugin plugins audition audition-summary explain golden-list preset plan request manifest""".split()
HELP = ["", "render", "batch", "merge", "emit", "probe", "measure", "queue", "queue show", "queue convert", "queue edit", "queue diff",
        "queue pin", "presets", "presets list", "presets show", "taps", "taps list", "taps show", "taps check", "validate", "compare",
        "golden", "golden verify", "golden record", "golden bless", "golden list", "report", "hrtf", "hrtf list", "hrtf inspect",
        "hrtf compare", "hrtf fit", "audition", "audition page", "audition results", "doctor", "explain", "schema", "manual", "reference", "worker"]
MANUAL = {
    "manual": "manual",
    "reference": "reference",
    "help as JSON": "--experimental-dump-help",
    "version": "--version",
    "bash": "--generate-completion-script bash",
    "zsh": "--generate-completion-script zsh",
    "fish": "--generate-completion-script fish",
    "presets": "presets list",
    "preset": "presets show podcast",
    "preset with a reason": "presets show aes-td1008-music",
    "taps": "taps list",
    "goldens": "golden list --cases {checkout}/Golden/Cases",
    "hrtf list": "hrtf list",
    "doctor": "doctor",
    "explain": "explain",
    "explain codes": "explain limited trailing-data usage 7",
}
# The keys of a batch stand in the records below .pinna of the output folder.
BATCHES = {
    "plan": "batch in/manifest.yaml -O o -n --json",
    "run": "batch in/manifest.yaml -O o -j 1 --report batch.json --junit batch.xml --markdown batch.md --no-sandbox"
           " && batch in/manifest.yaml -O o -j 1",
    "folder": "batch in/chain -O o -e none -f flac --end 1 -n",
    "shards": "batch in/chain -O o -e none --shard 1/2 -j 1 --no-sandbox && merge in/chain -O o -e none --json",
    "page": "batch in/chain -O o -e speakers --end 1 -j 1 --html page.html -q --no-sandbox",
    "preset": "batch in/chain -O o --preset in/preset.yaml -n --json",
    "slurm": "emit slurm in/manifest.yaml -O o --shards 2",
    "kubernetes": "emit kubernetes in/manifest.yaml -O o --image i --volume v --mount {here}",
    "aws-batch": "emit aws-batch in/manifest.yaml -O o --image i --queue q --mount {here}",
    "snakemake": "emit snakemake in/manifest.yaml -O o",
    "gnu-parallel": "emit gnu-parallel in/chain -O o -- -e none",
}
R = "--report r.json -q"
PAGES = {
    "render": f"render in/surround.wav -o a.wav --end 2 {R} && scrub r.json && report r.json -o page.html --junit j.xml --markdown m.md",
    "objects": f"render in/scene.wav -o a.wav --end 1 {R} && scrub r.json && report r.json -o page.html",
    "queue": f"render in/show.yaml -o a.m4a -e none {R} && scrub r.json && report r.json -o page.html --markdown -",
    "taps": f"render in/stereo.wav -o a.wav --eq in/eq.txt --end 1 {R} && scrub r.json && report r.json -o page.html",
    "several": f"render in/stereo.wav -o a.wav --end 1 {R} && render in/film.mkv -o b.mp4 --report s.json -q && scrub r.json s.json"
               " && report r.json s.json -o page.html --title Both",
    "compare": "compare in/stereo.wav in/stereo.mp3 --json -q > c.json && scrub c.json && report c.json -o page.html",
    "validate": "render in/stereo.wav -o a.mp4 --end 1 -q && validate a.mp4 --json > v.json && scrub v.json && report v.json -o page.html",
    "audition": "audition page in/surround.wav --at 0.5 --length 1 --endpoint headphones,speakers -o page.html",
    "plot": "measure in/surround.wav --plot plot.svg --series --json",
    "hrtf plots": "hrtf inspect kemar --plot a.svg --plot-delays b.svg",
}
# Commands that read.
READING = {
    **{f"probe {name}": f"probe in/{name} --json" for name in """stereo.wav stereo.mp3 stereo.opus stereo-aac.m4a film.mkv tagged.flac
       channel-walk.mkv surround-ac3.ts scene.wav field.wav late.mkv damaged.mp3 shared-joc.mp4 shared.ac4 shared-mixes.iamf
       shared-iamf.mp4 shared.thd shared-dts.mkv shared-ajoc.mp4""".split()},
    **{f"probe as text {name}": f"probe in/{name}" for name in "surround.wav film.mkv scene.wav shared-joc.mp4 shared-5.1.iamf".split()},
    "render as text": "render in/surround.wav -o a.wav --end 1 -v",
    "render as text, film": "render in/film.mkv -o a.mp4 -v",
    "render as text, queue": "render in/show.yaml -o a.wav -v",
    "render as text, album": "render in/stereo.wav in/mono.wav -o folder/ -e none --album --end 1",
    "render as text, sandbox": "render in/stereo.wav -o a.wav --end 1 --sandbox -v",
    "plan as text": "render in/show.yaml -o a.wav -n",
    "progress as JSON": "render in/surround.wav -o a.wav --end 1 --progress ndjson --json",
    "measure": "measure in/surround.wav in/stereo.mp3 --json",
    "measure as text": "measure in/mono.wav --dual-mono",
    "measure as csv": "measure in/surround.wav in/scene.wav --csv",
    "measure objects": "measure in/scene.wav --layout 5.1 --json",
    "compare equal": "compare in/stereo.wav in/stereo.flac --tolerance transparent",
    "compare as text": "compare in/stereo.wav in/quiet.wav",
    "compare lossy": "compare in/stereo.wav in/stereo.opus --tolerance lossy --json",
    "validate wav": "validate in/stereo.wav --json",
    "validate hls": "render in/stereo.wav -o a.m3u8 --end 2 --segment-duration 1s -q && validate a.m3u8 --isolate",
    "queue show": "queue show in/show.yaml",
    "queue show as JSON": "queue show in/taps.yaml --json",
    "queue show cue": "queue show in/album.cue --cue-gaps drop",
    **{f"queue to {kind}": f"queue convert in/list.m3u8 -o out.{kind} -y" for kind in "yaml otio cue m3u8 m3u xspf pls".split()},
    "queue edit": "queue edit in/show.yaml --set 2.gain=-2dB --move 1:2 --remove 3 -o out.yaml",
    "queue diff": "queue edit in/show.yaml --set 2.gain=-2dB -o in/new.yaml && queue diff in/show.yaml in/new.yaml --json",
    "queue pin": "queue edit in/show.yaml --set 2.gain=-2dB -o in/new.yaml && render in/new.yaml -o a.wav --report r.json -q"
                 " && queue pin in/new.yaml --from r.json && queue convert in/new.yaml -o pinned.yaml",
    "taps check eq": "taps check post:eq=in/eq.txt --json",
    "taps check fir": "taps check item:fir=in/response.wav",
    "taps check avfilter": "taps check post:avfilter=afftdn=nr=20:nf=-45",
    "taps check program": "taps check --tap-exec post -- cat",
    "hrtf inspect": "hrtf inspect kemar --json",
    "hrtf inspect shared": "hrtf inspect in/shared.sofa",
    "hrtf compare": "hrtf compare kemar in/shared.sofa --json",
    "hrtf fit": "hrtf fit kemar --circumference 57.5 --json",
}
# Exit codes other than 0 of the last step.
ENDS = {"compare as text": 7}
