"""Every law of the layout algebra as a property test, named by the law; what refusals are worth is checked too."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from layout_laws import LAWS
from strategies import Drawn

from tilewright import LayoutError


@pytest.mark.parametrize("name", LAWS)
@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(data=st.data())
def test_law(name: str, data: st.DataObject) -> None:
    try:
        LAWS[name](Drawn(data))
    except LayoutError:
        assume(False)
