// The way to the server. The game is in a cookie, so a post without an answer had no effect, or its effect is seen in
// the server's next position. No DOM.
import { isSame, isShared, positionIn } from "./position.js";

const FIRST_WAIT = 2000; // milliseconds until the first retry, doubled after each
const LONGEST_WAIT = 30_000;
const PATIENCE = 20_000; // milliseconds until a request times out
const MOST_KEPT = 60_000; // characters: browsers refuse bodies above 64 kB that outlive the page
const KINDS = ["board", "refused", "elsewhere", "no-cookie", "notice"];
const BUSY = [429, 503]; // it takes the same later
const HEADERS = { "HX-Request": "true" };

/** The game no longer exists: a room whose hour is over. */
export class GoneError extends Error {}

/** Event: `link`, after each failed try, and when the server is found again. */
export class Server extends EventTarget {
  isLost = false;
  isAlone = false; // whether no other tab shows this game
  tryNow = () => {}; // ends the wait for the next try
  #underWay = null; // the last post of a tab alone

  /** `search` is the page's query: answers to another view differ. An impatient server rejects a post that fails. */
  constructor(url, { search = "", firstWait = FIRST_WAIT, isPatient = true } = {}) {
    super();
    Object.assign(this, { url, search, firstWait, isPatient });
  }

  /** Post until there is an answer. After a failure that is the server's game, with `isNews`, if it has changed. */
  post(batch, confirmed) {
    return this.#persist(async (isRetry) => {
      if (isRetry) {
        const answer = await this.current(AbortSignal.timeout(PATIENCE));
        if (!isSame(answer.position, confirmed)) return { ...answer, isNews: true };
      }
      const answer = await this.#inTurn(() => this.#post(batch, confirmed.board));
      return { ...answer, isLate: isRetry };
    });
  }

  /** The server's game, once it is reachable. */
  reach() { return this.#persist(() => this.current(AbortSignal.timeout(PATIENCE))); }

  async #persist(attempt) {
    for (let wait = this.firstWait; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
      try {
        const answer = await attempt(wait > this.firstWait);
        this.#setLost(false);
        return answer;
      } catch (error) {
        this.#setLost(true, error.status);
        if (!this.isPatient) throw error;
      }
      await this.#pause(wait);
    }
  }

  /** The server's game; rejects without a connection. */
  async current(signal) {
    const answer = await answerOf(fetch(`${this.url}${this.search}`, { headers: HEADERS, signal }));
    if (answer.kind !== "board") throw new Error("no game");
    return answer;
  }

  /** Note whether other tabs show this game. They wait for the pending post. */
  setAlone(isAlone) {
    if (this.isAlone && !isAlone) navigator.locks?.request(this.#turn, () => this.#underWay?.catch(() => {}));
    this.isAlone = isAlone;
  }

  // Leaving the page does not cancel a post.
  #post(batch, on) {
    const body = formOf(batch, on);
    const keepalive = `${body}`.length < MOST_KEPT;
    const signal = AbortSignal.timeout(PATIENCE);
    const request = { method: "POST", headers: HEADERS, body, keepalive, signal };
    return answerOf(fetch(`${this.url}/${pathOf(batch)}`, request));
  }

  // Posts of two tabs at once would overwrite each other's cookie. A tab alone posts in the task of the click,
  // without the lock.
  #inTurn(send) {
    if (this.isAlone || !navigator.locks) return (this.#underWay = send());
    return navigator.locks.request(this.#turn, send);
  }

  get #turn() { return `turn ${this.url}`; }

  #pause(wait) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.tryNow = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  // `status` is the HTTP status of a response without the game, undefined without a response.
  #setLost(isLost, status) {
    const isNews = isLost || this.isLost;
    Object.assign(this, { isLost, status });
    if (isNews) this.dispatchEvent(new Event("link"));
  }
}

// Pages of proxies and captive portals are no answers.
async function answerOf(request) {
  const response = await request;
  if (response.status === 410) throw new GoneError();
  const { status, headers } = response;
  const kind = headers.get("Slidewise-Answer");
  if (BUSY.includes(status) || !KINDS.includes(kind)) throw Object.assign(new Error("no answer"), { status });
  const html = await response.text();
  return { kind, html, position: positionIn(html) };
}

const pathOf = ([action]) => (isShared(action) ? "slide" : action.name);

// An action carries its age instead of its time, because clocks may be wrong.
function formOf(batch, on) {
  const form = new URLSearchParams(batch[0].fields);
  form.set("on", on);
  for (const { name, tile, at, played } of batch) {
    if (isShared(batch[0])) form.append("tile", name === "slide" ? tile : name);
    form.append("ago", Math.max(0, Date.now() - at));
    form.append("played", played ?? "");
  }
  return form;
}
