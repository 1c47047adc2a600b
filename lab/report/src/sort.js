// A click on a heading sorts its table by that column, figures as numbers; another click turns the order round.
for (const table of document.querySelectorAll("table")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    let sign = 1;
    head.addEventListener("click", () => {
      const value = (row) => {
        const text = row.cells[column].textContent;
        const number = Number(text.replaceAll(",", ""));
        return Number.isNaN(number) ? text : number;
      };
      const rows = [...table.tBodies[0].rows];
      rows.sort((one, other) => {
        const [x, y] = [value(one), value(other)];
        return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
      });
      sign = -sign;
      table.tBodies[0].append(...rows);
    });
  });
}
