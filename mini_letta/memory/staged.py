"""Reading what is staged: the index file, the trees behind it, and the bytes of its objects.

Self-contained: the commit hook embeds the source of these functions (``memory/hooks.py``), and
a hook that imports ``subprocess``, ``re`` or ``pathlib`` is late before it has read anything.
Each shortcut (parsing the index, inflating loose objects) falls back to plain git when it meets
something it does not know: slower, never wrong.

Source: chapter 7, "The embedding trick". Introduced in v0.2.
"""

from collections.abc import Iterable, Mapping


class Place:
    """Where one checkout keeps what the gatekeeper reads, and how to start git there."""

    __slots__ = ("command", "common_dir", "env", "git_dir", "index")

    def __init__(
        self,
        git_dir: str,
        *,
        index: str,
        common_dir: str,
        command: list[str],
        env: "Mapping[str, str]",
    ) -> None:
        self.git_dir = git_dir
        """Git dir of this checkout; a linked worktree has its own."""
        self.index = index
        """The index file to judge."""
        self.common_dir = common_dir
        """Git dir that all worktrees share, with the objects."""
        self.command = command
        """How to start git in this checkout: ``["git"]`` or ``["git", "-C", dir]``."""
        self.env = env
        """Complete environment of each git process."""


def common_dir_of(git_dir: str) -> str:
    """Return the git dir that all worktrees share, given the one of a checkout.

    Raises:
        NotADirectoryError: ``git_dir`` is a file that only says where the git dir is.
    """
    try:
        with open(f"{git_dir}/commondir") as file:  # in a linked worktree
            return f"{git_dir}/{file.read().strip()}"
    except FileNotFoundError:
        return git_dir


def ask_git(place: "Place", arguments: list[str], lines: "Iterable[str]" = ()) -> bytes:
    """Run git in a checkout, feed it ``lines``, return its standard output.

    The lines go through an unlinked temporary file: a pipe would fill up and stop both sides.

    Raises:
        OSError: git could not be started or exited with an error.
    """
    import posix

    request = "".join(f"{line}\n" for line in lines).encode()
    if request:
        name = f"{place.git_dir}/mini-letta-{posix.getpid()}.request"
        source = posix.open(name, posix.O_RDWR | posix.O_CREAT | posix.O_TRUNC, 0o600)
        posix.unlink(name)
        posix.write(source, request)
        posix.lseek(source, 0, 0)
    else:
        source = posix.open("/dev/null", posix.O_RDONLY)
    reader, writer = posix.pipe()
    argv = [*place.command, *arguments]
    actions = [
        (posix.POSIX_SPAWN_DUP2, source, 0),
        (posix.POSIX_SPAWN_DUP2, writer, 1),
        (posix.POSIX_SPAWN_OPEN, 2, "/dev/null", posix.O_WRONLY, 0),
    ]
    child = posix.posix_spawnp(argv[0], argv, place.env, file_actions=actions)
    posix.close(source)
    posix.close(writer)
    chunks = []
    while chunk := posix.read(reader, 1 << 20):
        chunks.append(chunk)
    posix.close(reader)
    status = posix.waitstatus_to_exitcode(posix.waitpid(child, 0)[1])
    if status:
        raise OSError(f"`git {' '.join(arguments)}` failed ({status})")
    return b"".join(chunks)


def parse_index(data: bytes) -> dict[str, tuple[str, str]] | None:
    """Return path -> (octal mode, object id) of an index file, or None to ask git instead.

    Understands versions 2 and 3 with SHA-1 ids. A conflict, a split or sparse index, version 4
    or ids of another length end in None, never in a wrong list: entries, extensions and checksum
    have to fill the file exactly.
    """
    if data[:4] != b"DIRC" or data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        return None
    tree = {}
    at = 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        flags = int.from_bytes(data[at + 60 : at + 62], "big")
        start = at + (64 if flags & 0x4000 else 62)
        end = data.find(b"\0", start)
        if flags & 0x3000 or end < 0:
            return None
        # `git add -N` only announces a file: it is no part of the commit
        if not (flags & 0x4000 and data[at + 62] & 0x20):
            mode = f"{int.from_bytes(data[at + 24 : at + 28], 'big'):o}"
            path = data[start:end].decode("utf-8", "surrogateescape")
            tree[path] = (mode, data[at + 40 : at + 60].hex())
        at += (end - at + 8) // 8 * 8
    while at + 8 <= len(data) - 20 and data[at : at + 1].isupper():
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
    return tree if at == len(data) - 20 else None


