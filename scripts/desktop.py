"""Runs a command on a fresh private desktop and leaves nothing of it behind.

Two processes share the work. The front is what the caller started; it stays in the caller's process
group, hands signals on, and passes the exit code through. The keeper, in a process group of its own
so that Ctrl-C does not reach it, starts the desktop and the command and clears up. Both are child
subreapers: whatever detaches itself on that desktop becomes a child of the keeper, or of the front
should the keeper be killed. The front's death closes the pipe between them, which ends the keeper.
"""

import argparse
import ctypes
import fcntl
import glob
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import desktop_services as services

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36
SI_KERNEL = 0x80  # bits/siginfo-consts.h: sent by the terminal, so the command got it too
FROM_TERMINAL = 0x80
START_SECONDS = 30
GRACE_SECONDS = 3
FAILED = 125
PREFIX = "/tmp/private-desktop-"  # sockets live below: short, whatever TMPDIR says
LIBC = ctypes.CDLL(None)


class Stop(Exception):
    """The caller wants the desktop gone; `code` is the exit code then."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


def processes():
    """Yields (pid, parent pid, is a zombie) of every process."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as source:
                fields = source.read().rpartition(b")")[2].split()
        except OSError:
            continue
        yield int(name), int(fields[1]), fields[0] in (b"Z", b"X")


def belonging(folder, root):
    """The living processes below `root`, and those started elsewhere whose environment names the
    desktop's `folder` (a test that was handed the environment starts applications itself)."""
    found, parents = set(), {}
    mark = b"PRIVATE_DESKTOP=" + folder.encode() + b"\0"
    for pid, parent, dead in processes():
        parents[pid] = parent
        if dead or pid in (os.getpid(), os.getppid()):
            continue
        try:
            with open(f"/proc/{pid}/environ", "rb") as source:
                if mark in source.read():
                    found.add(pid)
        except OSError:
            pass
        if pid not in found and os.path.exists(f"/proc/{pid}"):
            up = parent
            while up > 1 and up != root:
                up = parents.get(up) or parent_of(up)
            if up == root:
                found.add(pid)
    return found


def parent_of(pid):
    try:
        with open(f"/proc/{pid}/stat", "rb") as source:
            return int(source.read().rpartition(b")")[2].split()[1])
    except OSError:
        return 0


def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass


def reap():
    """Collects ended children; returns {pid: exit code in the shell's form}."""
    ended = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        code = os.waitstatus_to_exitcode(status)
        ended[pid] = code if code >= 0 else 128 - code


def end_all(folder, spared=()):
    """Ends what belongs to the desktop except `spared`: politely first, then for good."""
    me = os.getpid()
    polite, deadline = set(), time.monotonic() + 2
    while True:
        reap()
        alive = belonging(folder, me) - set(spared)
        if not alive:
            return
        if time.monotonic() < deadline:
            send(alive - polite, signal.SIGTERM)
            polite |= alive
        else:
            send(alive, signal.SIGKILL)
        time.sleep(0.02)


def clear(folder, spared=()):
    """Ends everything (the services in `spared` last) and removes the desktop's files."""
    end_all(folder, spared)
    end_all(folder)
    try:
        with open(f"{folder}/display") as source:
            path = f"/tmp/.X11-unix/X{int(source.read())}"
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(path)
    except ConnectionRefusedError:
        os.unlink(path)  # a killed X server leaves it
    except (OSError, ValueError):
        pass
    shutil.rmtree(folder, ignore_errors=True)


