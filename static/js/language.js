// Translates the page's messages. They are in English in the code; the server writes the other languages into
// texts/<language>.js from the translators' files.
const { lang } = document.documentElement;
const none = { plural: (n) => Number(n !== 1), texts: {} };
// Twice, as `load` in dom.js
const textsIn = (name) =>
  import(`./texts/${name}.js`).catch(() => import(`./texts/${name}.js#again`)).catch(() => none);
const { plural, texts } = lang === "en" ? none : await textsIn(lang);

// For Intl; English dates are "1 August 2026"
export const locale = lang === "en" ? "en-GB" : lang;
export const number = (value, places) =>
  value.toLocaleString(locale, { minimumFractionDigits: places, maximumFractionDigits: places });

// Add the messages of another file of texts, such as "exercises"
export async function addTexts(name) {
  if (lang !== "en") Object.assign(texts, (await textsIn(`${name}-${lang}`)).texts);
}

const filled = (text, values) =>
  text.replace(/%(?:\((\w+)\)s|%)/g, (whole, name) => (name ? values[name] : "%"));

// _("Tile %(tile)s", { tile: 5 })
export const _ = (message, values = {}) =>
  filled(Object.hasOwn(texts, message) ? texts[message] : message, values);

// ngettext("%(num)s move", "%(num)s moves", 3)
export function ngettext(one, many, count, values = {}) {
  const forms = Object.hasOwn(texts, one) ? texts[one] : [one, many];
  return filled(forms[plural(count)], { num: number(count), ...values });
}

// A sentence that the server has too (webapp/play/sentences.py): gameText("slide-U", { tiles: 5 }, 1)
const sentences = JSON.parse(document.getElementById("sentences")?.textContent ?? "{}");
export const gameText = (key, values, count) => (count === undefined ? filled(sentences[key], values)
  : filled(sentences[key][plural(count)], { num: number(count), ...values }));

// "a, b and c"
export const listed = (items) => new Intl.ListFormat(locale).format(items.map(String));
