// The file to hand in: the code below a comment with exercise, seed, rules and name. Nothing is sent.
import { copy, download } from "../../files.js";
import { _ } from "../../language.js";

const { exercise, head } = document.querySelector("main").dataset;
const FIELD = /^# (?:Slidewise exercise|Seed|Rules|Name|To judge it):/;
const [name, given] = ["name", "given"].map((id) => document.getElementById(id));

function fileText(code) {
  const lines = code.split("\n");
  const first = lines.findIndex((line) => !FIELD.test(line)); // a file that was pasted has a comment already
  const own = lines.slice(Math.max(first, 0)).join("\n").replace(/^\n+/, "");
  const typed = name.value.replace(/\s+/g, " ").trim();
  return `${head.trimEnd()}\n${typed ? `# Name: ${typed}\n` : ""}\n${own}${own.endsWith("\n") ? "" : "\n"}`;
}

export const fileOf = (code) => new Blob([fileText(code)], { type: "text/x-python" });

export function start(code) {
  document.getElementById("give-download").addEventListener("click", () => {
    const typed = name.value.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    const file = `${exercise.replace("own:", "")}${typed ? `-${typed}` : ""}.py`;
    download(fileOf(code()), file);
    given.textContent = _("%(file)s is downloaded.", { file });
  });
  document.getElementById("give-copy").addEventListener("click", async () => {
    given.textContent = await copy(fileText(code())) ? _("Copied.")
      : _("The browser does not allow copying. Download the file.");
  });
}