def claim(folder):
    """Locks `folder` for as long as the front or the keeper lives; None when one of them does."""
    lock = os.open(f"{folder}/lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return lock
    except BlockingIOError:
        os.close(lock)
        return None


def sweep():
    """Clears up after desktops whose front and keeper were both killed."""
    for folder in glob.glob(f"{PREFIX}*"):
        try:
            if os.stat(folder).st_uid == os.getuid() and time.time() - os.stat(folder).st_mtime > 5:
                lock = claim(folder)
                if lock is not None:
                    clear(folder)
                    os.close(lock)
        except OSError:
            pass


class Keeper:
    """Starts the desktop in `folder` and runs one command on it. `control` is the read end of the
    pipe from the front; `group` the front's process group, which the command joins."""

    def __init__(self, options, folder, control, group):
        self.options, self.folder, self.control, self.group = options, folder, control, group
        self.env = services.make_environment(folder)
        self.log = open(f"{folder}/log", "wb")
        self.services = []
        self.ended = {}
        wake_read, wake_write = os.pipe()
        for fd in (wake_read, wake_write):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self.wake = wake_read

    def pause(self, seconds):
        """Waits for news, at most `seconds` (None: for ever); returns what the front sent."""
        ready, _, _ = select.select([self.control, self.wake], [], [], seconds)
        if self.wake in ready:
            os.read(self.wake, 512)
        self.ended.update(reap())
        if self.control not in ready:
            return b""
        data = os.read(self.control, 64)
        if not data:
            raise Stop(128 + signal.SIGKILL)
        return data

    def pause_starting(self, seconds):
        for byte in self.pause(seconds):
            raise Stop(128 + (byte & ~FROM_TERMINAL))

    def start(self, *command, pass_fds=()):
        def prepare():
            LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        child = subprocess.Popen(
            command, env=self.env, cwd=self.env["HOME"], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, start_new_session=True, pass_fds=pass_fds, preexec_fn=prepare)
        self.services.append(child.pid)
        return child.pid

    def until(self, what, service, check):
        """Waits until `check` returns something true; fails when `service` ends meanwhile."""
        deadline = time.monotonic() + START_SECONDS
        while not (answer := check()):
            if service in self.ended:
                raise OSError(f"{what} ended at once (code {self.ended[service]})")
            if time.monotonic() > deadline:
                raise OSError(f"{what} was not ready after {START_SECONDS} seconds")
            self.pause_starting(0.02)
        return answer

    def answers(self, *command, expect=""):
        done = subprocess.run(
            command, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.returncode == 0 and expect in done.stdout

    def start_desktop(self):
        services.write_configs(self.folder)
        read, write = os.pipe()
        os.set_blocking(read, False)
        server = self.start(
            "Xvfb", "-displayfd", str(write), "-screen", "0", f"{self.options.size}x24",
            "-nolisten", "tcp", "-noreset", "-fbdir", self.folder, pass_fds=(write,))
        os.close(write)
        bus = self.start(
            "dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self.folder}/bus.conf")

        def display():
            try:
                return os.read(read, 16).decode().strip()
            except BlockingIOError:
                return ""

        number = self.until("the X server", server, display)
        os.close(read)
        self.env["DISPLAY"] = f":{number}"
        with open(f"{self.folder}/display", "w") as out:
            out.write(number)
        self.until("the session bus", bus, lambda: os.path.exists(f"{self.folder}/run/bus"))
        manager = launcher = None
        if not self.options.no_wm:
            manager = self.start(
                "openbox", "--sm-disable", "--config-file", f"{self.folder}/openbox.xml")
        if not self.options.no_a11y:
            launcher = self.start(services.accessibility_launcher(), "--launch-immediately")
            ask = ("dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus",
                   "/org/a11y/bus")
            self.until("the accessibility bus", launcher,
                       lambda: self.answers(*ask, "org.a11y.Bus.GetAddress", expect="unix:"))
            if not self.answers(*ask, "org.freedesktop.DBus.Properties.Set",
                                "string:org.a11y.Status", "string:IsEnabled",
                                "variant:boolean:true"):
                raise OSError("the accessibility bus refused to be switched on")
        if manager:
            self.until("the window manager", manager,
                       lambda: self.answers("xprop", "-root", "_NET_SUPPORTING_WM_CHECK",
                                            expect="window id"))

    def serve(self):
        """Tells the environment as one JSON line, then waits for the end of standard input."""
        changed = {k: v for k, v in self.env.items() if os.environ.get(k) != v}
        dropped = sorted(k for k in os.environ if k not in self.env)
        print(json.dumps({"env": changed, "unset": dropped}), flush=True)
        while True:
            ready, _, _ = select.select([0, self.control, self.wake], [], [])
            if 0 in ready and not os.read(0, 4096):
                return 0
            for byte in self.pause(0):
                return 128 + (byte & ~FROM_TERMINAL)

    def run(self):
        """Runs the command; returns its exit code (128 + n when signal n ended it)."""
        try:
            command = subprocess.Popen(
                self.options.command, env=self.env, process_group=self.group)
        except OSError as error:
            print(f"desktop: {self.options.command[0]}: {error.strerror}", file=sys.stderr)
            return 127 if isinstance(error, FileNotFoundError) else 126
        deadline = number = None
        while command.pid not in self.ended:
            left = None if deadline is None else max(0, deadline - time.monotonic())
            for byte in self.pause(left):
                number = byte & ~FROM_TERMINAL
                if not byte & FROM_TERMINAL:
                    send([command.pid], number)
                    deadline = deadline or time.monotonic() + GRACE_SECONDS
            if deadline is not None and time.monotonic() >= deadline:
                return 128 + number
        return self.ended[command.pid]

    def work(self):
        code = FAILED
        try:
            self.start_desktop()
            code = self.serve() if self.options.serve else self.run()
            if self.options.screenshot:
                time.sleep(0.2)  # let the last change be drawn
                services.save_screenshot(
                    f"{self.folder}/Xvfb_screen0", self.options.screenshot)
        except Stop as stop:
            code = stop.code
        except OSError as error:
            self.log.flush()
            with open(f"{self.folder}/log", "rb") as source:
                tail = source.read().decode(errors="replace").splitlines()[-5:]
            print("\n  ".join([f"desktop: {error}", *tail]), file=sys.stderr)
            code = code or FAILED
        finally:
            clear(self.folder, self.services)
        return code


def front(keeper, control, folder):
    """Hands signals on to the keeper and returns the exit code."""
    watched = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    while True:
        news = signal.sigwaitinfo(watched)
        if news.si_signo == signal.SIGCHLD:
            ended = reap()
            if keeper not in ended:
                continue
            if os.path.isdir(folder):  # the keeper was killed: what it kept is ours now
                clear(folder)
            return ended[keeper]
        from_terminal = FROM_TERMINAL if news.si_code == SI_KERNEL else 0
        try:
            os.write(control, bytes([news.si_signo | from_terminal]))
        except BrokenPipeError:
            pass


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="desktop", allow_abbrev=False,
        usage="scripts/desktop [options] [--] COMMAND [ARGUMENT...]\n"
        "       scripts/desktop [options] --serve",
        description="Runs COMMAND on a fresh private desktop: X server, window manager, message "
        "bus, accessibility switched on, empty HOME. Everything on it is gone afterwards. The exit "
        "code is COMMAND's (128 + n after signal n; 125 when the desktop could not start).")
    parser.add_argument("--size", default="1280x900", metavar="WxH", help="screen size in pixels")
    parser.add_argument("--screenshot", metavar="FILE", help="save the screen as PNG at the end")
    parser.add_argument("--no-wm", action="store_true", help="start no window manager")
    parser.add_argument("--no-a11y", action="store_true", help="start no accessibility bus")
    parser.add_argument(
        "--serve", action="store_true", help="instead of a command: print the environment as one "
        "JSON line {env, unset} and keep the desktop until standard input ends")
    parser.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.command[:1] == ["--"]:
        del options.command[0]
    width, _, height = options.size.partition("x")
    if not (width.isdigit() and height.isdigit() and 0 < int(width) * int(height) <= 1 << 26):
        parser.error(f"--size {options.size}: not of the form 1280x900")
    if bool(options.command) == options.serve:
        parser.error("give either a command or --serve")
    if options.screenshot:
        options.screenshot = os.path.abspath(options.screenshot)
        if not os.path.isdir(os.path.dirname(options.screenshot)):
            parser.error(f"--screenshot {options.screenshot}: no such folder")
    return options


def main():
    options = parse(sys.argv[1:])
    sweep()
    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
    folder = tempfile.mkdtemp(prefix=os.path.basename(PREFIX), dir=os.path.dirname(PREFIX))
    claim(folder)
    watched = {signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT}
    signal.pthread_sigmask(signal.SIG_BLOCK, watched)
    read, write = os.pipe()
    group = os.getpgrp()
    keeper = os.fork()
    if keeper == 0:
        os.setpgid(0, 0)
        os.close(write)
        LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, watched)
        code = FAILED
        try:
            code = Keeper(options, folder, read, group).work()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    os.close(read)
    sys.exit(front(keeper, write, folder))


if __name__ == "__main__":
    main()
