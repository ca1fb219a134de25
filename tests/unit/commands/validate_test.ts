import { assert, assertEquals, assertRejects } from "@std/assert";
import { parse } from "../../../src/cli/parse.ts";
import { validate } from "../../../src/commands/validate.ts";
import { loadAllCommands } from "../../../src/commands/catalogue.ts";
import { AppError } from "../../../src/errors.ts";
import { run } from "../cli/fakes.ts";

const TABLE = await loadAllCommands();

const REF = "@s8f3k2p9:e1";

async function accepted(...argv: string[]): Promise<Record<string, unknown>> {
  const invocation = parse(argv, TABLE);
  if (invocation.kind !== "command") throw new Error(invocation.kind);
  return await validate(invocation.command, invocation.args) as Record<string, unknown>;
}

async function refusal(...argv: string[]): Promise<AppError> {
  const error = await assertRejects(() => accepted(...argv), AppError);
  assertEquals(error.code, "INVALID_ARGS");
  assertEquals(error.delivery, "not_delivered");
  assert(error.suggestion, error.message);
  return error;
}

Deno.test("a bare or malformed ref is refused in the words of the contract", async () => {
  const { code, stdout } = await run(["click", "@e1"]);
  assertEquals(code, 1);
  assertEquals(JSON.parse(stdout), {
    version: "2.5",
    ok: false,
    command: "click",
    error: {
      code: "INVALID_ARGS",
      message: "Invalid ref_id '@e1': expected @<snapshot_id>:e<N>",
      suggestion:
        "Use the snapshot-qualified ref that snapshot prints, for example @s8f3k2p9:e1. A bare @eN ref is not accepted.",
      disposition: { delivery: "not_delivered", retry: "safe" },
    },
  });
  const malformed = [
    "",
    "e1",
    "@",
    "@s1:e1",
    "@s8f3k2p9:e0",
    "@s8f3k2p9:e4294967296",
    "@s8f3k2p9:e-1",
    "@s8f3k2p9:e1x",
    "@s8f3k2p9",
    "s8f3k2p9:e1",
    "@../../x:e1",
    `@${"a".repeat(65)}:e1`,
    "@s8f3k2p9:e00000000001",
    "@s8f3k2p9:e1\n",
  ];
  for (const bad of malformed) await refusal("get", "--", bad);
  for (const command of ["get", "is", "click", "toggle", "scroll-to"]) {
    await refusal(command, "@e1");
  }
  await refusal("snapshot", "--root", "@e1");
  await refusal("find", "--root", "@e1");
  await refusal("hover", "@e1");
  await refusal("drag", "--from", "@e1", "--to-xy", "1,2");
  assertEquals((await accepted("get", "@a_-:e4294967295"))["ref_id"], "@a_-:e4294967295");
});

Deno.test("--max-depth: 0 to 50; 51 to 255 is a value error, more a parse error", async () => {
  for (const depth of [0, 10, 50]) {
    assertEquals((await accepted("snapshot", "--max-depth", `${depth}`))["max_depth"], depth);
  }
  for (const depth of ["51", "255"]) {
    const error = await refusal("snapshot", "--max-depth", depth);
    assertEquals(error.message, `Invalid --max-depth '${depth}': expected an integer from 0 to 50`);
    assertEquals((await run(["snapshot", "--max-depth", depth])).code, 1);
  }
  assertEquals((await run(["snapshot", "--max-depth", "256"])).code, 2);
});

Deno.test("timeouts end at one day", async () => {
  assertEquals((await accepted("click", REF, "--timeout-ms", "0"))["timeout_ms"], 0);
  assertEquals((await accepted("click", REF))["timeout_ms"], 5000);
  assertEquals((await accepted("snapshot"))["timeout_ms"], 3000);
  assertEquals((await accepted("find"))["timeout_ms"], 5000);
  assertEquals((await accepted("find", "--timeout-ms", "86400000"))["timeout_ms"], 86_400_000);
  for (const command of [["click", REF], ["snapshot"], ["find"]]) {
    await refusal(...command, "--timeout-ms", "86400001");
  }
});

