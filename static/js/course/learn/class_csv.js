// The table of a class as CSV, with the columns of `slidewise grade --csv` and the name and seed.
const COLUMNS = ["name", "file", "exercise", "seed", "points", "of", "mistake", "failed check", "note", "board", "goal",
  "yours", "expected", "error"];

export const csvOf = (graded) => [COLUMNS, ...graded.map(rowOf)]
  .map((row) => row.map(cellOf).join(",")).join("\r\n").concat("\r\n");

function rowOf({ who, name, task, report, why }) {
  const { exercise = "", seed = "" } = task ?? {};
  if (!report) return [who, name, exercise, seed, "", "", "", "", "", "", "", "", "", why];
  const { points, points_possible: possible, mistake, checks, case: shown, error } = report;
  const failed = checks.find(({ passed }) => !passed);
  return [who, name, exercise, seed, points, possible, mistake?.title, failed?.text, failed?.note, shown?.board,
    shown?.goal, shown?.yours, shown?.expected, error ? `${error.type}: ${error.message}` : ""];
}

// Spreadsheets take a cell that begins with these signs for a formula.
function cellOf(value) {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
