/// What listening pages add to the style sheet of reports.
enum AuditionStyle {
  /// The sheet.
  static let sheet = Markup.verbatim(
    """
    [hidden] { display: none !important; }
    .tabs { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0 0 1rem; }
    main button, main select {
      font: inherit; color: var(--text); background: var(--sheet); border: 1px solid var(--cut);
      border-radius: 0.5rem; padding: 0.45rem 0.9rem; min-height: 2.75rem; max-width: 100%;
    }
    main button { cursor: pointer; }
    main button:hover:enabled { border-color: var(--link); }
    main button:disabled { color: var(--quiet); border-style: dashed; cursor: not-allowed; }
    [aria-selected="true"], [aria-pressed="true"], main button.primary {
      background: var(--link); color: var(--sheet); border-color: var(--link); font-weight: 600;
    }
    .buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; max-width: none; }
    fieldset { border: 0; padding: 0; margin: 0 0 1.25rem; min-width: 0; }
    legend { font-weight: 600; padding: 0; margin: 0 0 0.5rem; }
    .choice {
      display: flex; gap: 0.6rem; align-items: baseline; padding: 0.5rem 0.75rem; border-radius: 0.5rem;
      border: 1px solid var(--line); margin: 0 0 0.4rem; cursor: pointer; overflow-wrap: anywhere;
    }
    .choice:has(:checked) { border-color: var(--link); box-shadow: inset 0 0 0 1px var(--link); }
    .choice input { flex: none; margin: 0; width: 1.1rem; height: 1.1rem; accent-color: var(--link); }
    .choice .note { margin: 0; }
    .columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 0 2rem; }
    .meter { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; margin: 0 0 1rem; }
    .meter progress { flex: 1 1 12rem; height: 0.75rem; accent-color: var(--link); }
    .meter span { font-variant-numeric: tabular-nums; min-width: 8rem; }
    .setting { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; }
    .setting input[type="checkbox"] { width: 1.1rem; height: 1.1rem; margin: 0; accent-color: var(--link); }
    .fields { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; margin: 0 0 1rem; }
    .fields label:not(.setting) { display: grid; gap: 0.25rem; min-width: 0; }
    .fields label { min-height: 2.75rem; }
    kbd {
      font: 0.8125em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; border: 1px solid var(--cut);
      border-radius: 0.25rem; padding: 0 0.3rem;
    }
    """)
}
