// Made by `python -m tests.languages` of webapp/translations/es/*.po
export const plural = (n) => Number((n != 1));
export const texts = {
  __proto__: null,
};
