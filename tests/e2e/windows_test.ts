/**
 * Starting, arranging, picturing and closing applications, and the clipboard: each effect is
 * confirmed by tools that are not this program's.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type Data, Desktop, nodesOf } from "./support/desktop.ts";
import { poll } from "./support/apps.ts";
import { decodePng, type Pixels } from "../../src/image/png.ts";

const desktop = await Desktop.start();
const bare = await Desktop.start({ noWm: true });

/** Runs a program on the desktop and returns what it prints. */
async function tool(args: string[], on = desktop): Promise<string> {
  return new TextDecoder().decode(await bytesOf(args, on));
}

async function bytesOf(args: string[], on = desktop): Promise<Uint8Array<ArrayBuffer>> {
  const [program, ...rest] = args;
  const { stdout } = await new Deno.Command(program!, {
    args: rest,
    env: { ...on.env },
    clearEnv: true,
    stdin: "null",
    stderr: "inherit",
  }).output();
  return new Uint8Array(stdout);
}

interface Launch {
  app: { name: string; pid: number };
  attached: boolean;
  window?: { id: string; title: string; accessible: boolean };
}

async function launch(...args: string[]): Promise<Launch> {
  return await desktop.ok("launch", ...args) as unknown as Launch;
}

/** What the X server says of the one window with that title: xdotool's view, without frames. */
async function geometry(title: string): Promise<{ x: number; y: number; w: number; h: number }> {
  const text = await tool([
    "xdotool",
    "search",
    "--onlyvisible",
    "--name",
    title,
    "getwindowgeometry",
    "--shell",
  ]);
  const value = (key: string) => Number(new RegExp(`^${key}=(-?[0-9]+)$`, "m").exec(text)?.[1]);
  return { x: value("X"), y: value("Y"), w: value("WIDTH"), h: value("HEIGHT") };
}

function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(Deno.readTextFileSync(`/proc/${pid}/status`));
  } catch {
    return false;
  }
}

Deno.test("an application is started, used as it is, arranged and closed", async () => {
  const started = await launch("org.gnome.Calculator");
  assertEquals(started.attached, false);
  assertEquals(started.window?.title, "Calculator");
  const { pid } = started.app;
  // The window is filled when the answer comes: its digits are there.
  const snapshot = await desktop.snapshot("--window-id", started.window!.id);
  assert([...nodesOf(snapshot.tree)].filter((node) => node.role === "button").length > 20);

  const again = await launch("gnome-calculator");
  assertEquals([again.attached, again.app.pid], [true, pid]);
  const refused = await desktop.fails("ACTION_FAILED", "launch", "gnome-calculator", "--no-attach");
  assertEquals(refused.details, { kind: "already_running", pids: [pid] });

  await desktop.ok("move-window", "--app", "gnome-calculator", "--x", "40", "--y", "60");
  await desktop.ok(
    "resize-window",
    "--app",
    "gnome-calculator",
    "--width",
    "500",
    "--height",
    "620",
  );
  const at = await geometry("^Calculator$");
  // The frame of the window manager is around it: a border, and a title on top.
  assert(at.x >= 40 && at.x <= 48 && at.y >= 60 && at.y <= 90, JSON.stringify(at));
  assert(at.w <= 500 && at.w > 480 && at.h <= 620 && at.h > 580, JSON.stringify(at));
  const [item] = await desktop.ok("list-windows", "--app", "gnome-calculator") as unknown as Data[];
  assertEquals(item!["bounds"], { x: 40, y: 60, width: 500, height: 620 });

  await desktop.ok("minimize", "--app", "gnome-calculator");
  assertEquals(await tool(["xdotool", "search", "--onlyvisible", "--name", "^Calculator$"]), "");
  const hidden = await desktop.fails("ACTION_FAILED", "screenshot", "--app", "gnome-calculator");
  assertEquals(hidden.details, { kind: "window_not_shown" });
  await desktop.fails(
    "ACTION_FAILED",
    "move-window",
    "--app",
    "gnome-calculator",
    "--x",
    "1",
    "--y",
    "1",
  );
  await desktop.ok("restore", "--app", "gnome-calculator");
  assertMatch(
    await tool(["xdotool", "search", "--onlyvisible", "--name", "^Calculator$"]),
    /^\d+\n$/,
  );
  await desktop.ok("maximize", "--app", "gnome-calculator");
  const full = await geometry("^Calculator$");
  assert(full.w > 1260 && full.h > 860, JSON.stringify(full));

  const closed = await desktop.ok("close-app", "gnome-calculator");
  assertEquals([closed["method"], closed["closed"]], ["graceful", true]);
  assertEquals(isRunning(pid), false);
  await desktop.fails("APP_NOT_FOUND", "close-app", "gnome-calculator");
});

