"""The table of what a buffer can do: a row each."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.lang.addresses import VectorLoad, VectorStore, ViewOf
from tilewright.lang.rows import Method
from tilewright.lang.vectors import vload, vstore
from tilewright.lang.views import of_buffer

METHODS: Mapping[type[VectorLoad] | type[VectorStore] | type[ViewOf], Method] = {
    VectorLoad: Method("vload", vload, "An element, or so many of a row as one access: v[0] is the first."),
    VectorStore: Method("vstore", vstore, "The element, or so many as `vload` gave, become the value."),
    ViewOf: Method("view", of_buffer, "The elements in another shape, or of shared memory as another type."),
}
