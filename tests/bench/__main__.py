"""`make bench`: the main() of each module here, a process each in turn; each prints ratios within its run."""

import pkgutil
import subprocess
import sys

import tests.bench


def main() -> None:
    names = sorted(
        module.name
        for module in pkgutil.iter_modules(tests.bench.__path__)
        if not module.name.startswith("_")
    )
    asked = sys.argv[1:] or names
    missed = 0
    for name in asked:
        if name not in names:
            raise SystemExit(f"No benchmark {name!r}; there are: {', '.join(names)}")
        print(f"== {name}", flush=True)
        missed |= subprocess.run(
            (sys.executable, "-c", f"from tests.bench import {name}; {name}.main()"), check=False
        ).returncode
        print(flush=True)
    sys.exit(missed)


if __name__ == "__main__":
    main()
