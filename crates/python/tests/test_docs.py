"""Every name is documented, and what docstrings show is true."""

import doctest
import inspect
import re
import subprocess
import sys
import types

import cardsharp_rl
import cardsharp_rl.datasets
import cardsharp_rl.policies
import numpy
import pytest


def documented():
    """Public names with what they are: the package's, and those of its classes."""
    for module in (cardsharp_rl, cardsharp_rl.datasets, cardsharp_rl.policies):
        names = getattr(module, "__all__", None) or [
            name
            for name, value in vars(module).items()
            if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
        ]
        yield module.__name__, module
        for name in names:
            value = getattr(module, name)
            yield f"{module.__name__}.{name}", value
            if inspect.isclass(value):
                statics = ((member, inspect.getattr_static(value, member)) for member in vars(value))
                members = ((member, getattr(each, "__func__", each)) for member, each in statics)
                yield from (
                    (f"{module.__name__}.{name}.{member}", each)
                    for member, each in members
                    if not member.startswith("_")
                    and (callable(each) or isinstance(each, (property, types.GetSetDescriptorType)))
                )


NAMES = dict(documented())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_documented(name):
    if name != "cardsharp_rl.BotLike":  # a union of types
        assert (NAMES[name].__doc__ or "").strip(), name


RECORDS = [name for name, value in NAMES.items() if hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__")]


def entries(name, section):
    """The names in a section of a docstring in numpydoc's form."""
    lines = [*inspect.getdoc(NAMES[name]).splitlines(), "", ""]
    found, inside = set(), False
    for line, below in zip(lines, lines[1:]):
        if below and set(below) == {"-"}:
            inside = line == section
        elif inside and re.match(r"[\w*]", line):
            found |= {each.strip("*") for each in line.partition(" : ")[0].split(", ")}
    return found


@pytest.mark.parametrize("name", RECORDS)
def test_help_explains_every_field(name):
    assert entries(name, "Attributes") >= {*NAMES[name].__annotations__}


CALLED = [
    name
    for name, value in NAMES.items()
    if callable(value)
    and name not in RECORDS
    and not (inspect.isclass(value) and getattr(value, "_is_protocol", False))
]


@pytest.mark.parametrize("name", CALLED)
def test_help_explains_every_parameter(name):
    try:
        parameters = inspect.signature(NAMES[name]).parameters
    except ValueError:  # a type without one
        return
    assert entries(name, "Parameters") == {*parameters} - {"self", "cls"}


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if callable(value)])
def test_signatures_name_their_defaults(name):
    try:
        signature = inspect.signature(NAMES[name])
    except ValueError:  # a type without one
        return
    assert Ellipsis not in [parameter.default for parameter in signature.parameters.values()], name


def test_modules_and_version_are_attributes():
    code = """
import cardsharp_rl, importlib.metadata
for name in ("datasets", "policies", "gymnasium", "openspiel", "pettingzoo"):
    assert getattr(cardsharp_rl, name).__name__ == f"cardsharp_rl.{name}"
assert cardsharp_rl.__version__ == importlib.metadata.version("cardsharp-rl")
assert not hasattr(cardsharp_rl, "unknown")
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if ">>>" in (value.__doc__ or "")])
def test_examples_are_true(name):
    test = doctest.DocTestParser().get_doctest(
        NAMES[name].__doc__, {"cardsharp_rl": cardsharp_rl, "numpy": numpy}, name, None, None
    )
    assert test.examples
    told = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)
