"""Research: proofs."""
