"""Where Node and the heterskin package are."""

import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
OLDEST = (20, 19)


def node_version(path):
    """The version of a Node as numbers, or None where it is none."""
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20).stdout
        major, minor = said.strip().lstrip("v").split(".")[:2]
        return int(major), int(minor)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None


def find_node(preferred=""):
    """The path of Node: the one given, that of the system, or none."""
    places = ["/usr/local/bin/node", "/opt/homebrew/bin/node", "C:\\Program Files\\nodejs\\node.exe"]
    for path in [preferred, shutil.which("node") or "", *places]:
        if path and os.path.exists(path):
            return path
    return None


def find_package(preferred=""):
    """The script of the package: the one given, the one in the add-on, one of npm's folders, or none."""
    for folder in [preferred, os.path.join(HERE, "package"), os.path.join(HERE, "..", "..")]:
        script = os.path.join(folder, "bin", "heterskin.js") if folder else ""
        if script and os.path.exists(script):
            return os.path.abspath(script)
    command = shutil.which("heterskin")
    return os.path.realpath(command) if command else None


def problem(node, package):
    """What keeps the worker from starting, in one sentence; None where nothing does."""
    if not node:
        return "HeterSkin needs Node 20.19 or later: install it from nodejs.org, or name its path in the preferences."
    version = node_version(node)
    if version is None:
        return f"{node} is no Node that runs; choose another in the preferences."
    if version < OLDEST:
        return f"{node} is version {version[0]}.{version[1]}; HeterSkin needs 20.19 or later."
    if not package:
        return "The heterskin package was not found: install the add-on's zip, or name the package's folder in the preferences."
    return None
