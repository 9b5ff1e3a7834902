"""What comes in as a submission, also from those who mean harm."""

import contextlib
import io
import os
import stat
import subprocess
import tarfile
import zipfile

import pytest

from hansu.arena.competition.bundle import Bundle, read_submission, unpack_submission
from hansu.arena.competition.requirements import check_requirements
from hansu.arena.competition.store import Store
from hansu.errors import HansuError

MOST = 64 * 1024


def zipped(files, **more):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = more.get("modes", {}).get(name, stat.S_IFREG | 0o644) << 16
            archive.writestr(info, content)
    return out.getvalue()


def tarred(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content, kind in members:
            info = tarfile.TarInfo(name)
            info.type = kind
            if kind == tarfile.REGTYPE:
                info.size = len(content)
            else:
                info.linkname = content.decode()
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def refused(name, content, most=MOST):
    with pytest.raises(HansuError) as found:
        unpack_submission(name, content, most)
    said = str(found.value)
    assert said.isprintable()
    assert len(said) < 400
    return said


def test_the_digest_of_a_file_is_what_sha256sum_says(tmp_path):
    (tmp_path / "kim.py").write_bytes(b"x = 1\n")
    said = subprocess.run(["sha256sum", tmp_path / "kim.py"], capture_output=True, text=True)
    assert read_submission(tmp_path / "kim.py", MOST).digest == said.stdout[:64]


def test_the_digest_of_a_folder_is_what_sha256sum_says(tmp_path):
    folder = tmp_path / "kim"
    (folder / "data").mkdir(parents=True)
    (folder / "agent.py").write_bytes(b"x = 1\n")
    (folder / "data" / "b.txt").write_bytes(b"b")
    command = "find * -type f | LC_ALL=C sort | xargs sha256sum | sha256sum"
    said = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    found = read_submission(folder, MOST)
    assert found.digest == said.stdout[:64]
    assert unpack_submission("a.zip", zipped(found.files), MOST) == found
    around = {f"kim-main/{path}": content for path, content in found.files.items()}
    assert unpack_submission("a.zip", zipped(around), MOST) == found
    members = [(f"./{path}", content, tarfile.REGTYPE) for path, content in found.files.items()]
    assert unpack_submission("a.tar.gz", tarred(*members), MOST) == found


def test_what_is_kept_is_what_was_read(tmp_path):
    store = Store(tmp_path)
    for files in (
        {"agent.py": b"1"},
        {"agent.py": b"1", "__init__.py": b"2"},
        {"agent.py": b"1", "sub/x.py": b"3"},
    ):
        bundle = Bundle(files)
        digest = store.keep(bundle)
        assert store.keep(bundle) == digest  # again: nothing changes
        assert store.read(digest) == bundle
        assert store.agent(digest).read_bytes() == b"1"
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    store.agent(digest).write_bytes(b"other")
    with pytest.raises(HansuError, match="damaged"):
        store.read(digest)


@pytest.mark.parametrize(
    "path",
    ["../evil.py", "/etc/passwd", "a/../../b", "a\\..\\b", "C:/x", "a\x1b[2J.py", "a\nb",
     "x" * 300, "/".join("abcdefghijklmnopqrstuvw"), "a//b", " a", "a.", "con:aux", "\u202egp.py"],
)  # fmt: skip
def test_paths_that_lead_elsewhere_are_refused(path):
    refused("a.tar.gz", tarred(("agent.py", b"1", tarfile.REGTYPE), (path, b"2", tarfile.REGTYPE)))
    refused("a.zip", zipped({"agent.py": b"1", path: b"2"}))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE]
)
def test_links_and_devices_in_an_archive_are_refused(kind):
    said = refused("a.tgz", tarred(("agent.py", b"1", tarfile.REGTYPE), ("x", b"agent.py", kind)))
    assert "plain" in said


def test_links_in_a_zip_are_refused():
    modes = {"x": stat.S_IFLNK | 0o777}
    assert "plain" in refused("a.zip", zipped({"agent.py": b"1", "x": b"/etc/passwd"}, modes=modes))


def test_bombs_are_refused():
    assert "bigger" in refused("a.zip", zipped({"agent.py": b"1", "x": bytes(50_000_000)}))
    assert "bigger" in refused("a.zip", zipped({f"{i}.txt": bytes(40_000) for i in range(20)}))
    big = ("x", bytes(50_000_000), tarfile.REGTYPE)
    assert "bigger" in refused("a.tar.gz", tarred(big))
    assert "files" in refused("a.zip", zipped({f"{i}.txt": b"" for i in range(1500)}), 1 << 20)
    many = [(f"{i}.txt", b"", tarfile.REGTYPE) for i in range(1500)]
    assert "files" in refused("a.tar.gz", tarred(*many), 1 << 20)
    assert "bigger" in refused("agent.py", bytes(MOST + 1))


def test_one_name_twice_is_refused():
    twice = [("agent.py", b"1", tarfile.REGTYPE), ("AGENT.py", b"2", tarfile.REGTYPE)]
    assert "twice" in refused("a.tar.gz", tarred(*twice))


