// What a page of paper cannot do: sorting, a readout of values, saving of files. Everything else works without.
"use strict";
(() => {
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  document.documentElement.classList.add("scripted");

  // What is packed: for each file a line with its number of bytes, type and name, then its bytes.
  const text = new TextDecoder();
  const unpack = async (id) => {
    const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
    const files = [];
    for (let at = 0; at < bytes.length; ) {
      const begin = bytes.indexOf(10, at) + 1;
      const [length, type, name] = text.decode(bytes.subarray(at, begin - 1)).split("\t");
      at = begin + Number(length);
      files.push({ name, type, bytes: bytes.subarray(begin, at) });
    }
    return files;
  };

  // Numbers with all their digits.
  const exact = (number) => {
    const size = Math.abs(number);
    return size === 0 || (size >= 1e-5 && size < 1e15) ? String(number) : number.toExponential().replace("+", "");
  };
  const words = (cell) => {
    const marks = all("sup", cell).reduce((sum, mark) => sum + mark.textContent.length, 0);
    return cell.textContent.slice(0, cell.textContent.length - marks);
  };

  const start = () => {
    // Sorting. A click goes from rising to falling to the first order; cells without a value stay last.
    const sortRows = (head, column) => {
      const body = head.closest("table").tBodies[0];
      const numbers = head.classList.contains("number");
      const key = (row) => {
        const cell = row.cells[column];
        if ("value" in cell.dataset) return Number(cell.dataset.value);
        const shown = words(cell).trim();
        if (!numbers) return shown || null;
        const number = Number(shown.replace("−", "-"));
        return shown === "" || !Number.isFinite(number) ? null : number;
      };
      const compare = (a, b) =>
        typeof a === "number" && typeof b === "number"
          ? (a > b) - (a < b)
          : String(a).localeCompare(String(b), "en", { numeric: true });
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort")];
      all("th", head.parentElement).forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", next);
      const rows = Array.from(body.rows, (row) => ({ row, key: next === "none" ? 0 : key(row), place: Number(row.dataset.place) }));
      const sign = next === "descending" ? -1 : 1;
      rows.sort((a, b) => {
        const missing = (a.key === null) - (b.key === null);
        return missing || (a.key === null ? 0 : sign * compare(a.key, b.key)) || a.place - b.place;
      });
      body.append(...rows.map(({ row }) => row));
    };
    all("table").forEach((table) => {
      Array.from(table.tBodies[0].rows).forEach((row, place) => (row.dataset.place = place));
      all("thead th", table).forEach((head, column) => {
        const button = document.createElement("button");
        button.type = "button";
        button.append(head.querySelector("span"));
        head.prepend(button);
        head.setAttribute("aria-sort", "none");
        button.addEventListener("click", () => sortRows(head, column));
      });
    });

    // The readout. Its text is the title of a mark or cell, which browsers would show late, small and only to mice.
    const tip = document.getElementById("nb-tip");
    let active = null;
    const show = (element, text, x, y) => {
      if (active) active.classList.remove("active");
      active = element;
      if (!element) {
        tip.style.visibility = "hidden";
        return;
      }
      element.classList.add("active");
      tip.textContent = text;
      tip.style.visibility = "visible";
      const { width, height } = tip.getBoundingClientRect();
      const left = Math.min(Math.max(4, x - width / 2), document.documentElement.clientWidth - width - 4);
      tip.style.left = `${Math.max(4, left)}px`;
      tip.style.top = `${y - height - 10 < 0 ? y + 18 : y - height - 10}px`;
    };
    const hide = () => show(null);
    const showAbove = (element) => {
      const box = element.getBoundingClientRect();
      show(element, element.dataset.tip, box.left + box.width / 2, box.top);
    };

    all("svg[role=group]").forEach((picture) => {
      const marks = all(".mark", picture);
      marks.forEach((mark) => {
        const title = mark.querySelector("title");
        mark.dataset.tip = title.textContent;
        mark.setAttribute("role", "img");
        mark.setAttribute("aria-label", title.textContent.replaceAll("\n", ", "));
        mark.setAttribute("tabindex", "-1");
        title.remove();
      });
      if (!marks.length) return;
      // One stop of the tab key per picture; arrows go from mark to mark.
      marks[0].setAttribute("tabindex", "0");
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
      picture.addEventListener("keydown", (event) => {
        if (event.key === "Escape") hide();
        const from = marks.indexOf(event.target);
        const to = event.key === "Home" ? 0 : event.key === "End" ? marks.length - 1 : from + steps[event.key];
        if (from < 0 || !marks[to]) return;
        event.preventDefault();
        marks[to].focus();
      });
      picture.addEventListener("focusin", ({ target }) => {
        marks.forEach((mark) => mark.setAttribute("tabindex", mark === target ? "0" : "-1"));
        showAbove(target);
      });
      picture.addEventListener("focusout", hide);

      // The mark below the pointer, or the nearest: markers are small and fingers are not.
      const nearest = (x, y) => {
        let best = [24, null];
        marks.forEach((mark) => {
          const shape = mark.querySelector(".marker, .bubble");
          if (!shape) return;
          const box = shape.getBoundingClientRect();
          const away = Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
          if (away < best[0]) best = [away, mark];
        });
        return best[1];
      };
      const point = (event) => {
        const { clientX: x, clientY: y, target } = event;
        const mark = nearest(x, y) ?? target.closest(".mark");
        const box = mark?.querySelector(".marker, .bubble, .ground")?.getBoundingClientRect();
        show(mark, mark?.dataset.tip, box ? box.left + box.width / 2 : x, box ? box.top : y);
      };
      picture.addEventListener("pointermove", point);
      picture.addEventListener("pointerdown", point);
      picture.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    });
    all("td.number[data-value], th.number[data-value]").forEach((cell) => {
      const shown = words(cell);
      const digits = exact(Number(cell.dataset.value)).replace(/^-/, "−");
      if (!cell.title && digits !== shown && Number.isFinite(Number(shown.replace("−", "-")))) cell.title = digits;
    });
    all("[title]", document.querySelector("main")).forEach((cell) => {
      cell.dataset.tip = cell.title;
      cell.removeAttribute("title");
      cell.addEventListener("pointerenter", () => showAbove(cell));
      cell.addEventListener("pointerdown", () => showAbove(cell));
      cell.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
    });
    // What has the focus may have come into sight by scrolling.
    const moved = () => {
      const focused = document.activeElement;
      return focused?.matches(".mark") ? showAbove(focused) : hide();
    };
    addEventListener("scroll", moved, { passive: true, capture: true });

    // Files inside the file, and tables as files.
    const save = (name, parts, type) => {
      const link = document.createElement("a");
      link.download = name;
      link.href = URL.createObjectURL(new Blob(parts, { type }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    };
    all("[data-save]").forEach((button) => {
      button.disabled = false;
      button.addEventListener("click", async () => {
        const { name, type, bytes } = (await unpack("nb-files"))[button.dataset.save];
        save(name, [bytes], type);
      });
    });
    const field = (head, cell) => {
      const shown = words(cell);
      const content = shown.replace(/(^|[\s([])−(?=\d)/g, "$1-");
      if (!head.classList.contains("number")) return content;
      if (!("value" in cell.dataset)) return shown === "–" ? "" : content;
      return content === "" || !Number.isFinite(Number(content)) ? content : exact(Number(cell.dataset.value));
    };
    const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    all("[data-csv]").forEach((button) => {
      button.addEventListener("click", () => {
        const table = button.closest("details, .block").querySelector("table");
        const heads = all("thead th", table);
        const body = Array.from(table.tBodies[0].rows).sort((a, b) => a.dataset.place - b.dataset.place);
        const rows = [...body, ...(table.tFoot?.rows ?? [])];
        const lines = rows.map((row) => heads.map((head, column) => field(head, row.cells[column])));
        const csv = [heads.map(words), ...lines].map((cells) => `${cells.map(quoted).join(",")}\n`);
        save(button.dataset.csv, csv, "text/csv");
      });
    });

    // Copying. Pages opened as files have no clipboard everywhere; then the text is selected instead.
    all("[data-copy]").forEach((button) => {
      button.addEventListener("click", async () => {
        const source = button.parentElement.querySelector("p, pre");
        try {
          await navigator.clipboard.writeText(source.textContent);
          button.textContent = "Copied";
        } catch {
          getSelection().selectAllChildren(source);
          button.textContent = "Selected";
        }
        setTimeout(() => (button.textContent = "Copy"), 2000);
      });
    });

    // Light and dark: the condition of the dark rule is what decides.
    const rules = Array.from(document.styleSheets[0].cssRules);
    const dark = rules.find((rule) => rule.media?.mediaText.includes("dark")).media;
    const schemes = [["automatic", dark.mediaText], ["light", "not all"], ["dark", "screen"]];
    let scheme = 0;
    const button = document.getElementById("nb-scheme");
    button.addEventListener("click", () => {
      scheme = (scheme + 1) % schemes.length;
      dark.mediaText = schemes[scheme][1];
      button.textContent = `Colours: ${schemes[scheme][0]}`;
    });
    document.documentElement.classList.add("ready");
  };

  // Tables and figures of large pages.
  const packed = all("[data-packed]");
  const fill = (files) =>
    packed.forEach((place) => {
      const template = document.createElement("template");
      template.innerHTML = text.decode(files[place.dataset.packed].bytes);
      place.replaceWith(template.content);
    });
  if (!packed.length) return start();
  unpack("nb-packed")
    .then(fill, () => all(".missing").forEach((note) => (note.textContent = "This browser cannot unpack it; a newer one can.")))
    .then(start)
    .then(() => location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView());
})();
