"""Cases of the visitors of the Essential edition."""
