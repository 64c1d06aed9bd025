/// The page's one script: it sorts the overview by the heading that is clicked, opens the report
/// that a link points to, and opens all reports for printing. Nothing else on the page needs it.
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
        for (const report of document.querySelectorAll("details")) report.open = true;
      });
      reveal();
    })();
    """)

  /// The hash of ``source`` as the content security policy lists it; a test recomputes it.
  static let digest = "sha256-8p29g73kOYu+ssDJyJsFg08HbhTDU2FBDrnGO/7cNqI="
}
