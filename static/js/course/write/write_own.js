// The file of a teacher's exercise. It is data from anywhere: the page shows its texts as text, and the judge,
// in its worker, checks the rest.
const FORMAT = "slidewise exercise 1"; // as in own_exercise.py
const NAME = /^[A-Za-z][\w-]{0,39}$/;
const isText = (value) => typeof value === "string" && value.trim() !== "";
const areTexts = (value) => Array.isArray(value) && value.every(isText);
const isCheck = ({ key, text, points }) => [key, text].every(isText) && Number.isInteger(points);

// The exercise in a text, or null
export function readExercise(text) {
  try {
    const { format, name, title, task, signature, starter, uses, hints, check } = JSON.parse(text);
    const isWhole = format === FORMAT && NAME.test(name) && areTexts([title, task, signature, starter])
      && areTexts(uses) && areTexts(hints) && check.length > 0 && check.every(isCheck);
    return isWhole ? { name, title, task, signature, starter, uses, hints, checks: check } : null;
  } catch {
    return null;
  }
}
