// Texts of the component by language. A page adds a language in the same form:
// customElements.get("slide-wise").texts.fr = { play: "Lecture" }. Missing texts are English, and
// so are errors in attributes, which are for the page's author.
export const TEXTS = {
  __proto__: null,
  en: {
    board: "Board, {rows} rows of {cols}", tile: "{tile}, row {row}, column {col}", can: "{tile}, can move {way}",
    blank: "blank", blankAt: "blank, row {row}, column {col}",
    U: "up", D: "down", L: "left", R: "right",
    slid: "Tile {tiles} {way}.", slidLine: "Tiles {tiles} {way}.",
    move: "{n} move", moves: "{n} moves", solved: "Solved in {moves}.",
    stuck: "Tile {tile} is not in the row or column of the blank.", nowhere: "No tile can move that way.",
    unreachable: "This goal cannot be reached.",
    noTile: "There is no tile {tile}.", enter: "Press Enter to move tile {tile}.", row: "Row {row}: {cells}.",
    undo: "Undo", redo: "Redo", restart: "Restart", undone: "Undone.", redone: "Redone.", restarted: "Restarted.",
    replay: "Replay", first: "To the start", prev: "One step back", next: "One step forward", last: "To the end",
    play: "Play", pause: "Pause", speed: "Speed", step: "Step", stepBoard: "Step {step}: {cells}",
    start: "The start.", moved: "Step {step}: tile {tile} moves {way}.",
    expansion: "Expansion", depth: "Depth", f: "f = g + h", frontier: "Frontier", stored: "Stored", generated: "Generated",
    of: "{step} of {total}", search: "Search", searchStart: "The search begins here.",
    chart: "Depth of each expanded board, up to {depth}, and boards in the frontier, up to {frontier}",
    waiting: "Waiting for the recording …",
    noBoard: "No board is given. Write one, such as board=\"1.2.3-4.5.6-7.0.8\".",
    badBoard: "The {name} “{text}” cannot be read. Write rows such as 1.2.3-4.5.6-7.0.8, with 0 for the blank.",
    badSize: "A board has 2 to 10 rows and columns. The {name} is {rows} × {cols}.",
    badTiles: "The {name} must have each number from 0 to {most} once.",
    badGoal: "The goal is {rows} × {cols}, and the board another size.",
    badMoves: "The moves “{text}” cannot be read. Write directions of tiles, such as U2RDL3.",
    manyMoves: "A replay has up to {most} moves.", wrongMove: "Move {step}, {way}, is impossible on this board.",
    badRecording: "The recording cannot be read.", noRecording: "The recording cannot be loaded.",
  },
  de: {
    board: "Brett, {rows} Zeilen mit {cols} Spalten", tile: "{tile}, Zeile {row}, Spalte {col}",
    can: "{tile}, kann nach {way}", blank: "leer", blankAt: "leer, Zeile {row}, Spalte {col}",
    U: "oben", D: "unten", L: "links", R: "rechts",
    slid: "Stein {tiles} nach {way}.", slidLine: "Steine {tiles} nach {way}.",
    move: "{n} Zug", moves: "{n} Züge", solved: "Gelöst: {moves}.",
    stuck: "Stein {tile} liegt nicht in der Zeile oder Spalte der Lücke.", nowhere: "Dorthin kann kein Stein.",
    unreachable: "Dieses Ziel ist nicht erreichbar.",
    noTile: "Es gibt keinen Stein {tile}.", enter: "Enter bewegt Stein {tile}.", row: "Zeile {row}: {cells}.",
    undo: "Zurück", redo: "Wiederholen", restart: "Neu beginnen", undone: "Zurückgenommen.", redone: "Wiederholt.",
    restarted: "Neu begonnen.",
    replay: "Wiedergabe", first: "Zum Anfang", prev: "Einen Schritt zurück", next: "Einen Schritt vor", last: "Zum Ende",
    play: "Abspielen", pause: "Anhalten", speed: "Tempo", step: "Schritt", stepBoard: "Schritt {step}: {cells}",
    start: "Der Anfang.", moved: "Schritt {step}: Stein {tile} nach {way}.",
    expansion: "Expansion", depth: "Tiefe", frontier: "Rand", stored: "Gespeichert", generated: "Erzeugt",
    of: "{step} von {total}", search: "Suche", searchStart: "Hier beginnt die Suche.",
    chart: "Tiefe jedes expandierten Bretts, bis {depth}, und Bretter im Rand, bis {frontier}",
    waiting: "Die Aufzeichnung wird geladen …",
  },
  es: {
    board: "Tablero, {rows} filas de {cols}", tile: "{tile}, fila {row}, columna {col}",
    can: "{tile}, puede ir {way}", blank: "hueco", blankAt: "hueco, fila {row}, columna {col}",
    U: "arriba", D: "abajo", L: "a la izquierda", R: "a la derecha",
    slid: "Ficha {tiles} {way}.", slidLine: "Fichas {tiles} {way}.",
    move: "{n} movimiento", moves: "{n} movimientos", solved: "Resuelto en {moves}.",
    stuck: "La ficha {tile} no está en la fila ni en la columna del hueco.", nowhere: "Ninguna ficha puede ir hacia allí.",
    unreachable: "Este objetivo no se puede alcanzar.",
    noTile: "No hay ficha {tile}.", enter: "Pulsa Intro para mover la ficha {tile}.", row: "Fila {row}: {cells}.",
    undo: "Deshacer", redo: "Rehacer", restart: "Reiniciar", undone: "Deshecho.", redone: "Rehecho.",
    restarted: "Reiniciado.",
    replay: "Repetición", first: "Al principio", prev: "Un paso atrás", next: "Un paso adelante", last: "Al final",
    play: "Reproducir", pause: "Pausa", speed: "Velocidad", step: "Paso", stepBoard: "Paso {step}: {cells}",
    start: "El principio.", moved: "Paso {step}: la ficha {tile} va {way}.",
    expansion: "Expansión", depth: "Profundidad", frontier: "Frontera", stored: "Guardados", generated: "Generados",
    of: "{step} de {total}", search: "Búsqueda", searchStart: "La búsqueda empieza aquí.",
    chart: "Profundidad de cada tablero expandido, hasta {depth}, y tableros en la frontera, hasta {frontier}",
    waiting: "Esperando la grabación …",
  },
};

// Function that fills the texts of a language: say("moved", { step: 1, tile: 5, way: "up" })
export function sayer(wanted, texts = TEXTS) {
  const find = (key) => (Object.hasOwn(texts, key) ? key : undefined);
  const lang = find(wanted) ?? find(wanted.split("-")[0]) ?? "en";
  const say = (name, values = {}) => (Object.hasOwn(texts[lang], name) ? texts[lang][name] : TEXTS.en[name])
    .replace(/\{(\w+)\}/g, (whole, key) => (Object.hasOwn(values, key) ? values[key] : whole));
  say.lang = lang;
  say.number = (n) => n.toLocaleString(lang);
  say.count = (n) => say(n === 1 ? "move" : "moves", { n: say.number(n) });
  return say;
}