def read_index(place: "Place") -> tuple[dict[str, tuple[str, str]], list[str]]:
    """Return the staged tree, and the paths that are in conflict.

    Raises:
        OSError: the index could not be read.
    """
    try:
        with open(place.index, "rb") as file:
            tree = parse_index(file.read())
    except FileNotFoundError:
        return {}, []
    if tree is not None:
        return tree, []
    try:  # not `ls-files -s`, which also lists what `git add -N` only announced
        tree_id = ask_git(place, ["write-tree"]).decode().strip()
    except OSError:
        lines = ask_git(place, ["ls-files", "--unmerged", "-z"]).split(b"\0")[:-1]
        if not lines:
            raise
        names = {line.partition(b"\t")[2].decode("utf-8", "surrogateescape") for line in lines}
        return {}, sorted(names)
    return read_tree(place, tree_id), []


def read_tree(place: "Place", revision: str) -> dict[str, tuple[str, str]]:
    """Return path -> (octal mode, object id) of every file of a commit or tree object.

    Raises:
        OSError: git does not have it.
    """
    tree = {}
    for line in ask_git(place, ["ls-tree", "-r", "-z", "--full-tree", revision]).split(b"\0")[:-1]:
        entry, _, name = line.partition(b"\t")
        mode, _, object_id = entry.decode().split(" ")
        tree[name.decode("utf-8", "surrogateescape")] = (mode, object_id)
    return tree


def read_loose(place: "Place", object_id: str) -> bytes | None:
    """Return the content of a blob stored as a loose object, or None to ask git instead."""
    import posix
    import zlib

    # posix.open costs half of open() here, and this runs once a file
    path = f"{place.common_dir}/objects/{object_id[:2]}/{object_id[2:]}"
    try:
        file = posix.open(path, posix.O_RDONLY)
    except OSError:
        return None
    packed = b""
    while chunk := posix.read(file, 1 << 20):
        packed += chunk
    posix.close(file)
    try:
        header, _, content = zlib.decompress(packed).partition(b"\0")
    except zlib.error:
        return None
    return content if header.startswith(b"blob ") else None


def read_objects(
    place: "Place", names: "Iterable[str]", blobs: "Iterable[str]"
) -> dict[str, bytes | None]:
    """Return the content of objects: one git process at most, however many there are.

    Args:
        names: revision expressions such as ``HEAD^{tree}``, always asked of git.
        blobs: object ids, read directly where they are loose.
    Returns:
        Content by name or id. None: there is no such object.
    """
    contents = {blob: read_loose(place, blob) for blob in blobs}
    asked = [*names, *(blob for blob, content in contents.items() if content is None)]
    if not asked:
        return contents
    answer = ask_git(place, ["cat-file", "--batch", "--buffer"], asked)
    at = 0
    for name in asked:
        end = answer.index(b"\n", at)
        header = answer[at:end].split(b" ")
        at = end + 1
        contents[name] = None
        if header[-1].isdigit():
            size = int(header[-1])
            contents[name] = answer[at : at + size]
            at += size + 1
    return contents


def root_entry(tree: bytes, name: str, id_bytes: int) -> tuple[str, str] | None:
    """Return (octal mode, object id) of one entry of a raw tree object, or None.

    Args:
        id_bytes: length of a raw object id, 20 or 32 bytes.
    """
    at = 0
    while at < len(tree):
        end = tree.index(b"\0", at)
        mode, _, found = tree[at:end].partition(b" ")
        at = end + 1 + id_bytes
        if found == name.encode():
            return mode.decode(), tree[end + 1 : at].hex()
    return None
