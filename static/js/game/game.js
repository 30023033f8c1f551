// The game of a page. `act`, `accept`, `resume` and `choose` change it, and views follow its events. No DOM.
import { LocalGame, UNTOUCHED, foresee, isSame, isShared, isSolved, isUntouched, tilesOf } from "./position.js";

/** @import { Action, Answer } from "./types.js" */

const MOST_AT_ONCE = 100; // actions in one request, as many as the server takes
const MOST_CONFIRMED = 100; // confirmed actions that can be posted again

export class Game extends LocalGame {
  /** @type {Action[]} without an answer, the oldest first */ queue = [];
  played = () => null;
  /** @type {?Answer} with another game than this one, until the player chooses */ conflict = null;
  hasOthers = false; // whether other tabs change the game too
  #begin;
  begun = new Promise((resolve) => { this.#begin = resolve; }); // with the first action
  #isSending = false;
  #past = []; // the last confirmed actions
  #later = []; // calls that need the position
  #isPaused = false; // until stored actions are read
  #isUnchecked = false; // until the server's game is there
  #isRemade = false; // after the server had lost it
  #changes = 0; // actions so far

  /** Without a server actions wait for `connect`. An answer waits for the promise of `settled`. */
  constructor(confirmed, { server, settled = async () => {} } = {}) {
    super(confirmed);
    Object.assign(this, { server, settled });
  }

  /** Post actions to a server, null to play without one; `played` returns the milliseconds of play. */
  connect(server, played) {
    Object.assign(this, { server, played });
    if (!server) [this.confirmed, this.queue] = [this.shown ?? this.confirmed, []];
    this.#send();
  }

  /** @returns {?Position} the position after all actions, null if only the server knows it */
  get shown() { return this.queue.length > 0 ? this.queue.at(-1).after : this.confirmed; }

  get isKnown() { return this.shown !== null && !this.#isPaused; }

  /** Run a function that needs the position, now or once it is known. */
  whenKnown(run) {
    if (this.isKnown) run();
    else this.#later.push(run);
  }

  /** Have actions wait until `resume`. */
  pause() { this.#isPaused = true; }

  /** Make an action, or report why it is impossible. Stored actions have `at` and `played`. */
  act(name, given = {}) {
    if (!this.isKnown) return void this.#later.push(() => this.act(name, given));
    const isOld = Boolean(this.server?.isLost);
    super.act(name, { at: Date.now(), isOld, ...given, played: given.played ?? this.played() });
  }

  add(action) {
    this.#changes += 1;
    this.#begin();
    if (this.server === null) return super.add(action);
    this.queue.push(action);
    queueMicrotask(() => this.#send()); // with the other actions of this task
  }

  // Post the waiting actions, one request at a time.
  async #send() {
    if (!this.server || this.#isSending || this.queue.length === 0 || this.conflict || this.#isUnchecked) return;
    this.#isSending = true;
    const batch = batchOf(this.queue);
    let answer;
    try {
      answer = await this.server.post(batch, this.confirmed);
    } catch {
      return this.report("stopped"); // an impatient server
    }
    await this.settled();
    this.#isSending = false;
    this.accept(answer, answer.isNews ? null : batch);
  }

  /** Take an answer to a batch of actions, or the server's game: look for its position in the queue. */
  accept(answer, batch = null) {
    const before = this.shown;
    const cause = this.#take(answer, batch);
    const { shown } = this;
    if (cause && (!before || !shown || !isSame(before, shown) || before.start !== shown.start))
      this.report("change", { from: before, to: shown, cause });
    const isOvertaken = this.queue.length > 0 || this.conflict !== null;
    this.report("answer", { answer, batch, isOvertaken, isRefused: ["refused", "elsewhere"].includes(cause) });
    this.#flush();
    this.#send();
  }

  // Returns the cause of a change, or null.
  #take(answer, batch) {
    const { kind, position } = answer;
    if (kind === "no-cookie") return this.#makeAgain(batch);
    if (kind === "notice") { // an error: the page fetches the server's game
      this.queue = [];
      return "refused";
    }
    if (batch && kind === "board") return this.#confirm(batch.length, position);
    const done = 1 + this.queue.findLastIndex(({ after }) => after && isSame(after, position));
    const isWhole = batch?.length === done;
    if (done > 0 && (isWhole || !batch || kind === "elsewhere")) return this.#confirm(done, position);
    if (done > 0 || isSame(position, this.confirmed)) {
      this.confirmed = position;
      if (batch) this.queue = []; // the actions after a refused action are void
      return batch ? "refused" : "server";
    }
    const lost = this.#lostBefore(position);
    if (lost) {
      this.queue.unshift(...lost);
      this.confirmed = position;
      return null;
    }
    if (this.queue.length > 0 && isUntouched(position)) return this.#makeAgain(batch ?? []);
    const isOld = !batch || batch.length > 1 || batch[0].isOld || answer.isLate;
    if (this.queue.length > 0 && isOld) return this.#disagree(answer);
    this.queue = [];
    this.confirmed = position;
    return "elsewhere";
  }

  // Remove confirmed actions. Later actions stay if they were made on the server's board.
  #confirm(count, position) {
    const done = this.queue.splice(0, count);
    const { after } = done.at(-1);
    if (this.confirmed.board !== this.confirmed.start) this.#isRemade = false; // the server has its cookie
    this.#past.push(...done);
    this.#past.splice(0, this.#past.length - MOST_CONFIRMED);
    this.confirmed = position;
    const isOther = after !== null && after.board !== position.board;
    if (isOther) this.queue = [];
    else if (!after || !isSame(after, position)) this.#recompute();
    return isOther ? "other-board" : "server";
  }

  // The positions of the queue, from the confirmed position
  #recompute() {
    let from = this.confirmed;
    for (const [index, action] of this.queue.entries()) {
      const { after, why } = from ? foresee(from, action) : { after: null };
      if (why) this.queue.splice(index);
      Object.assign(action, { from, after });
      from = after;
    }
  }

  // The confirmed actions that the server has lost, as a late answer to an earlier page has reset its cookie
  #lostBefore(position) {
    if (this.hasOthers) return null; // another tab may have undone them
    const first = this.#past.findLastIndex(({ from }) => from && isSame(from, position));
    return first < 0 ? null : this.#past.splice(first);
  }

  // The server has no such game: make it again from its start, once, and see with the next post whether it has it.
  #makeAgain(batch) {
    const before = tilesOf(this.confirmed);
    if (this.#isRemade || !before) return this.#goOnAlone();
    this.#isRemade = true;
    const again = before.map((tile) => this.#again("slide", tile));
    for (const action of [again.at(-1), batch.at(-1)]) if (action) action.isLast = true;
    this.queue.unshift(...again);
    this.confirmed = { ...this.confirmed, ...UNTOUCHED, board: this.confirmed.start };
    this.#recompute();
    return null;
  }

  // Repeat an earlier action.
  #again(name, tile) {
    return { name, tile, fields: this.queue[0]?.fields, at: Date.now(), played: null, isOld: true };
  }

  // Without cookies no move can be stored.
  #goOnAlone() {
    this.confirmed = this.shown ?? this.confirmed;
    this.queue = [];
    this.server = null;
    this.report("alone");
    return null;
  }

