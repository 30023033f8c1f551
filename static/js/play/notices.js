// Rare notices: the game cannot be stored, or went on elsewhere.
import { button, make } from "../dom.js";
import { _ } from "../language.js";
import { game } from "./view.js";

/** Show the game's report that its moves cannot be stored, or that it went on elsewhere. */
export const show = ({ type, detail }) => (type === "alone" ? playWithoutCookies() : askWhich(detail.canKeep));

// The browser or the host drops the cookie: play on without the server, and say why.
function playWithoutCookies() {
  const words = _("Your moves cannot be stored: this game needs cookies. You can play on until you leave this page. To keep your moves, allow cookies for this site in the settings of your browser and reload the page. If they are allowed, the host or a proxy removes them.");
  document.getElementById("notice").replaceChildren(make("div", "notice cookies", make("p", {}, words)));
}

function askWhich(canKeep) {
  const words = canKeep ? _("This game was also played elsewhere. Which version do you want to use?")
    : _("This game was also played elsewhere, and your moves here no longer fit it.");
  const choice = (label, isMine) => button(label, {}, () => {
    notice.remove();
    game.choose(isMine);
  });
  const notice = make("div", { id: "which-game", class: "notice row", role: "alert" }, make("span", {}, words),
    canKeep && choice(_("Use this version"), true), choice(_("Use the other version"), false));
  document.getElementById("notice").after(notice); // the next move or notice would remove it within
}

/** Say that a game whose page is closed went on elsewhere, with a link to it. */
export function showOther(url) {
  if (document.getElementById("elsewhere")) return; // only one at a time
  const notice = make("div", { id: "elsewhere", class: "notice row", role: "status" },
    make("span", "", _("Another game that you played offline was also played elsewhere.")),
    make("a", { class: "btn", href: url }, _("Open that game")));
  document.getElementById("notice").after(notice);
}
