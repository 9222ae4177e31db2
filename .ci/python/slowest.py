"""Prints how many tests ran and the ten slowest, from JUnit reports: `slowest.py FOLDER`."""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

SHOWN = 10


def main(folder: str) -> None:
    tests, failed = [], 0
    for report in sorted(Path(folder).glob("*.xml")):
        for case in xml.parse(report).iter("testcase"):
            name = f"{case.get('classname', '')} {case.get('name', '')}".strip()
            tests.append((float(case.get("time", 0)), f"{report.stem}: {name}"))
            failed += case.find("failure") is not None or case.find("error") is not None
    if not tests:
        return
    print("\nslowest tests")
    for seconds, name in sorted(tests, reverse=True)[:SHOWN]:
        print(f"{seconds:8.1f} s  {name}")
    print(f"\n{len(tests) - failed} passed, {failed} failed")


if __name__ == "__main__":
    main(*sys.argv[1:])
