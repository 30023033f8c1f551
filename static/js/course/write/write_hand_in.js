// The file to hand in: the code below a comment with exercise, seed, rules and name. Nothing is sent.
import { _ } from "../../language.js";

const { exercise, head } = document.querySelector("main").dataset;
const FIELD = /^# (?:Slidewise exercise|Seed|Rules|Name|To judge it):/;
const [name, given] = ["name", "given"].map((id) => document.getElementById(id));

export function fileText(code) {
  const lines = code.split("\n");
  const first = lines.findIndex((line) => !FIELD.test(line)); // a file that was pasted has a comment already
  const own = lines.slice(Math.max(first, 0)).join("\n").replace(/^\n+/, "");
  const typed = name.value.replace(/\s+/g, " ").trim();
  return `${head.trimEnd()}\n${typed ? `# Name: ${typed}\n` : ""}\n${own}${own.endsWith("\n") ? "" : "\n"}`;
}

export function start(code) {
  document.getElementById("give-download").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([fileText(code())], { type: "text/x-python" }));
    const typed = name.value.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "");
    link.download = `${exercise}${typed ? `-${typed}` : ""}.py`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
    given.textContent = _("%(file)s is downloaded.", { file: link.download });
  });
  document.getElementById("give-copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(fileText(code()));
      given.textContent = _("Copied.");
    } catch {
      given.textContent = _("The browser does not allow copying. Download the file.");
    }
  });
}
