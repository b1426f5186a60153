"""The first room: data made, read, cleaned and handed on in blocks of rows."""