Deno.test("points are two finite numbers of at most ten million", async () => {
  assertEquals((await accepted("mouse-move", "--xy=-10,5.5"))["xy"], { x: -10, y: 5.5 });
  assertEquals((await accepted("mouse-move", "--xy", "10000000, -10000000"))["xy"], {
    x: 10_000_000,
    y: -10_000_000,
  });
  const bad = [
    "",
    "5",
    "5,",
    ",5",
    "1,2,3",
    "a,b",
    "NaN,1",
    "Infinity,1",
    "1e9,1",
    "10000001,0",
    "0x1,2",
  ];
  for (const xy of bad) {
    await refusal("mouse-move", `--xy=${xy}`);
    await refusal("mouse-click", `--xy=${xy}`);
    await refusal("drag", `--from-xy=${xy}`, "--to-xy=1,1");
    await refusal("hover", `--xy=${xy}`);
  }
  await refusal("mouse-wheel", "--x=10000001", "--y=0");
});

Deno.test("type takes at most 10,000 bytes and never repeats the text", async () => {
  assertEquals((await accepted("type", REF, "é".repeat(5000)))["text"], "é".repeat(5000));
  const error = await refusal("type", REF, `s3cret${"é".repeat(5000)}`);
  assertEquals(error.message, "Invalid text: expected at most 10000 bytes of UTF-8");
});

Deno.test("search strings take at most 4,096 bytes and are never repeated", async () => {
  for (const flag of ["name", "description", "value", "text", "native-id"]) {
    await accepted("find", `--${flag}`, "é".repeat(2048));
    const error = await refusal("find", `--${flag}`, `s3cret${"é".repeat(2048)}`);
    assertEquals(error.message.includes("s3cret"), false);
  }
});

Deno.test("a value in a message is cut at 512 characters", async () => {
  const { message } = await refusal("get", REF, "--property", "x".repeat(9000));
  assert(message.length < 700, message);
});

Deno.test("choices", async () => {
  for (const property of ["text", "value", "title", "bounds", "role", "states"]) {
    await accepted("get", REF, "--property", property);
  }
  for (const property of ["visible", "enabled", "checked", "focused", "expanded", "selected"]) {
    await accepted("is", REF, "--property", property);
  }
  await refusal("get", REF, "--property", "visible");
  await refusal("is", REF, "--property", "text");
  await refusal("scroll", REF, "--direction", "sideways");
  await refusal("scroll", REF, "--amount", "0");
  await refusal("mouse-click", "--xy", "1,1", "--button", "fourth");
});

Deno.test("surfaces: hyphens and underscores alike, unknown ones refused", async () => {
  assertEquals((await accepted("snapshot", "--surface", "system_tray"))["surface"], "system-tray");
  assertEquals((await accepted("snapshot", "--surface", "Menu"))["surface"], "menu");
  assertEquals((await accepted("snapshot"))["surface"], "window");
  await refusal("snapshot", "--surface", "basement");
});

Deno.test("mouse-click: 1 to 100 clicks", async () => {
  assertEquals((await accepted("mouse-click", "--xy", "1,1", "--count", "100"))["count"], 100);
  await refusal("mouse-click", "--xy", "1,1", "--count", "0");
  await refusal("mouse-click", "--xy", "1,1", "--count", "101");
});

Deno.test("modifiers: known names, each once under any of its names", async () => {
  const click = ["mouse-click", "--xy", "1,1"];
  const modifiers = async (...names: string[]) =>
    (await accepted(...click, ...names.map((name) => `--modifiers=${name}`)))["modifiers"];
  assertEquals(await modifiers("shift", "cmd", "control", "option"), [
    "shift",
    "meta",
    "ctrl",
    "alt",
  ]);
  assertEquals(await modifiers("ctrl,shift"), ["ctrl", "shift"]);
  assertEquals(await modifiers(), []);
  await refusal(...click, "--modifiers", "hyper");
  await refusal(...click, "--modifiers", "shift", "--modifiers", "shift");
  await refusal(...click, "--modifiers", "cmd", "--modifiers", "meta");
});

