// Tables of a class as CSV: all columns, and a row a student for the import of Moodle or Canvas.
const COLUMNS = ["name", "file", "exercise", "seed", "points", "of", "mistake", "failed check", "note", "board", "goal",
  "yours", "expected", "error", "id", "email", "alike"];
const CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"];
const POSSIBLE = "    Points Possible"; // the row that Canvas has below the titles

/** One row a file, with the columns of `slidewise grade --csv` and more. */
export const csvOf = (graded) => csv([COLUMNS, ...graded.map(rowOf)]);

/** One row a student with points, for "moodle" or "canvas". Students are known by `key`, "email" or "id". */
export function importOf(system, key, students, title) {
  const points = ({ report }) => (report?.read ? report.points : "");
  if (system === "moodle") {
    const known = ({ userId, email }) => (key === "id" ? userId : email);
    const rows = students.map((one) => [known(one), one.who, points(one)]);
    return csv([[key === "id" ? "idnumber" : "email", "name", title], ...rows]);
  }
  const rows = students.map((one) =>
    [one.who, key === "id" ? one.userId : "", "", key === "email" ? one.email : "", "", points(one)]);
  const possible = students.find(({ report }) => report)?.report.points_possible ?? "";
  return csv([[...CANVAS, title], [POSSIBLE, "", "", "", "", possible], ...rows]);
}

const csv = (rows) => rows.map((row) => row.map(cellOf).join(",")).join("\r\n").concat("\r\n");

function rowOf({ who, name, task, report, why, id, email = "", alike = [] }) {
  const { exercise = "", seed = "" } = task ?? {};
  const last = [id, email, alike.map((other) => other.who).join(", ")];
  if (!report?.read) {
    const reason = why || report?.error?.message || "";
    return [who, name, exercise, seed, "", "", "", "", "", "", "", "", "", reason, ...last];
  }
  const { points, points_possible: possible, mistake, checks, case: shown, error } = report;
  const failed = checks.find(({ passed }) => !passed);
  return [who, name, exercise, seed, points, possible, mistake?.title, failed?.text, failed?.note, shown?.board,
    shown?.goal, shown?.yours, shown?.expected, error ? `${error.type}: ${error.message}` : "", ...last];
}

// Spreadsheets take a cell that begins with these signs for a formula.
function cellOf(value) {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
