// Drag, pinch and wheel on a picture: one pointer moves it, two zoom it. The wheel zooms at once if
// `zoomsAtOnce`, otherwise only while the picture has the focus.
const SLIP = 4; // pixels that a tap may slip

export function listen(box, { pan, zoom, tap, zoomsAtOnce }) {
  const pointers = new Map();
  let moved = 0;
  const here = (event) => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, here(event));
    if (pointers.size === 1) moved = 0;
    box.setPointerCapture(event.pointerId);
  });
  box.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = here(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    pointers.set(event.pointerId, now);
    if (other) {
      const distance = (point) => Math.hypot(point.x - other.x, point.y - other.y) || 1;
      zoom(distance(now) / distance(before), other.x, other.y);
    } else if (moved > SLIP) pan(now.x - before.x, now.y - before.y);
  });
  box.addEventListener("pointerup", (event) => {
    if (pointers.delete(event.pointerId) && pointers.size === 0 && moved <= SLIP) {
      const { x, y } = here(event);
      tap(x, y);
    }
  });
  box.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
  box.addEventListener("wheel", (event) => {
    if (!zoomsAtOnce && !event.ctrlKey && !box.contains(document.activeElement)) return;
    event.preventDefault();
    const { x, y } = here(event);
    zoom(Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) / 240), x, y);
  }, { passive: false });
}
