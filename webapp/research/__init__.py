"""Research, as a part: the page of proofs.

Imports the game and `slidewise.research`; nothing else imports it.
"""
