// SPDX-License-Identifier: Apache-2.0

/// The frame of every page of reports around its content: head, heading and footer.
struct PageFrame {
  /// The heading.
  let name: String
  /// The line below it.
  let subtitle: String
  /// Links to pages that this one belongs to: their names and addresses.
  var navigation: [(name: String, address: String)] = []
  let main: [Markup]
  /// Whether the page has its script.
  let hasScript: Bool
  let footer: String

  /// The whole file.
  func html() -> String {
    let body = Markup(
      "body", [:],
      [
        Markup("a", ["class": "skip", "href": "#main"], text: "Skip to the content"),
        Markup(
          "header", [:],
          [
            Markup("h1", [:], [.name(name)]), Markup("p", ["class": "note"], text: subtitle),
          ] + links), Markup("main", ["id": "main", "tabindex": "-1"], main),
        Markup("footer", [:], [Markup("p", ["class": "note"], text: footer)]),
      ] + (hasScript ? [Markup("script", [:], [PageScript.source])] : []))
    let page = Markup(
      "html", ["xmlns": "http://www.w3.org/1999/xhtml", "lang": "en"], [head, body])
    return "<!DOCTYPE html>\n" + page.source + "\n"
  }

  private var head: Markup {
    Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "generator", "content": "Pinna"]),
        Markup("title", text: name + " – Pinna report"), Markup("style", [:], [PageStyle.sheet]),
      ])
  }

  private var links: [Markup] {
    guard !navigation.isEmpty else { return [] }
    let parts = navigation.map { Markup("a", ["href": $0.address], [.name($0.name)]) }
    return [
      Markup("nav", ["aria-label": "Pages"], parts.flatMap { [$0, Markup(" ")] })
    ]
  }

  private var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; "
      + (hasScript ? "script-src '\(PageScript.digest)'; " : "")
      + (MediaPlayers.arePart(of: main) ? "media-src 'self'; " : "")
      + "base-uri 'none'; form-action 'none'"
  }
}

/// The page's one script: it sorts the overview by the heading that is clicked, filters it by name and outcome, opens
/// the report that a link points to, and opens all reports for printing. Nothing else on the page needs it.
enum PageScript {
  /// Free of `<` and `&`, so that it is the same text to readers of HTML and of XML.
  static let source = Markup.verbatim(
    """
    (() => {
      const collator = new Intl.Collator("en", {numeric: true});
      const key = (row, column) => {
        const cell = row.cells[column];
        return cell.dataset.key ?? cell.textContent;
      };
      const compare = (one, other) => {
        const [a, b] = [Number(one), Number(other)];
        return Number.isNaN(a) || Number.isNaN(b) ? collator.compare(one, other) : a - b;
      };
      for (const table of document.querySelectorAll("table.sortable")) {
        const heads = [...table.tHead.rows[0].cells];
        heads.forEach((head, column) => {
          const button = document.createElement("button");
          button.type = "button";
          button.append(...head.childNodes);
          head.append(button);
          button.addEventListener("click", () => {
            const turn = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
            for (const other of heads) other.removeAttribute("aria-sort");
            head.setAttribute("aria-sort", turn === 1 ? "ascending" : "descending");
            const rows = [...table.tBodies[0].rows].map(row => [key(row, column), row]);
            rows.sort(([one], [other]) => {
              if (one === "" || other === "") return Number(one === "") - Number(other === "");
              return turn * compare(one, other);
            });
            table.tBodies[0].append(...rows.map(([, row]) => row));
          });
        });
      }
      const make = (name, facts, ...parts) => {
        const element = Object.assign(document.createElement(name), facts);
        element.append(...parts);
        return element;
      };
      for (const body of document.querySelectorAll("tbody:has(> tr[data-is])")) {
        const rows = [...body.rows];
        const words = ["failed", "damage", "doubt", "level", "loss", "clean"]
          .filter(word => rows.some(row => row.dataset.is.split(" ").includes(word)));
        const name = make("input", {type: "search", autocomplete: "off"});
        const state = make("select", {}, make("option", {value: ""}, "all"),
          ...words.map(word => make("option", {value: word}, word)));
        const found = make("span", {className: "note"});
        found.setAttribute("role", "status");
        const choose = () => {
          let shown = 0;
          for (const row of rows) {
            const fits = row.cells[0].textContent.toLowerCase().includes(name.value.toLowerCase());
            const is = row.dataset.is.split(" ");
            row.hidden = !(fits ? state.value === "" || is.includes(state.value) : false);
            if (!row.hidden) shown += 1;
            const report = document.getElementById(
              row.cells[0].querySelector("a").getAttribute("href").slice(1));
            if (report instanceof HTMLDetailsElement) report.hidden = row.hidden;
          }
          found.textContent = `${shown} of ${rows.length} rows`;
        };
        name.addEventListener("input", choose);
        state.addEventListener("change", choose);
        const bar = make("div", {className: "filter"}, make("label", {}, "Name ", name),
          make("label", {}, "Outcome ", state), found);
        bar.setAttribute("role", "search");
        bar.setAttribute("aria-label", "Filter of the reports");
        body.closest(".scroll").before(bar);
        choose();
      }
      const reveal = () => {
        const target = document.getElementById(location.hash.slice(1));
        if (target instanceof HTMLDetailsElement) {
          target.open = true;
          target.querySelector("summary").focus({preventScroll: true});
        }
      };
      addEventListener("hashchange", reveal);
      addEventListener("click", event => {
        const link = event.target.closest("a[href^='#r']");
        if (link) setTimeout(reveal);
      });
      addEventListener("beforeprint", () => {
        // Of a large batch, the overview and what the reader opened are printed.
        if (document.querySelectorAll("details.report").length > 20) return;
        for (const report of document.querySelectorAll("details")) report.open = true;
      });
      reveal();
    })();
    """)

  /// The hash of ``source`` as the content security policy lists it; a test recomputes it.
  static let digest = "sha256-mbIjVZp3nZZ3PpS9nUC+f2nhrdKCuSS2HJRU3PH2Xwo="
}
