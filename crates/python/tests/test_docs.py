"""Every name is documented, and what docstrings show is true."""

import doctest
import inspect
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
                members = ((member, inspect.getattr_static(value, member)) for member in vars(value))
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


@pytest.mark.parametrize("name", [name for name, value in NAMES.items() if ">>>" in (value.__doc__ or "")])
def test_examples_are_true(name):
    test = doctest.DocTestParser().get_doctest(
        NAMES[name].__doc__, {"cardsharp_rl": cardsharp_rl, "numpy": numpy}, name, None, None
    )
    assert test.examples
    told = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=told.append)
    assert not told, "".join(told)
