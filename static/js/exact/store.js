// Computed tables, compressed in the browser's cache `tables`, by the names of their kinds. A worker named
// `unstored` stores none, as a visitor has set.
const STORE = "tables";

const keyOf = (name) => `${location.origin}/${STORE}/${name}`;

// The table from an earlier page, or else `build()`. Browsers have no cache on plain http.
export async function storedOr(name, length, build) {
  const stored = await read(name, length);
  if (stored) return stored;
  const values = build();
  if (globalThis.name !== "unstored") write(name, values).catch(() => {}); // no room, or storage is off: it is built again
  return values;
}

async function read(name, length) {
  try {
    const response = await (await caches.open(STORE)).match(keyOf(name));
    const unpacked = response.body.pipeThrough(new DecompressionStream("gzip"));
    const values = new Uint8Array(await new Response(unpacked).arrayBuffer());
    return values.length === length ? values : null;
  } catch {
    return null;
  }
}

async function write(name, values) {
  const packed = new Blob([values]).stream().pipeThrough(new CompressionStream("gzip"));
  const cache = await caches.open(STORE);
  await cache.put(keyOf(name), new Response(await new Response(packed).blob()));
}
