// Types of the game, for editors and readers: no page loads this file.

/**
 * @typedef {object} Position
 * @property {string} board "1.2.3-4.5.6-7.0.8", as goal and start
 * @property {string} goal
 * @property {string} start
 * @property {string} made slides: "U2R"; begins with "…" if earlier ones are unknown
 * @property {string} undone the next to redo at the end
 * @property {number} moves tiles moved
 * @property {number} left the same before a restart that Undo takes back, otherwise 0
 * @property {boolean} helped
 */

/**
 * @typedef {object} Action
 * @property {string} name "slide", "undo", "redo", "restart", "alone", "hint", "assisted" or "play-on"
 * @property {number} [tile]
 * @property {string} [fields] of its form, encoded
 * @property {number} at milliseconds since 1970
 * @property {?number} played milliseconds of play before it
 * @property {boolean} isOld whether the server may have another board
 * @property {boolean} [isLast] of its request
 * @property {boolean} [isStored] by an earlier page
 * @property {?Position} from null if only the server knows it
 * @property {?Position} after
 *
 * @typedef {{ kind: string, html: string, position: ?Position, isLate?: boolean }} Answer
 */

/**
 * The events of a game, with their details.
 *
 * `change` { from, to, cause, action }: after each action, and when an answer changes the position. `cause` is the
 * action's name, "stored", "server", "refused", "other-board", "elsewhere" or "chosen".
 * `answer` { answer, batch, isOvertaken, isRefused }: `batch` is null for the server's game alone.
 * `refused` { why, tile }: "over", "stuck", "nothing-to-undo", "nothing-to-redo" or "at-the-start".
 * `conflict` { canKeep }: the player has to choose between two games.
 * `shown` and `sent` are the page's: it has drawn an action or an answer, and the server has all actions.
 * `alone`: the server cannot store the game. `stopped`: an impatient server is lost.
 */

export {};
