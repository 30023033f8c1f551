"""Signatures with a time that hold when the clock of the server has been set back."""

from __future__ import annotations

from typing import Any

from itsdangerous import SignatureExpired, TimestampSigner


class AnyClockSigner(TimestampSigner):
    """Takes what it signed by a clock that was ahead of today's; only what is too old is refused.

    itsdangerous refuses both, and games would be lost to a clock set back by some seconds. Nobody
    else can sign a time that is still to come.

    It derives each key once: who signs much keeps the signer.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._derived: dict[str | bytes | None, bytes] = {}

    def derive_key(self, secret_key: str | bytes | None = None) -> bytes:
        """Return the key for this salt that comes of a secret key, or of the newest."""
        if secret_key not in self._derived:
            self._derived[secret_key] = super().derive_key(secret_key)
        return self._derived[secret_key]

    def unsign(
        self, signed_value: str | bytes, max_age: int | None = None, return_timestamp: bool = False
    ) -> Any:
        """Return what was signed, at most `max_age` seconds ago, and when, where that is asked."""
        value, signed_at = super().unsign(signed_value, return_timestamp=True)
        age = self.get_timestamp() - int(signed_at.timestamp())
        if max_age is not None and age > max_age:
            raise SignatureExpired(f"signed {age} seconds ago", value, signed_at)
        return (value, signed_at) if return_timestamp else value
