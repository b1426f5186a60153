"""A model on disk: one file, a zip of ``manifest.json`` and ``arrays.safetensors``. No pickle, nothing executable."""

import hashlib
import json
import struct
import zipfile

import numpy as np

from ..errors import BundleError
from .files import replacing
from .versions import stamp, unreadable

FORMAT = "leasc-bundle"
# 1 knew landmarks and codes; 2 also kept points, preparations and the names of columns.
VERSION, READ = 2, (1, 2)
MEMBERS = ("manifest.json", "arrays.safetensors")
MOST_MANIFEST_BYTES = 1 << 20
MOST_ARRAY_BYTES = 16 << 30


def write_bundle(path, kind, settings, arrays):
    """Write ``settings`` (JSON values) and ``arrays`` (name → ndarray) to ``path``; all of it or nothing.

    The file appears under its name only when it is complete and synced.
    """
    from safetensors.numpy import save

    body = save({name: np.ascontiguousarray(A) for name, A in arrays.items()})
    manifest = {
        "format": FORMAT,
        **stamp(VERSION),
        "kind": kind,
        "settings": settings,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    with replacing(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as bundle:
        bundle.writestr(MEMBERS[0], json.dumps(manifest, indent=1, sort_keys=True))
        bundle.writestr(MEMBERS[1], body)


def save_bundle(path, kind, settings, arrays):
    """:func:`write_bundle` for a model that somebody saves: a full disk or a closed folder is a :class:`BundleError`."""
    try:
        write_bundle(path, kind, settings, arrays)
    except OSError as error:
        raise BundleError(
            f"{path} cannot be saved ({error.strerror or error}); free some space or choose another folder, then save again."
        ) from None


def read_bundle(path, kind):
    """``(settings, arrays)`` of a bundle of this kind; a :class:`BundleError` says what is wrong with any other file."""
    manifest, body = _members(path)
    if manifest.get("format") != FORMAT:
        raise BundleError(f"{path} is not a model saved by this program; choose a .leasc file.")
    if (why := unreadable(path, "model", manifest, READ)) is not None:
        raise BundleError(why)
    if manifest.get("kind") != kind:
        raise BundleError(f"{path} holds a {manifest.get('kind')!r} model, not a {kind!r} model; load it with that class.")
    if hashlib.sha256(body).hexdigest() != manifest.get("sha256"):
        raise BundleError(f"{path} is damaged: its arrays do not match its manifest; copy or save it again.")
    return manifest["settings"], _arrays(path, body)


def kind_of(path) -> str | None:
    """What kind of model a bundle holds, by its manifest alone; None where that cannot be read."""
    try:
        with zipfile.ZipFile(path) as bundle:
            if bundle.getinfo(MEMBERS[0]).file_size > MOST_MANIFEST_BYTES:
                return None
            manifest = json.loads(bundle.read(MEMBERS[0]))
            return manifest.get("kind") if isinstance(manifest, dict) else None
    except (zipfile.BadZipFile, KeyError, OSError, ValueError, EOFError, NotImplementedError, RuntimeError):
        return None


def _members(path):
    try:
        with zipfile.ZipFile(path) as bundle:
            sizes = {info.filename: info.file_size for info in bundle.infolist()}
            stored = all(info.compress_type == zipfile.ZIP_STORED for info in bundle.infolist())
            if sorted(sizes) != sorted(MEMBERS) or len(bundle.infolist()) != len(MEMBERS) or not stored:
                raise BundleError(f"{path} is not a model bundle: it must hold exactly {' and '.join(MEMBERS)}, stored.")
            if sizes[MEMBERS[0]] > MOST_MANIFEST_BYTES or sizes[MEMBERS[1]] > MOST_ARRAY_BYTES:
                raise BundleError(f"{path} is too large for a model bundle; choose a file saved by this program.")
            manifest, body = json.loads(bundle.read(MEMBERS[0])), bundle.read(MEMBERS[1])
    except FileNotFoundError:
        raise BundleError(f"{path} does not exist; check the name of the model file.") from None
    except BundleError:
        raise
    except (zipfile.BadZipFile, struct.error, OSError, ValueError, EOFError, NotImplementedError, RuntimeError) as error:
        raise BundleError(f"{path} cannot be read as a model bundle ({error}); copy or save it again.") from None
    if not isinstance(manifest, dict) or not isinstance(manifest.get("settings"), dict):
        raise BundleError(f"{path} has a manifest without settings; save the model again.")
    return manifest, body


def _arrays(path, body):
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(body)
    except (SafetensorError, ValueError, KeyError) as error:
        raise BundleError(f"{path} holds arrays that cannot be read ({error}); save the model again.") from None
