// Reads zips: their directory, then single files, each unpacked within a bound. Nothing but the standard of zips is
// needed, with ZIP64, as Moodle writes it while it sends the file.
import { _ } from "../../language.js";

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const SIZE_64 = 0x0001; // kind of the extra field with sizes of 64 bits
const FULL = 0xffffffff; // a size that stands in that field
const MAX_END = 22 + 65_535; // bytes of the end record with its comment
const MAX_DIRECTORY = 8_000_000; // bytes

// Of each byte, for the checksum CRC-32
const TABLE = Uint32Array.from({ length: 256 }, (unused, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

const damaged = () => new Error(_("The zip is damaged. Download it again."));

async function viewOf(file, start, end) {
  return new DataView(await file.slice(start, end).arrayBuffer());
}

/** The files of a zip: { name, size, read }. `read(most)` resolves to bytes, and rejects with a reason in words. */
export async function readZip(file, maxEntries) {
  try {
    const { count, size, offset } = await endOf(file);
    if (count > maxEntries || size > MAX_DIRECTORY) {
      throw new Error(_("The zip has %(count)s files; at most %(most)s can be read.", { count, most: maxEntries }));
    }
    return entriesOf(file, await viewOf(file, offset, offset + size), count);
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error; // a field past the end
  }
}

async function endOf(file) {
  const start = Math.max(0, file.size - MAX_END);
  const tail = await viewOf(file, start, file.size);
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END || at + 22 + tail.getUint16(at + 20, true) !== tail.byteLength) continue;
    const found = { count: tail.getUint16(at + 10, true), size: tail.getUint32(at + 12, true),
      offset: tail.getUint32(at + 16, true) };
    const isLarge = found.count === 0xffff || found.size === FULL || found.offset === FULL;
    if (!isLarge || at < 20 || tail.getUint32(at - 20, true) !== LOCATOR_64) return found;
    const place = Number(tail.getBigUint64(at - 12, true));
    const large = await viewOf(file, place, place + 56);
    if (large.getUint32(0, true) !== END_64) throw damaged();
    const [count, size, offset] = [32, 40, 48].map((field) => Number(large.getBigUint64(field, true)));
    return { count, size, offset };
  }
  throw new Error(_("The file is no zip. Download it again."));
}

function entriesOf(file, view, count) {
  const entries = [];
  for (let at = 0; entries.length < count;) {
    if (view.getUint32(at, true) !== ENTRY) throw damaged();
    const [flags, method] = [8, 10].map((field) => view.getUint16(at + field, true));
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const name = textOf(new Uint8Array(view.buffer, at + 46, nameLength));
    const fields = [24, 20, 42].map((field) => view.getUint32(at + field, true));
    const [size, packed, offset] = withLarge(fields, view, at + 46 + nameLength, extraLength);
    const sum = view.getUint32(at + 16, true);
    entries.push({ name, size, read: (most) => unpack(file, { flags, method, packed, offset, sum }, most) });
    at += 46 + nameLength + extraLength + commentLength;
  }
  return entries.filter(({ name }) => !name.endsWith("/"));
}

// Sizes of 64 bits stand in an extra field, in this order and only if they are needed.
function withLarge(fields, view, start, length) {
  for (let at = start; at + 4 <= start + length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== SIZE_64) continue;
    let next = at + 4;
    return fields.map((value) => {
      if (value !== FULL) return value;
      next += 8;
      return Number(view.getBigUint64(next - 8, true));
    });
  }
  return fields;
}

// Names are UTF-8, also without the flag for it, or of an older system.
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

async function unpack(file, { flags, method, packed, offset, sum }, most) {
  if (flags & 1) throw new Error(_("The zip has a password. Unpack it and choose the files."));
  if (method !== 0 && method !== 8)
    throw new Error(_("The zip is packed in an unusual way. Unpack it and choose the files."));
  const local = await viewOf(file, offset, offset + 30);
  if (local.byteLength < 30) throw damaged();
  const start = offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
  let stream = file.slice(start, start + packed).stream();
  if (method === 8) stream = stream.pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  let found = -1;
  for (;;) {
    const { done, value } = await reader.read().catch(() => { throw damaged(); });
    if (done && ~found >>> 0 !== sum) throw damaged();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError("large");
    }
    for (const byte of value) found = TABLE[(found ^ byte) & 0xff] ^ (found >>> 8);
    parts.push(value);
  }
}