Deno.test("a question about unsaved changes is named instead of closing; --force ends it", async () => {
  const { app, window } = await launch("mousepad");
  await desktop.ok("focus-window", "--window-id", window!.id);
  await tool(["xdotool", "type", "unsaved words"]);
  await desktop.ok("snapshot", "--app", "mousepad", "--wait-for", "textfield:unsaved words");
  const error = await desktop.fails("TIMEOUT", "close-app", "mousepad");
  assertEquals(error.disposition, { delivery: "delivered_unverified", retry: "unsafe" });
  const { dialog } = error.details as { dialog: { title: string; window_id: string } };
  const shown = await desktop.snapshot("--window-id", dialog.window_id);
  assert([...nodesOf(shown.tree)].some((node) => /save/i.test(node.name ?? "")));
  assertEquals(isRunning(app.pid), true);
  const ended = await desktop.ok("close-app", String(app.pid), "--force");
  assertEquals(ended["method"], "force");
  assertEquals(isRunning(app.pid), false);
});

Deno.test("what cannot be started, ends at once, or has no accessibility", async () => {
  await desktop.fails("APP_NOT_FOUND", "launch", "no-such-application");
  await desktop.fails("APP_NOT_FOUND", "launch", "/no/such/program");
  const ended = await desktop.fails("APP_UNRESPONSIVE", "launch", "false");
  assertEquals(ended.details?.["kind"], "process_ended");
  await desktop.fails("INVALID_ARGS", "launch", "mousepad", "--env", "NOT_A_SETTING");
  await desktop.fails("INVALID_ARGS", "launch", "mousepad", "--cwd", "/no/such/folder");
});

Deno.test("arguments, variables and the folder reach the application; a stub is followed", async () => {
  const marker = `${desktop.folder}/marker`;
  const stub = `${desktop.folder}/stub.sh`;
  // A launcher that leaves the real application behind in the background and ends.
  await Deno.writeTextFile(
    stub,
    `#!/bin/sh\necho "$PWD $GREETING $1" > ${marker}\ngnome-calculator >/dev/null 2>&1 &\n`,
    { mode: 0o755 },
  );
  const found = await launch(
    stub,
    "--arg=--one two",
    "--env",
    "GREETING=hello there",
    "--cwd",
    "/usr",
  );
  assertEquals(await Deno.readTextFile(marker), "/usr hello there --one two\n");
  assertEquals(found.app.name, "gnome-calculator");
  assertEquals(found.window?.title, "Calculator");
  await desktop.ok("close-app", String(found.app.pid));
});

/** Pixels of a picture that differ from the frame buffer file that Xvfb itself keeps (XWD format). */
async function differences(
  picture: Pixels,
  { x: left, y: top, width, height }: { x: number; y: number; width: number; height: number },
): Promise<number> {
  const dump = await Deno.readFile(`${desktop.folder}/Xvfb_screen0`);
  const view = new DataView(dump.buffer);
  const [header, colours, stride] = [0, 76, 48].map((at) => view.getUint32(at));
  const start = header! + 12 * colours!;
  let different = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = start + (y + top) * stride! + (x + left) * 4;
      const to = (y * width + x) * 4;
      const same = [0, 1, 2].every((part) => picture.rgba[to + part] === dump[from + 2 - part]);
      if (!same) different++;
    }
  }
  return different;
}

