// SPDX-License-Identifier: Apache-2.0

/// The style sheet of a page. Free of `<` and `&`, so that it is the same text to readers of HTML and of
/// XML. Colours are properties with a light and a dark value; print is light.
enum PageStyle {
  /// The sheet.
  static let sheet = Markup.verbatim(
    """
    :root {
      color-scheme: light;
      --ground: #f5f6f8; --sheet: #ffffff; --text: #1a2130; --quiet: #545e70; --line: #d5dae2;
      --grid: #e6e9ee; --link: #1a4fb8; --focus: #1a4fb8;
      --after: #1c54c4; --after-band: #1c54c4; --momentary: #7f9fd9; --before: #a8480b;
      --target: #12733a; --limiter: #9b2a86; --cut: #8b95a6;
      --good: #0f6434; --good-ground: #dff4e6; --warning: #7a4300; --warning-ground: #fdf0d0;
      --bad: #9a1b1b; --bad-ground: #fde6e4;
      --t0: #14062e; --t1: #5a2ca0; --t2: #1f6fb5; --t3: #008a80; --t4: #8a9400;
    }
    @media screen and (prefers-color-scheme: dark) {
      :root {
        color-scheme: dark;
        --ground: #0f131a; --sheet: #171d27; --text: #e5e9f0; --quiet: #a3adbd; --line: #343d4c;
        --grid: #272f3c; --link: #8fb7ff; --focus: #8fb7ff;
        --after: #74a8ff; --after-band: #74a8ff; --momentary: #4a6ba6; --before: #f2a65e;
        --target: #5fd18b; --limiter: #e58fd3; --cut: #7b879a;
        --good: #86e0a9; --good-ground: #143323; --warning: #f4c66a; --warning-ground: #3a2c10;
        --bad: #ffa8a0; --bad-ground: #41191a;
        --t0: #6a7fe0; --t1: #58a0e8; --t2: #4cc3c7; --t3: #9fdc8c; --t4: #fbf3a0;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
    body {
      margin: 0 auto; padding: 0 1.25rem 2rem; max-width: 74rem; background: var(--ground);
      color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto,
        "Helvetica Neue", Arial, "Noto Sans", sans-serif;
    }
    header { padding: 1.75rem 0 1rem; }
    h1, h2, h3, h4 { line-height: 1.25; text-wrap: balance; overflow-wrap: anywhere; }
    h1 { font-size: 1.75rem; margin: 0; letter-spacing: -0.01em; }
    h2 { font-size: 1.25rem; margin: 0 0 0.75rem; }
    h3 { font-size: 1.05rem; margin: 0 0 0.75rem; }
    h4 { font-size: 1rem; margin: 0 0 0.5rem; }
    p { margin: 0 0 0.75rem; max-width: 70ch; }
    header p { margin: 0.25rem 0 0; }
    a { color: var(--link); text-underline-offset: 0.15em; }
    :focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
    main:focus { outline: none; }
    .skip {
      position: absolute; left: 1rem; top: -4rem; padding: 0.5rem 1rem; z-index: 1;
      background: var(--sheet); border-radius: 0 0 0.5rem 0.5rem;
    }
    .skip:focus { top: 0; }
    .note { color: var(--quiet); font-size: 0.875rem; }
    section, details.report {
      background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem;
      padding: 1.25rem; margin: 0 0 1.25rem;
    }
    details.report section {
      border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 1.25rem 0 0;
    }
    section section {
      border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 1.25rem 0 0;
      margin: 1.25rem 0 0;
    }
    summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; align-items: center; }
    summary::-webkit-details-marker { display: none; }
    summary::before {
      content: ""; width: 0.5rem; height: 0.5rem; border: solid var(--quiet); border-width: 0 2px 2px 0;
      transform: rotate(-45deg); flex: none;
    }
    details[open] > summary::before { transform: rotate(45deg); }
    summary h2 { margin: 0; font-size: 1.1rem; }
    details[open] > summary { margin-bottom: 1rem; }
    .back { margin: 1rem 0 0; font-size: 0.875rem; }
    .badge {
      display: inline-block; padding: 0.05rem 0.6rem; border-radius: 1rem; font-size: 0.875rem;
      font-weight: 600; white-space: nowrap; color: var(--quiet); border: 1px solid var(--line);
    }
    .good { color: var(--good); background: var(--good-ground); border-color: transparent; }
    .warning { color: var(--warning); background: var(--warning-ground); border-color: transparent; }
    .bad { color: var(--bad); background: var(--bad-ground); border-color: transparent; }
    .problem, .fine { padding: 0.75rem 1rem; border-radius: 0.5rem; max-width: none; overflow-wrap: anywhere; }
    .problem { color: var(--bad); background: var(--bad-ground); border-left: 4px solid var(--bad); }
    .fine { color: var(--good); background: var(--good-ground); border-left: 4px solid var(--good); }
    .cards {
      display: grid; grid-template-columns: repeat(auto-fit, minmax(10.75rem, 1fr)); gap: 0.75rem;
      margin: 0 0 1.25rem;
    }
    .cards div {
      background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem;
      padding: 0.7rem 0.85rem;
    }
    .cards dt { font-size: 0.8125rem; color: var(--quiet); }
    .cards dd { margin: 0; }
    .cards .value {
      font-size: 1.0625rem; font-weight: 600; font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
    }
    .scroll { overflow-x: auto; margin: 0 0 1rem; }
    .scroll:last-child { margin-bottom: 0; }
    table { border-collapse: collapse; width: auto; min-width: min(100%, 42rem); font-size: 0.9375rem; }
    table.sortable, table.whole, .pair table { width: 100%; min-width: 0; }
    .facts tbody th { width: 13rem; color: var(--quiet); }
    .path { display: block; min-width: 11rem; width: fit-content; }
    .hash { display: block; min-width: 10rem; overflow-wrap: anywhere; }
    caption { text-align: left; color: var(--quiet); font-size: 0.875rem; padding-bottom: 0.4rem; }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    th, td {
      text-align: left; vertical-align: baseline; padding: 0.4rem 1rem 0.4rem 0;
      border-bottom: 1px solid var(--grid); overflow-wrap: break-word;
    }
    th:last-child, td:last-child { padding-right: 0; }
    tbody tr:last-child > * { border-bottom: 0; }
    thead th { color: var(--quiet); font-size: 0.8125rem; font-weight: 600; border-bottom-color: var(--line); }
    tbody th { font-weight: 500; min-width: 7rem; }
    th bdi, td bdi { overflow-wrap: anywhere; }
    .wide td:has(> bdi) { min-width: 9rem; }
    .whole-part { display: inline-block; white-space: nowrap; }
    table.sortable tbody th { min-width: 9rem; }
    .n { text-align: right; font-variant-numeric: tabular-nums; }
    td.n, .sortable td { white-space: nowrap; }
    code { font: 0.875em ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    thead button {
      font: inherit; color: inherit; background: none; border: 0; padding: 0; cursor: pointer;
      text-align: inherit; white-space: nowrap;
    }
    thead button:hover { text-decoration: underline; }
    thead button::after { content: " ↕"; opacity: 0.6; }
    [aria-sort="ascending"] button::after { content: " ↑"; opacity: 1; }
    [aria-sort="descending"] button::after { content: " ↓"; opacity: 1; }
    .filter { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; align-items: baseline; margin: 0 0 0.75rem; }
    .filter label { font-size: 0.875rem; color: var(--quiet); }
    .filter input, .filter select {
      font: inherit; color: var(--text); background: var(--sheet); border: 1px solid var(--quiet);
      border-radius: 0.375rem; padding: 0.3rem 0.5rem; min-height: 2rem; max-width: 100%;
    }
    .tall { max-height: 75vh; overflow: auto; }
    .tall thead th { position: sticky; top: 0; background: var(--sheet); z-index: 1; }
    .folded:not([open]):not(:target) { display: none; }
    [hidden] { display: none; }
    figure { margin: 0 0 1.25rem; }
    .key {
      list-style: none; display: flex; flex-wrap: wrap; gap: 0.15rem 1.25rem; margin: 0 0 0.5rem; padding: 0;
      font-size: 0.875rem;
    }
    .key li { display: flex; align-items: center; gap: 0.4rem; }
    .key svg { flex: none; }
    svg.plot { display: block; font-size: 12px; }
    @media (min-width: 44.01rem) { svg.scene { font-size: 9.5px; } }
    svg.chart { padding: 0 12px 0 52px; overflow: visible; }
    .plot text { fill: var(--quiet); font-variant-numeric: tabular-nums; }
    .plot .label, .plot .panel { fill: var(--text); }
    .plot .label { paint-order: stroke; stroke: var(--sheet); stroke-width: 4px; stroke-linejoin: round; }
    .grid { stroke: var(--grid); }
    .frame { fill: none; stroke: var(--line); }
    .plot path, .plot line { vector-effect: non-scaling-stroke; }
    .after, .before, .momentary, .target { fill: none; stroke-linejoin: round; stroke-linecap: round; }
    .after { stroke: var(--after); stroke-width: 2px; }
    .before { stroke: var(--before); stroke-width: 1.75px; stroke-dasharray: 5 4; }
    .momentary { stroke: var(--momentary); stroke-width: 1.25px; }
    .band { stroke: none; }
    .bar { fill: var(--after); fill-opacity: 0.75; stroke: none; }
    .after.band { fill: var(--after); fill-opacity: 0.3; }
    .before.band { fill: var(--before); fill-opacity: 0.25; }
    .momentary.band { fill: var(--momentary); fill-opacity: 0.3; }
    .target { stroke: var(--target); stroke-width: 1.75px; stroke-dasharray: 9 4 2 4; }
    .difference { fill: none; stroke: var(--limiter); stroke-width: 1.75px; }
    .difference.band { stroke: none; fill: var(--limiter); fill-opacity: 0.3; }
    .spoken { fill: var(--limiter); fill-opacity: 0.16; stroke: none; }
    .spoken.doubtful { fill-opacity: 0.06; }
    .limiter { fill: var(--limiter); stroke: var(--limiter); stroke-width: 1px; }
    .peak { stroke: none; stroke-width: 1px; }
    path.peak.after { fill: var(--after); }
    path.peak.before { fill: var(--before); }
    line.peak { stroke-dasharray: 2 2; }
    line.peak.after { stroke: var(--after); }
    line.peak.before { stroke: var(--before); }
    .views { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem 2rem; }
    .scene { width: 100%; height: auto; }
    .scene .dot { fill: var(--text); stroke: var(--sheet); }
    .scene .ring { fill: none; stroke: var(--text); stroke-width: 1.5px; }
    .listener { stroke: var(--quiet); stroke-width: 1.5px; fill: none; }
    .way { fill: none; stroke-linejoin: round; stroke-linecap: round; }
    .t0 { stroke: var(--t0); stroke-width: 1.5px; }
    .t1 { stroke: var(--t1); stroke-width: 2px; }
    .t2 { stroke: var(--t2); stroke-width: 2.5px; }
    .t3 { stroke: var(--t3); stroke-width: 3px; }
    .t4 { stroke: var(--t4); stroke-width: 3.5px; }
    .map .valid { fill: var(--after); fill-opacity: 0.22; stroke: var(--after); }
    .map .cut { fill: none; stroke: var(--cut); stroke-dasharray: 4 3; }
    .gap { stroke: var(--bad); stroke-width: 2px; }
    path.gap { fill: var(--bad); stroke: none; }
    .bars .within { fill: var(--after); }
    .bars .over { fill: var(--bad); }
    .bars .limit { stroke: var(--text); stroke-width: 1.5px; stroke-dasharray: 5 3; }
    .beyond { fill: none; stroke: var(--sheet); stroke-width: 2px; }
    .layer { padding: 1rem 0 0; border-top: 1px solid var(--grid); }
    h2 + .layer, h3 + .layer { border-top: 0; padding-top: 0; }
    .players { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
    .players figure { margin: 0; }
    .players audio { width: 100%; }
    .players video { width: 100%; max-height: 24rem; background: #000000; }
    .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem; align-items: start; }
    footer { padding: 0.5rem 0; }
    @media (max-width: 44rem) {
      body { padding: 0 0.75rem 1rem; }
      section, details.report { padding: 1rem 0.75rem; }
      .cards { grid-template-columns: 1fr 1fr; gap: 0.5rem; }
      .cards div { padding: 0.6rem 0.75rem; }
      .cards .value { font-size: 1rem; }
      .plot .minor { display: none; }
      .pair { grid-template-columns: 1fr; }
      th, td { padding-right: 0.6rem; }
      tbody th { min-width: 5.25rem; }
      .facts tbody th { width: 7.5rem; }
      .wide { min-width: 46rem; }
      table.sortable { min-width: 56rem; }
      .facts .path, .facts .hash { min-width: 0; }
    }
    @media print {
      body { max-width: none; padding: 0; background: none; font-size: 0.8rem; }
      .skip, .back, thead button::after { display: none; }
      section, details.report, .cards div { break-inside: avoid-page; border-color: var(--line); }
      details.report { break-inside: auto; }
      .scroll { overflow: visible; max-height: none; }
      .filter { display: none; }
      .tall thead th { position: static; }
      table.sortable { font-size: 0.6875rem; min-width: 0; }
      table.sortable th, table.sortable td { padding-right: 0.4rem; }
      table.sortable tbody th { min-width: 0; }
      section:has(> .players) { display: none; }
    }
    @media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
    """)
}
