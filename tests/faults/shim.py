"""Small libraries in C that are preloaded into a process, and change what its system calls do."""

import shutil
import subprocess
from pathlib import Path

import pytest


def build(name: str, into: Path) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no C compiler to make the preloaded library with")
    source, library = Path(__file__).with_name(f"{name}.c"), into / f"{name}.so"
    options = ["-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run([compiler, *options], check=True)
    return library
