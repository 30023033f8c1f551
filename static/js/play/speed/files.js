// Buttons that export the session to a file and import one
import { _, ngettext } from "../../language.js";
import { MOST_BYTES, csvOf, read } from "./csv.js";
import { button, make } from "./elements.js";

function download(solves) {
  const address = URL.createObjectURL(new Blob([csvOf(solves)], { type: "text/csv" }));
  make("a", { href: address, download: "slidewise-solves.csv" }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it later
}

async function load(file, add, report) {
  if (file.size > MOST_BYTES) return report(_("The file is larger than %(most)s MB. Nothing was read.", { most: MOST_BYTES / 1e6 }));
  const { solves, mistake } = read(await file.text());
  if (mistake) return report(`${mistake} ${_("Nothing was read.")}`);
  const count = add(solves);
  report(count === 0 ? _("All of its solves were in the list.")
    : ngettext("%(num)s solve added.", "%(num)s solves added.", count));
}

// `all` returns the solves, `add` imports some and returns the number of new ones, `report` shows a message.
export function fileButtons(all, add, report) {
  const input = make("input", { type: "file", accept: ".csv,text/csv" });
  input.addEventListener("change", async () => {
    if (input.files.length > 0) await load(input.files[0], add, report);
    input.value = "";
  });
  return [button(_("Save as CSV"), {}, () => download(all())), make("label", { class: "btn file" }, _("Open CSV …"), input)];
}