Deno.test("a picture has the pixels that another program reads, and the refs' boxes when wanted", async () => {
  const { app } = await launch("gnome-calculator");
  await desktop.ok("move-window", "--app", "gnome-calculator", "--x", "100", "--y", "50");
  const path = `${desktop.folder}/window.png`;
  const data = await desktop.ok("screenshot", "--app", "gnome-calculator", path);
  const bounds = data["bounds"] as { x: number; y: number; width: number; height: number };
  assertEquals([bounds.x, bounds.y], [100, 50]);
  assertEquals([data["width"], data["height"]], [bounds.width, bounds.height]);
  assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  // The window may still be painting, and its cursor blinks: both are looked at until they agree.
  let png = await decodePng(await Deno.readFile(path));
  const agreed = await poll(5_000, async () => {
    await desktop.ok("screenshot", "--app", "gnome-calculator", path);
    png = await decodePng(await Deno.readFile(path));
    return await differences(png!, bounds) === 0;
  });
  assert(agreed, `${await differences(png!, bounds)} pixels differ`);

  const marked = await desktop.ok("screenshot", "--app", "gnome-calculator", "--mark");
  const marks = marked["marks"] as { ref_id: string; name?: string; bounds: typeof bounds }[];
  const seven = marks.find(({ name }) => name?.startsWith("7"))!;
  assertMatch(seven.ref_id, /^@s[0-9a-z]+:e[0-9]+$/);
  const picture = await decodePng(
    Uint8Array.from(atob(marked["data"] as string), (character) => character.charCodeAt(0)),
  );
  const corner = ((seven.bounds.y - bounds.y) * bounds.width + seven.bounds.x - bounds.x) * 4;
  assert(
    picture!.rgba.subarray(corner, corner + 3).toString() !==
      png!.rgba.subarray(corner, corner + 3).toString(),
    "the corner of the button has the colour of its box",
  );
  // The refs are those of a saved snapshot: one of them is pressed.
  await desktop.ok("click", seven.ref_id);

  await desktop.fails("INVALID_ARGS", "screenshot", "--screen", "7");
  await desktop.fails("INVALID_ARGS", "screenshot", "--screen", "0", "--app", "gnome-calculator");
  await desktop.fails("INVALID_ARGS", "screenshot", "--mark");
  await Deno.symlink("/etc/hostname", `${desktop.folder}/link.png`);
  await desktop.fails("INVALID_ARGS", "screenshot", `${desktop.folder}/link.png`);
  await desktop.fails("INVALID_ARGS", "screenshot", `${desktop.folder}/none/x.png`);
  await desktop.ok("close-app", String(app.pid));
});

Deno.test("text, pictures and files go to other programs and come back, long ones in parts", async () => {
  assertEquals(await desktop.ok("clipboard-get"), { found: false, type: "text" });
  const text = "Grüße ☃ 你好 🦄\nsecond line";
  const set = await desktop.ok("clipboard-set", text);
  assertEquals(set["disposition"], { delivery: "delivered_verified", retry: "unsafe" });
  assertEquals(await tool(["xclip", "-selection", "clipboard", "-o"]), text);
  assertEquals(await desktop.ok("clipboard-get"), { type: "text", text });

  // Longer than a request of the X protocol, in both directions.
  const long = `${desktop.folder}/long.txt`;
  const content = "0123456789abcdef☃".repeat(60_000);
  await Deno.writeTextFile(long, content);
  await tool(["sh", "-c", `xclip -selection clipboard -i ${long} >/dev/null 2>&1`]);
  assertEquals((await desktop.ok("clipboard-get"))["text"], content);

  const picture = `${desktop.folder}/picture.png`;
  await desktop.ok("screenshot", picture);
  await desktop.ok("clipboard-set", "--image", picture);
  const targets = ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"];
  assertEquals(await bytesOf(targets), await Deno.readFile(picture));
  const out = `${desktop.folder}/copied.png`;
  const got = await desktop.ok("clipboard-get", "--format", "auto", "--out", out);
  assertEquals([got["type"], got["path"], got["width"]], ["image", out, 1280]);
  assertEquals(await Deno.readFile(out), await Deno.readFile(picture));

  const odd = `${desktop.folder}/a file, 100 % odd.txt`;
  await Deno.writeTextFile(odd, "x");
  await desktop.ok("clipboard-set", "--file-url", odd, "--file-url", picture);
  assertEquals(await desktop.ok("clipboard-get", "--format", "file-urls"), {
    type: "file_urls",
    file_urls: [odd, picture],
  });
  const uris = await tool(["xclip", "-selection", "clipboard", "-t", "text/uri-list", "-o"]);
  assert(uris.includes("a%20file%2C%20100%20%25%20odd.txt\r\n"), uris);

  await desktop.ok("clipboard-clear");
  assertEquals(await desktop.ok("clipboard-get", "--format", "auto"), {
    found: false,
    type: "auto",
  });
  // The keeper of each content has ended when another took over.
  const keepers = await tool(["pgrep", "-f", `keep-clipboard ${desktop.env["DISPLAY"]} `]);
  assertEquals(keepers, "");

  await desktop.fails("INVALID_ARGS", "clipboard-set", "--image", "/etc/passwd");
  await desktop.fails("INVALID_ARGS", "clipboard-set", "--file-url", "/no/such/file");
  await desktop.fails("INVALID_ARGS", "clipboard-get", "--format", "sound");
});