def test_damaged_archives_are_refused():
    good = zipped({"agent.py": b"import hansu\n" * 100, "b.py": b"x" * 1000})
    packed = tarred(("agent.py", b"import hansu\n" * 100, tarfile.REGTYPE))
    for content in (b"", b"PK\x03\x04", good[:-30], good[20:], os.urandom(500)):
        refused("a.zip", content)
    for content in (b"", packed[:-20], packed[5:], os.urandom(500)):
        refused("a.tar.gz", content)
    for place in range(0, len(good), 7):  # whatever comes of it, no other error
        for name, whole in (("a.zip", good), ("a.tgz", packed)):
            broken = bytearray(whole)
            broken[place % len(whole)] ^= 0x55
            with contextlib.suppress(HansuError):
                unpack_submission(name, bytes(broken), MOST)


@pytest.mark.parametrize("method", [1, 8, 12, 14, 93, 95, 99])  # zstd is 93, from Python 3.14 on
def test_no_method_of_compression_brings_another_error(method):
    content = bytearray(zipped({"agent.py": b"import hansu\n" * 100}))
    for place in (content.index(b"PK\x03\x04") + 8, content.index(b"PK\x01\x02") + 10):
        content[place : place + 2] = method.to_bytes(2, "little")
    if method == zipfile.ZIP_DEFLATED:
        unpack_submission("a.zip", bytes(content), MOST)
    else:
        assert "damaged" in refused("a.zip", bytes(content))


def test_what_is_no_submission_is_refused():
    assert "no submission" in refused("agent.exe", b"MZ")
    assert "no submission" in refused("a\x1b[2J", b"")
    assert "agent.py" in refused("a.zip", zipped({"main.py": b"1"}))
    assert "zero byte" in refused("agent.py", b"\0")


def test_links_pipes_and_devices_in_the_folder_are_refused(tmp_path):
    (tmp_path / "link.py").symlink_to("/etc/passwd")
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "kim").mkdir()
    (tmp_path / "kim" / "agent.py").write_text("1")
    (tmp_path / "kim" / "data").symlink_to("/etc")
    (tmp_path / "folder").symlink_to("/etc")
    for name in ("link.py", "pipe.py", "kim", "folder", "missing.py"):
        with pytest.raises(HansuError):
            read_submission(tmp_path / name, MOST)


def test_requirements_come_from_the_organisers_list():
    def needs(text, header=""):
        return Bundle({"agent.py": header.encode(), "requirements.txt": text.encode()})

    check_requirements(needs("# mine\nNumPy>=1.2 ; python_version > '3'\n\n"), ["numpy"])
    check_requirements(needs("", '# /// script\n# dependencies = ["numpy<9"]\n# ///\n'), ["numpy"])
    for text in ("torch", "numpy\nrequests", "-r /etc/passwd", "git+https://x", "numpy @ file:///x",
                 "--index-url http://x", "./here"):  # fmt: skip
        with pytest.raises(HansuError, match="not allowed"):
            check_requirements(needs(text), ["numpy"])
    with pytest.raises(HansuError, match="not allowed"):
        check_requirements(
            needs("", '# /// script\n# dependencies = ["torch"]\n# ///\n'), ["numpy"]
        )
    with pytest.raises(HansuError, match="script"):
        check_requirements(needs("", "# /// script\n# dependencies = [\n# ///\n"), ["numpy"])
    deep = 9999 * "["
    with pytest.raises(HansuError, match="script"):
        check_requirements(needs("", f"# /// script\n# dependencies = {deep}\n# ///\n"), ["numpy"])
    with pytest.raises(HansuError, match="not installed"):
        check_requirements(needs("no-such-package"), ["no_such_package"])


# Programs of any language -----------------------------------------------------------------------

MANIFEST = b'command = ["engine", "-x"]\nprotocol = "uci"\n'


@pytest.mark.parametrize("content", [b"#!/bin/sh\nexit\n", b"\x7fELF\x02\x01\x01\x00rest"])
def test_an_executable_gets_a_manifest_and_keeps_its_bytes(tmp_path, content):
    (tmp_path / "kim").write_bytes(content)
    found = read_submission(tmp_path / "kim", MOST)
    assert found.files["program"] == content
    assert b'protocol = "lines"' in found.files["agent.toml"]
    store = Store(tmp_path)
    digest = store.keep(found)
    assert store.agent(digest).name == "agent.toml"
    assert not (store.agent(digest).parent / "__init__.py").exists()
    assert store.read(digest) == found


def test_a_program_with_a_manifest_comes_as_a_folder_or_an_archive(tmp_path):
    files = {"agent.toml": MANIFEST, "engine": b"\x7fELF", "nets/a.bin": b"\0\1"}
    found = unpack_submission("kim.zip", zipped({f"kim/{k}": v for k, v in files.items()}), MOST)
    assert found.files == files
    for name, content in files.items():
        (tmp_path / "kim" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "kim" / name).write_bytes(content)
    assert read_submission(tmp_path / "kim", MOST) == found
    assert Store(tmp_path).keep(found) == found.digest
    check_requirements(found, [])


@pytest.mark.parametrize(
    ("manifest", "said"),
    [
        (b"\xff\xfe", "agent.toml cannot be read"),
        (b"command = 3", "needs a command"),
        (b'command = ["x\\u0000"]\nprotocol = "uci"', "needs a command"),
        (b'command = ["x"]\nprotocol = "root"', "needs a protocol"),
    ],
)
def test_a_wrong_manifest_is_refused_at_once(manifest, said):
    assert said in refused("kim.zip", zipped({"agent.toml": manifest, "x": b""}))


def test_what_cannot_run_is_no_submission():
    assert "an executable" in refused("kim", b"print(1)")
    assert "an executable" in refused("kim.pdf", b"%PDF")