Deno.test("drag: limits of its times, exactly one of each end", async () => {
  const ends = ["--from-xy", "1,1", "--to", REF];
  const args = await accepted("drag", ...ends, "--duration", "60000", "--drop-delay", "10000");
  assertEquals([args["duration"], args["drop_delay"], args["wait_for_scope"]], [
    60000,
    10000,
    "to",
  ]);
  await refusal("drag", ...ends, "--duration", "60001");
  await refusal("drag", ...ends, "--drop-delay", "10001");
  await refusal("drag", ...ends, "--wait-for-scope", "middle");
  await refusal("drag", "--from", REF);
  await refusal("drag", "--to", REF);
  await refusal("drag", ...ends, "--from", REF);
  await refusal("drag", ...ends, "--to-xy", "2,2");
});

Deno.test("hover: exactly one target, no duration", async () => {
  await accepted("hover", REF, "--duration", "0");
  await refusal("hover");
  await refusal("hover", REF, "--xy", "1,1");
  await refusal("hover", REF, "--duration", "5");
});

Deno.test("session names: at most 128 characters, no control characters", async () => {
  await accepted("session", "start", "--name", "é".repeat(128));
  await refusal("session", "start", "--name", "a".repeat(129));
  for (const bad of ["a\nb", "a\u0000b", "\u001b[31m", "\u0085"]) {
    await refusal("session", "start", `--name=${bad}`);
  }
  await refusal("session", "end", "../x");
  await refusal("session", "end", "a".repeat(65));
});

Deno.test("--state: a known token, alone or with true, 1, false, 0", async () => {
  const states = async (...values: string[]) =>
    (await accepted("find", ...values.map((value) => `--state=${value}`)))["states"];
  assertEquals(await states("checked", "focused=1", "disabled=false", "busy=0", "modal=true"), [
    { state: "checked", present: true },
    { state: "focused", present: true },
    { state: "disabled", present: false },
    { state: "busy", present: false },
    { state: "modal", present: true },
  ]);
  for (const bad of ["enabled", "", "checked=", "checked=yes", "checked=true=1", "CHECKED"]) {
    await refusal("find", `--state=${bad}`);
  }
});

Deno.test("roles: aliases resolved, unknown ones refused", async () => {
  assertEquals((await accepted("find", "--role", " TextBox "))["role"], "textfield");
  await refusal("find", "--role", "unknown");
  await refusal("find", "--role", "gadget");
});

Deno.test("flags that exclude each other", async () => {
  const modes = [["--count"], ["--first"], ["--last"], ["--nth", "0"], ["--limit", "0"]];
  for (const one of modes) {
    await accepted("find", ...one);
    for (const other of modes) {
      if (one !== other) await refusal("find", ...one, ...other);
    }
  }
  await refusal("find", "--root", REF, "--surface", "menu");
  await accepted("find", "--root", REF, "--surface", "window");
  await refusal("snapshot", "--root", REF, "--surface", "menu");
  await refusal("snapshot", "--outline", "--flat");
  await refusal("snapshot", "--since", "s123", "--outline");
  await refusal("snapshot", "--since", "s123", "--root", REF);
  await refusal("snapshot", "--since", "../x");
});

Deno.test("arguments of the wrong type (as other entry points may pass them) are refused", async () => {
  const invocation = parse(["snapshot"], TABLE);
  if (invocation.kind !== "command") throw new Error();
  const wrong = [{ app: 1 }, { compact: "yes" }, { max_depth: "10" }, { max_depth: 1.5 }, {
    root: {},
  }];
  for (const args of wrong) {
    const error = await assertRejects(() => validate(invocation.command, args), AppError);
    assertEquals(error.code, "INVALID_ARGS");
  }
});