Deno.test("an editor pastes what was put on the clipboard", async () => {
  await desktop.ok("clipboard-set", "pasted: Ωmega");
  const { app, window } = await launch("mousepad");
  await desktop.ok("focus-window", "--window-id", window!.id);
  await tool(["xdotool", "key", "ctrl+v"]);
  await desktop.ok("snapshot", "--app", "mousepad", "--wait-for", "textfield:pasted: Ωmega");
  await desktop.ok("close-app", String(app.pid), "--force");
});

Deno.test("without a window manager the verbs say so at once, and a window is still closed", async () => {
  const started = await bare.ok("launch", "gnome-calculator");
  for (const verb of [["move-window", "--x", "1", "--y", "1"], ["minimize"], ["maximize"]]) {
    const error = await bare.fails("PLATFORM_NOT_SUPPORTED", ...verb, "--app", "gnome-calculator");
    assertMatch(error.message, /window manager/);
  }
  await bare.ok("screenshot", "--app", "gnome-calculator", `${bare.folder}/x.png`);
  await bare.ok("close-app", "gnome-calculator");
  assertEquals(isRunning((started["app"] as { pid: number }).pid), false);
});

Deno.test("Chromium opens its DevTools on request", async () => {
  const data = await desktop.ok(
    "launch",
    "chromium",
    "--cdp",
    "0",
    "--arg=--no-sandbox",
    "--arg=--no-first-run",
    `--arg=--user-data-dir=${desktop.folder}/chromium`,
    "--arg=--disable-gpu",
    "--arg=data:text/html,<title>Page of the test</title><button>Go</button>",
  );
  const cdp = data["cdp"] as { port: number; http_endpoint: string; websocket_url: string };
  assertEquals(data["renderer"], "chromium");
  const pages = await (await fetch(`${cdp.http_endpoint}/json/list`)).json() as {
    type: string;
    title: string;
    webSocketDebuggerUrl: string;
  }[];
  const page = pages.find(({ type }) => type === "page")!;
  assertEquals(page.title, "Page of the test");
  // A DevTools client asks the page itself.
  const socket = new WebSocket(page.webSocketDebuggerUrl);
  await new Promise((opened) => socket.addEventListener("open", opened, { once: true }));
  socket.send(JSON.stringify({
    id: 1,
    method: "Runtime.evaluate",
    params: { expression: "document.querySelector('button').textContent" },
  }));
  const answer = await new Promise<MessageEvent>((come) =>
    socket.addEventListener("message", come, { once: true })
  );
  assertEquals(JSON.parse(answer.data).result.result.value, "Go");
  const closed = new Promise((done) => socket.addEventListener("close", done, { once: true }));
  socket.close();
  await closed;

  const running = await desktop.fails("ACTION_FAILED", "launch", "chromium", "--cdp", "0");
  assertEquals(running.details?.["kind"], "cdp_requires_fresh_launch");
  const conflict = await desktop.fails(
    "INVALID_ARGS",
    "launch",
    "chromium",
    "--cdp",
    "0",
    "--arg=--remote-debugging-port=1",
  );
  assertEquals(conflict.details, { kind: "cdp_switch_conflict" });
  const taken = await desktop.fails(
    "INVALID_ARGS",
    "launch",
    "mousepad",
    "--cdp",
    String(cdp.port),
  );
  assertEquals(taken.details, { kind: "cdp_port_in_use", port: cdp.port });
  await desktop.ok("close-app", "chromium", "--force");
});
