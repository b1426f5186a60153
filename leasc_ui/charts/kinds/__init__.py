"""The picture that each kind of data has: a map of a scene, tracks in a frame, a timeline, genes, texts, a contact sheet."""
