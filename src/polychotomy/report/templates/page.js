"use strict";
// Sorting by column, Escape for what a sentence rests on, and nothing folded on paper.
// The page is complete without this.
document.querySelectorAll("table[data-sortable]").forEach((table) => {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.v ?? cell.textContent.trim();
    return text === "" || Number.isNaN(Number(text)) ? text : Number(text);
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : typeof a === "number" ? -1
      : typeof b === "number" ? 1 : a.localeCompare(b);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].sort((a, b) => compare(value(a, column), value(b, column)));
      body.append(...(down ? rows.reverse() : rows));
    });
  });
});
document.addEventListener("keydown", (event) => {
  const held = document.activeElement;
  if (event.key === "Escape" && held.closest(".basis")) held.blur();
});
const unfold = () => document.querySelectorAll("details:not([open], .on-screen)").forEach((one) => {
  one.open = true;
  one.dataset.folded = "";
});
addEventListener("beforeprint", unfold);
addEventListener("afterprint", () => document.querySelectorAll("details[data-folded]").forEach((one) => {
  one.open = false;
  delete one.dataset.folded;
}));
