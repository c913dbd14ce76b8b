"use strict";
/* Zoom of the pictures, folding, sorting and searching of the table. The page is whole without it. */
(function () {
  for (const hidden of document.querySelectorAll(".zoom, .search, .fold")) hidden.hidden = false;
  document.documentElement.classList.add("live");

  /* A picture is stretched along its axis only: text and lines keep their size. */
  const number = /[MHVL][^MHVL]*/g;
  function stretchPath(d, x) {
    return d.replace(number, function (part) {
      const kind = part[0], values = part.slice(1).trim().split(/[ ,]+/).map(Number);
      if (kind === "V") return part;
      if (kind === "H") return "H" + x(values[0]).toFixed(2);
      return kind + x(values[0]).toFixed(2) + " " + values[1];
    });
  }
  function stretch(svg, factor) {
    if (!svg.whole) {
      svg.whole = { width: +svg.getAttribute("width"), height: +svg.getAttribute("height"), parts: [] };
      for (const part of svg.querySelectorAll("path, rect, text")) {
        const kept = { part: part, d: part.getAttribute("d"), x: part.getAttribute("x"), width: part.getAttribute("width") };
        svg.whole.parts.push(kept);
      }
    }
    const left = +svg.dataset.left, x = function (old) { return old <= left ? old : left + (old - left) * factor; };
    const width = left + (svg.whole.width - left) * factor;
    svg.setAttribute("width", width);
    svg.setAttribute("viewBox", "0 0 " + width + " " + svg.whole.height);
    svg.style.maxWidth = factor === 1 ? "" : "none";
    for (const kept of svg.whole.parts) {
      if (kept.d) kept.part.setAttribute("d", stretchPath(kept.d, x));
      else if (kept.part.dataset.at) { /* beside its mark or bracket; marks' letters stand off only where it is narrow */
        const at = +kept.part.dataset.at, off = +kept.x - at;
        kept.part.setAttribute("x", x(at) + (kept.part.getAttribute("text-anchor") === "middle" ? off / factor : off));
      } else if (kept.part.tagName === "text" || kept.part.classList.contains("paper")) {
        /* a label stays with the mark that it belongs to, and its ground with it */
        const middle = kept.width ? +kept.x + kept.width / 2 : +kept.x;
        kept.part.setAttribute("x", x(middle) - (kept.width ? kept.width / 2 : 0));
      } else if (kept.x !== null) {
        kept.part.setAttribute("x", x(+kept.x));
        kept.part.setAttribute("width", Math.max(x(+kept.x + +kept.width) - x(+kept.x), 0.5));
      }
    }
  }
  for (const button of document.querySelectorAll(".zoom button"))
    button.addEventListener("click", function () {
      const figure = button.closest("figure"), by = +button.dataset.zoom;
      figure.factor = by ? Math.min(Math.max((figure.factor || 1) * by, 1), 64) : 1;
      for (const svg of figure.querySelectorAll("svg[data-left]")) {
        const box = svg.parentElement, at = box.scrollLeft / Math.max(box.scrollWidth, 1);
        stretch(svg, figure.factor);
        box.scrollLeft = at * box.scrollWidth;
      }
    });

  /* What a link leads to is opened. */
  function open() {
    let found = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    for (let one = found; one; one = one.parentElement) if (one.tagName === "DETAILS") one.open = true;
    if (found) found.scrollIntoView();
  }
  addEventListener("hashchange", open);
  open();

  const table = document.querySelector("table.results");
  if (!table) return;
  for (const button of table.querySelectorAll(".fold"))
    button.addEventListener("click", function () {
      const body = button.closest("tbody");
      button.setAttribute("aria-expanded", body.classList.toggle("open"));
    });
  function value(body, place, kind) {
    const cell = body.rows[0].cells[place], text = cell.dataset.value || cell.textContent.replace(/,/g, "");
    return kind === "text" ? cell.querySelector("a").textContent : text.trim() === "" ? null : parseFloat(text);
  }
  for (const heading of table.querySelectorAll("th[data-sort]"))
    heading.addEventListener("click", function () {
      const kind = heading.dataset.sort, up = heading.dataset.order !== "up", place = heading.cellIndex;
      for (const other of table.querySelectorAll("th[data-sort]")) delete other.dataset.order;
      heading.dataset.order = up ? "up" : "down";
      const bodies = Array.from(table.tBodies);
      bodies.sort(function (a, b) {
        const one = value(a, place, kind), two = value(b, place, kind);
        if (one === null || two === null) return (one === null) - (two === null); /* last, either way */
        return (one < two ? -1 : one > two ? 1 : 0) * (up ? 1 : -1);
      });
      for (const body of bodies) table.append(body);
    });
  const field = document.querySelector(".search input"), said = document.querySelector(".search .found");
  field.addEventListener("input", function () {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const body of table.tBodies)
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase(), found = words.every(function (word) { return text.includes(word); });
        row.classList.toggle("found", words.length > 0 && found);
        row.classList.toggle("missed", words.length > 0 && !found);
        count += found ? 1 : 0;
      }
    said.textContent = words.length ? count + " found" : "";
  });
})();
