"""Pointers that drag tiles: a mouse and a finger."""

from playwright.sync_api import CDPSession, Page

Point = tuple[float, float]


class Mouse:
    """Drags by mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, at: Point) -> None:
        self.page.mouse.move(*at)
        self.page.mouse.down()

    def move(self, to: Point) -> None:
        self.page.mouse.move(*to, steps=5)

    def release(self) -> None:
        self.page.mouse.up()


class Finger:
    """Drags by touch events, as a touch screen sends them."""

    def __init__(self, page: Page) -> None:
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.at: Point = (0, 0)

    def _send(self, kind: str, *points: Point) -> None:
        touched = [{"x": x, "y": y} for x, y in points]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})

    def press(self, at: Point) -> None:
        self.at = at
        self._send("touchStart", at)

    def move(self, to: Point) -> None:
        (x, y), (to_x, to_y) = self.at, to
        for part in 0.2, 0.4, 0.6, 0.8, 1:
            self._send("touchMove", (x + part * (to_x - x), y + part * (to_y - y)))
        self.at = to

    def release(self) -> None:
        self._send("touchEnd")


def drag(hand: Mouse | Finger, at: Point, dx: float, dy: float) -> None:
    """Press at a point and move by (dx, dy), without releasing."""
    hand.press(at)
    hand.move((at[0] + dx, at[1] + dy))
