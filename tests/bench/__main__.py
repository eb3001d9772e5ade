"""`make bench`: run the main() of each module here in turn; each prints ratios within its run."""

import importlib
import pkgutil
import sys

import tests.bench


def main() -> None:
    names = sorted(
        module.name
        for module in pkgutil.iter_modules(tests.bench.__path__)
        if not module.name.startswith("_")
    )
    asked = sys.argv[1:] or names
    for name in asked:
        if name not in names:
            raise SystemExit(f"No benchmark {name!r}; there are: {', '.join(names)}")
        print(f"== {name}", flush=True)
        importlib.import_module(f"tests.bench.{name}").main()
        print(flush=True)


if __name__ == "__main__":
    main()
