// Tooltips, sorting, pointing at a rank, choosing runs, copying. The page is complete without any of it.
"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const tip = document.getElementById("tip");

  // Charts speak through aria; the browser's own tooltip of a whole chart would be in the way.
  for (const svg of all("svg[role=img]")) {
    const title = svg.querySelector(":scope > title");
    if (title) {
      svg.setAttribute("aria-label", svg.getAttribute("aria-label") || title.textContent);
      const described = svg.querySelector(":scope > desc");
      if (described) svg.setAttribute("aria-describedby", described.id);
      svg.removeAttribute("aria-labelledby");
      title.remove();
    }
  }

  const tooltipOf = (element) => {
    const marked = element.closest("[data-tip]");
    if (marked) return marked.dataset.tip;
    for (let at = element; at instanceof SVGElement; at = at.parentNode) {
      const title = at.querySelector(":scope > title");
      if (title) {
        at.setAttribute("data-tip", title.textContent);
        title.remove();
        return at.getAttribute("data-tip");
      }
    }
    return "";
  };

  const place = (event) => {
    const box = tip.getBoundingClientRect();
    const right = event.clientX + 14 + box.width > innerWidth;
    tip.style.left = Math.max(4, right ? event.clientX - box.width - 10 : event.clientX + 14) + "px";
    tip.style.top = Math.max(4, Math.min(event.clientY + 16, innerHeight - box.height - 4)) + "px";
  };

  let scope = null;
  const point = (rank, root) => {
    if (scope) {
      scope.classList.remove("pointed");
      for (const element of all(".on", scope)) element.classList.remove("on");
    }
    scope = rank === undefined ? null : root;
    if (scope) {
      for (const element of all(`[data-r="${CSS.escape(rank)}"]`, scope)) element.classList.add("on");
      scope.classList.add("pointed");
    }
  };

  document.addEventListener("pointerover", (event) => {
    if (!(event.target instanceof Element)) return;
    const text = event.target instanceof SVGElement ? tooltipOf(event.target) : "";
    const kind = event.target.getAttribute("data-kind");
    tip.textContent = kind ? `${kind}\n${text}` : text;
    tip.hidden = !text;
    if (text) place(event);
    const ranked = event.target.closest("[data-r]");
    point(ranked?.dataset.r, ranked?.closest("[data-scope]"));
  });
  document.addEventListener("pointermove", (event) => { if (!tip.hidden) place(event); });
  document.addEventListener("scroll", () => { tip.hidden = true; }, { passive: true, capture: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  const value = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    const number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text.toLowerCase();
  };
  const compare = (a, b) => (typeof a === typeof b ? (a < b ? -1 : a > b ? 1 : 0) : typeof a === "number" ? -1 : 1);
  for (const table of all("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].sort((a, b) => compare(value(a, column), value(b, column)) * (down ? -1 : 1));
        body.append(...rows);
      });
    });
  }

  for (const filter of all(".filter")) {
    filter.hidden = false;
    filter.addEventListener("change", (event) => {
      for (const element of all(`[data-run="${event.target.dataset.filter}"]`)) element.hidden = !event.target.checked;
    });
  }

  for (const button of all(".copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = button.parentNode.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = document.execCommand("copy") ? "Copied" : "Selected";
      }
      setTimeout(() => { button.textContent = "Copy"; }, 1600);
    });
  }

  addEventListener("beforeprint", () => { for (const details of all("details")) details.open = true; });
})();
