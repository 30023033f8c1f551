"""The searches under the algorithms: what is stored, walked and widened."""
