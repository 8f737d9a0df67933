"""`sverdrup watch`: shows how files grow while a run writes them, and which ranks wait (docs/watch.md). It only reads:
it opens no file with a library and takes no lock."""