  #disagree(answer) {
    this.conflict = answer;
    this.report("conflict", { canKeep: tilesOf(this.confirmed) !== null });
    return null;
  }

  /** Settle a conflict: the server gets this game, from its start, or its game is taken. */
  choose(isMine) {
    const { conflict: answer, confirmed, shown } = this;
    this.conflict = null;
    this.confirmed = answer.position;
    if (isMine) {
      const again = answer.position.made ? [this.#again("restart")] : [];
      this.queue.unshift(...again, ...tilesOf(confirmed).map((tile) => this.#again("slide", tile)));
      this.#recompute();
    } else this.queue = [];
    this.report("change", { from: shown, to: this.shown, cause: "chosen" });
    if (!isMine) this.report("answer", { answer, batch: null, isOvertaken: false });
    this.#flush();
    this.#send();
  }

  /**
   * Continue with stored actions after the position `begun`, as far as the server's game does not have them. If that
   * is null, `check` follows.
   */
  resume(begun, stored, answer) {
    const known = positionsOf(begun, stored);
    const index = answer ? known.findLastIndex((one) => one && isSame(one, answer.position)) : -1;
    const isUnknown = index < 0 && known.at(-1) === null; // the last action was the server's to work out
    const hasAll = answer && isUnknown;
    const from = this.confirmed;
    this.#isPaused = false;
    this.#isUnchecked = !answer;
    this.confirmed = index >= 0 || hasAll ? answer.position : begun;
    this.report("change", { from, to: this.confirmed, cause: "stored" });
    const rest = hasAll ? [] : stored.slice(Math.max(index, 0));
    for (const action of rest) this.act(action.name, { ...action, isOld: true, isStored: true });
    if (answer && index < 0 && !hasAll) return this.accept(answer);
    if (answer?.html) this.report("answer", { answer, batch: null, isOvertaken: this.queue.length > 0 });
    this.#flush();
  }

  /** Compare with the server's game, and post the actions that it lacks. */
  check(answer) {
    this.#isUnchecked = false;
    this.accept(answer);
  }

  /** Take the server's game if nothing waits and nothing changes meanwhile. Returns whether it was taken. */
  async refresh(signal) {
    const changes = this.#changes;
    const isOpen = () => this.server && this.queue.length === 0 && !this.conflict && this.#changes === changes;
    if (!isOpen()) return false;
    const answer = await this.server.current(signal).catch(() => null);
    if (!answer || !isOpen()) return false;
    this.accept(answer);
    return true;
  }

  /** Take an answer to another tab, if nothing waits here. */
  hear(answer) {
    if (this.server && this.queue.length === 0 && !this.conflict) this.accept(answer);
  }

  goOn() {
    this.#isPaused = false;
    this.#flush();
  }

  #flush() {
    while (this.#later.length > 0 && this.isKnown) this.#later.shift()();
  }
}

// The positions before and after actions, null if only the server knows them
function positionsOf(begun, actions) {
  const positions = [begun];
  for (const action of actions) positions.push((positions.at(-1) && foresee(positions.at(-1), action).after) ?? null);
  return positions;
}

// Actions for one request. A restart is the last, as the server accepts only one, and so is a
// finish, as its result is in the answer. Actions that only the server knows go alone.
function batchOf(queue) {
  if (!isShared(queue[0])) return queue.slice(0, 1);
  const other = queue.findIndex((action) => !isShared(action));
  const last = queue.findIndex(({ name, isLast, from, after }) =>
    name === "restart" || isLast || (after && from && isSolved(after) && !isSolved(from)));
  const ends = [other < 0 ? Infinity : other, last < 0 ? Infinity : last + 1, MOST_AT_ONCE];
  return queue.slice(0, Math.min(...ends));
}
