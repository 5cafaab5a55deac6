"""Finds Node and the heterskin package."""

import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
MIN_VERSION = (20, 19)


def node_version(path):
    """Returns the major and minor version of a Node executable, or None if it does not run."""
    try:
        output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20).stdout
        major, minor = output.strip().lstrip("v").split(".")[:2]
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def find_node(preferred=""):
    """Returns the path of Node: the preferred one, or one found on the system, or None."""
    defaults = ["/usr/local/bin/node", "/opt/homebrew/bin/node", "C:\\Program Files\\nodejs\\node.exe"]
    for path in [preferred, shutil.which("node") or "", *defaults]:
        if path and os.path.exists(path):
            return path
    return None


def find_executable():
    """Returns the path of the executable in the add-on, which needs no Node, or None."""
    name = "heterskin.exe" if os.name == "nt" else "heterskin"
    path = os.path.join(HERE, "executable", name)
    if not os.path.exists(path):
        return None
    # Blender unpacks zip files without their modes.
    if not os.access(path, os.X_OK):
        os.chmod(path, 0o755)
    return path


def find_package(preferred=""):
    """Returns the package's script: of the preferred folder, the add-on or npm's global folder, or None."""
    for folder in [preferred, os.path.join(HERE, "package"), os.path.join(HERE, "..", "..")]:
        script = os.path.join(folder, "bin", "heterskin.js") if folder else ""
        if script and os.path.exists(script):
            return os.path.abspath(script)
    command = shutil.which("heterskin")
    return os.path.realpath(command) if command else None


def problem(node, package):
    """Returns why the worker cannot start, in one sentence, or None."""
    if not node:
        return "HeterSkin needs Node 20.19 or later: install it from nodejs.org, or set its path in the preferences."
    version = node_version(node)
    if version is None:
        return f"{node} does not run as Node; choose another path in the preferences."
    if version < MIN_VERSION:
        return f"{node} is version {version[0]}.{version[1]}; HeterSkin needs 20.19 or later."
    if not package:
        return "The heterskin package was not found: install the add-on's zip, or set the package folder in the preferences."
    return None
