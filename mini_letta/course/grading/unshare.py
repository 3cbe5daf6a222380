"""The file tree and namespaces of bubblewrap, built with util-linux by root.

``unshare`` makes the namespaces; a shell script mounts the same view that bubblewrap would show
into an empty file tree and changes into it. Two traps, both met: ``unshare`` does not die with its
parent, so ``setpriv --pdeathsig`` stands before it; and the shell must stay process 1 of the
namespace, because changing the user clears the death signal of whoever does it.
"""

from collections.abc import Sequence
from pathlib import Path

from mini_letta.course.grading.limits import Limits

# Arguments: ROOT SIZE HOME CWD, then `ro PATH`, `rw PATH`, `hide PATH` and `home PATH`, `--`,
# then the command.
BUILD = r"""
set -eu
root=$1 size=$2 home=$3 cwd=$4
shift 4
mount -t tmpfs -o mode=755,size="$size" tmpfs "$root"
show() { mkdir -p "$root$2" && mount --bind "$1" "$root$2"; }
for link in /bin /lib /lib32 /lib64 /libx32 /sbin; do
    if [ -L "$link" ]; then ln -s "$(readlink "$link")" "$root$link"
    elif [ -d "$link" ]; then show "$link" "$link"; fi
done
show /usr /usr && mount -o remount,ro,bind "$root/usr"
mkdir -p "$root/etc" "$root/proc" "$root/dev" "$root/tmp"
for file in passwd group nsswitch.conf ld.so.cache; do
    [ ! -f "/etc/$file" ] || cp "/etc/$file" "$root/etc/$file"
done
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755,size=1m tmpfs "$root/dev"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device" && mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
mount -t tmpfs -o mode=1777,size="$size" tmpfs "$root/tmp"
mount -t tmpfs -o mode=1777,size="$size" tmpfs "$root/dev/shm"
while [ "$1" != -- ]; do
    case $1 in
        ro) show "$2" "$2" && mount -o remount,ro,bind "$root$2" ;;
        rw) show "$2" "$2" ;;
        hide) mount -t tmpfs -o mode=755,ro tmpfs "$root$2" ;;
        home) show "$2" "$home" ;;
    esac
    shift 2
done
shift
mount -o remount,ro "$root"
chroot "$root" /bin/sh -c 'cd "$1" && shift && "$@"; exit $?' sh "$cwd" "$@"
exit $?
"""
# The empty tree is mounted over a folder that is everywhere and that nobody needs outside of it.
ROOT = "/mnt"


def unshare_argv(
    command: Sequence[str],
    *,
    home: tuple[Path, str],
    limits: Limits,
    readable: Sequence[Path],
    hidden: Sequence[Path],
    writable: Sequence[Path],
    cwd: Path | None = None,
) -> list[str]:
    """Return the argument list that runs ``command`` in namespaces and a file tree of its own.

    Args:
        home: the folder of the run, outside and inside.
        cwd: where the command starts; by default in the folder of the run.
    """
    outside, inside = home
    view = [item for path in readable for item in ("ro", str(path))]
    view += [item for path in hidden for item in ("hide", str(path))]
    view += [item for path in writable for item in ("rw", str(path))]
    return [
        *["setpriv", "--pdeathsig", "KILL", "unshare", "--net", "--pid", "--mount", "--ipc"],
        *["--uts", "--fork", "--kill-child", "sh", "-c", BUILD, "sh"],
        *[ROOT, str(limits.scratch), inside, str(cwd or inside)],
        *[*view, "home", str(outside), "--", *command],
    ]
