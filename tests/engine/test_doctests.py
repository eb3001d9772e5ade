"""The examples in the rule book's own words run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import games.engine

MODULES = [f"games.engine.{module.name}" for module in pkgutil.iter_modules(games.engine.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    assert "ust not know" in module.__doc__ or "ust not" in module.__doc__
    results = doctest.testmod(module)
    assert results.attempted > 0 or name.endswith("__init__")
    assert results.failed == 0
