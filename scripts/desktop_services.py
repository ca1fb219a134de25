"""What a private desktop consists of: environment, X server, message bus, window manager, and the
accessibility bus. Starting and stopping processes is desktop.py's business."""

import os
import struct
import zlib

BUS_CONFIG = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={path}</listen>
  <auth>EXTERNAL</auth>
  <!-- No service directories: activated desktop portals cannot run here and stall every GTK start. -->
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""

WM_CONFIG = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc">
  <focus><focusNew>yes</focusNew><followMouse>no</followMouse></focus>
  <placement><policy>Smart</policy><center>yes</center></placement>
  <theme><name>Clearlooks</name><animateIconify>no</animateIconify></theme>
  <desktops><number>1</number></desktops>
  <keyboard>
    <keybind key="A-F4"><action name="Close"/></keybind>
    <keybind key="A-Tab"><action name="NextWindow"><finalactions>
      <action name="Focus"/><action name="Raise"/></finalactions></action></keybind>
  </keyboard>
  <mouse>
    <context name="Client">
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Titlebar">
      <mousebind button="Left" action="Drag"><action name="Move"/></mousebind>
      <mousebind button="Left" action="Press"><action name="Focus"/><action name="Raise"/></mousebind>
    </context>
    <context name="Close">
      <mousebind button="Left" action="Click"><action name="Close"/></mousebind>
    </context>
  </mouse>
</openbox_config>
"""

# Variables of the caller's own desktop and of a running agent-desktop session.
DROPPED = (
    "DBUS_SESSION_BUS_ADDRESS", "DBUS_STARTER_ADDRESS", "AT_SPI_BUS_ADDRESS", "WAYLAND_DISPLAY",
    "XAUTHORITY", "SESSION_MANAGER", "DESKTOP_SESSION", "GNOME_DESKTOP_SESSION_ID",
    "DESKTOP_STARTUP_ID", "XDG_ACTIVATION_TOKEN", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
    "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CURRENT_DESKTOP", "XDG_SESSION_ID", "GTK_MODULES",
    "GTK_THEME", "GTK_IM_MODULE", "QT_IM_MODULE", "XMODIFIERS", "QT_QPA_PLATFORMTHEME",
    "QT_STYLE_OVERRIDE", "LANGUAGE", "AGENT_DESKTOP_SESSION", "AGENT_DESKTOP_AGENT_ID",
)


def make_environment(folder):
    """The environment of everything on the desktop whose private folder is `folder` (DISPLAY
    follows once the X server has chosen one). Creates the folders it names."""
    env = {k: v for k, v in os.environ.items() if k not in DROPPED and not k.startswith("LC_")}
    for name in ("home", "run"):
        os.mkdir(os.path.join(folder, name), 0o700)
    env.update(
        HOME=f"{folder}/home",
        XDG_RUNTIME_DIR=f"{folder}/run",
        XDG_SESSION_TYPE="x11",
        DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/run/bus",
        GSETTINGS_BACKEND="memory",
        LANG="C.UTF-8",
        GDK_BACKEND="x11",
        GSK_RENDERER="cairo",  # no graphics card here: GL only costs time
        QT_QPA_PLATFORM="xcb",
        QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1",
        NO_AT_BRIDGE="0",
        AGENT_DESKTOP_HOME=f"{folder}/state",
        PRIVATE_DESKTOP=folder,
    )
    return env


def write_configs(folder):
    """Writes the bus's and the window manager's configuration into `folder`."""
    with open(f"{folder}/bus.conf", "w") as out:
        out.write(BUS_CONFIG.format(path=f"{folder}/run/bus"))
    with open(f"{folder}/openbox.xml", "w") as out:
        out.write(WM_CONFIG)


def accessibility_launcher():
    """The path of at-spi-bus-launcher, which is on no PATH."""
    for path in ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher"):
        if os.access(path, os.X_OK):
            return path
    raise OSError("at-spi-bus-launcher is not installed (Debian package at-spi2-core)")


def save_screenshot(framebuffer, target):
    """Turns Xvfb's frame buffer file (an XWD image, 32 bits a pixel) into the PNG `target`."""
    with open(framebuffer, "rb") as source:
        data = source.read()
    order = ">" if struct.unpack(">I", data[4:8])[0] == 7 else "<"  # file version is always 7
    header = struct.unpack(order + "25I", data[:100])
    width, height, little, bits, stride, colors = (
        header[4], header[5], header[7] == 0, header[11], header[12], header[19])
    if bits != 32:
        raise OSError(f"cannot save a screen of {bits} bits a pixel")
    start = header[0] + colors * 12
    channels = (2, 1, 0) if little else (1, 2, 3)
    rows = bytearray()
    for y in range(height):
        row = data[start + y * stride:start + y * stride + width * 4]
        pixels = bytearray(width * 3)
        for at, channel in enumerate(channels):
            pixels[at::3] = row[channel::4]
        rows += b"\0" + pixels

    def chunk(kind, body):
        checksum = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)

    with open(target, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n")
        out.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        out.write(chunk(b"IDAT", zlib.compress(bytes(rows), 6)))
        out.write(chunk(b"IEND", b""))
