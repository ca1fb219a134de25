import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parse, ParseError, UnknownCommand } from "../../../src/cli/parse.ts";
import { loadAllCommands } from "../../../src/commands/catalogue.ts";
import { firstLine, MAX_QUOTED } from "../../../src/commands/quote.ts";

const TABLE = await loadAllCommands();

function args(...argv: string[]): Record<string, unknown> {
  const invocation = parse(argv, TABLE);
  if (invocation.kind !== "command") throw new Error(invocation.kind);
  return invocation.args;
}

function globals(...argv: string[]): unknown {
  const invocation = parse(argv, TABLE);
  if (invocation.kind !== "command") throw new Error(invocation.kind);
  return invocation.globals;
}

function refused(...argv: string[]): string {
  return assertThrows(() => parse(argv, TABLE), ParseError).message;
}

Deno.test("flags come as --flag value, --flag=value and -f, in any order", () => {
  assertEquals(args("snapshot", "--app", "gedit", "-i", "--max-depth=4", "--compact"), {
    app: "gedit",
    interactive_only: true,
    max_depth: 4,
    compact: true,
  });
  assertEquals(args("get", "--property", "value", "@s123:e1"), {
    property: "value",
    ref_id: "@s123:e1",
  });
});

Deno.test("global flags stand before or after the command", () => {
  const expected = { headed: true, session: "a", wait_for: "button:OK" };
  assertEquals(
    globals("--headed", "--session", "a", "-w", "button:OK", "click", "@s123:e1"),
    expected,
  );
  assertEquals(globals("click", "--session=a", "@s123:e1", "--headed", "-w=button:OK"), expected);
  assertEquals(globals("click", "@s123:e1", "-wbutton:OK", "--headed", "--session", "a"), expected);
  assertEquals(globals("snapshot", "-vi"), { verbose: true });
});

Deno.test("an unknown command is refused by its name", () => {
  const error = assertThrows(() => parse(["snapshott"], TABLE), UnknownCommand);
  assertEquals([error.message, error.word], ["Unknown command 'snapshott'", "snapshott"]);
  assertEquals(new UnknownCommand("x", "y").message, "Unknown command 'x'; did you mean y?");
});

Deno.test("an unknown flag is refused and its value is not repeated", () => {
  assertEquals(refused("snapshot", "--snapshot=secret"), "Unknown flag '--snapshot'");
  assertEquals(refused("--app", "x", "snapshot"), "Unknown flag '--app'");
  assertEquals(refused("click", "@s123:e1", "-x"), "Unknown flag '-x'");
  assertEquals(refused("get", "@s123:e1", "--snapshot", "s1"), "Unknown flag '--snapshot'");
});

Deno.test("flags are not given twice unless they are lists", () => {
  assertEquals(
    refused("snapshot", "-i", "--interactive-only"),
    "--interactive-only is given twice",
  );
  assertEquals(refused("snapshot", "--app", "a", "--app=b"), "--app is given twice");
  assertEquals(args("find", "--state", "checked", "--state=focused=false"), {
    states: ["checked", "focused=false"],
  });
});

Deno.test("a flag without its value, or a value for a switch, is refused", () => {
  assertEquals(refused("snapshot", "--app"), "--app needs a value: NAME");
  assertStringIncludes(refused("snapshot", "--app", "-i"), "--app needs a value: NAME");
  assertEquals(refused("snapshot", "--compact=yes"), "--compact takes no value");
});

Deno.test("positional arguments: too few, too many", () => {
  assertEquals(refused("click"), "click needs REF");
  assertEquals(refused("type", "@s123:e1"), "type needs TEXT");
  assertEquals(
    refused("click", "@s123:e1", "@s123:e2"),
    "Unexpected argument '@s123:e2' for click",
  );
  assertEquals(refused("mouse-move", "--headed"), "mouse-move needs --xy");
  assertEquals(refused("--headed"), "No command given");
  assertEquals(args("hover", "--xy", "1,2"), { xy: "1,2" });
});

Deno.test("numbers have to be numbers of their kind", () => {
  assertEquals(args("snapshot", "--max-depth", "255"), { max_depth: 255 });
  for (const bad of ["256", "-1", "1.5", "ten", "", "0x10", "1e1"]) {
    assertStringIncludes(
      refused("snapshot", `--max-depth=${bad}`),
      "expected a whole number from 0 to 255",
    );
  }
  for (const bad of ["-5", "5ms", "99999999999999999999"]) {
    assertStringIncludes(refused("click", "@s123:e1", `--timeout-ms=${bad}`), "whole number");
  }
  assertEquals(args("mouse-wheel", "--x", "1.5", "--y=-2", "--dy=-3"), { x: 1.5, y: -2, dy: -3 });
  for (const bad of ["NaN", "Infinity", "1,5", "--x"]) {
    assertStringIncludes(refused("mouse-wheel", `--x=${bad}`), "expected a number");
  }
});

Deno.test("negative numbers need the = form", () => {
  assertStringIncludes(refused("mouse-move", "--xy", "-10,5"), "write --xy=VALUE");
  assertEquals(args("mouse-move", "--xy=-10,5"), { xy: "-10,5" });
});

Deno.test("text for type, set-value and select may begin with a dash", () => {
  assertEquals(args("type", "@s123:e1", "-5 degrees"), { ref_id: "@s123:e1", text: "-5 degrees" });
  assertEquals(args("type", "@s123:e1", "--x"), { ref_id: "@s123:e1", text: "--x" });
  assertEquals(args("set-value", "@s123:e1", "-42", "--timeout-ms", "0"), {
    ref_id: "@s123:e1",
    value: "-42",
    timeout_ms: 0,
  });
  assertEquals(args("select", "@s123:e1", "-none-"), { ref_id: "@s123:e1", value: "-none-" });
  // A flag that exists stays a flag; after -- nothing is one.
  assertEquals(args("type", "@s123:e1", "--", "--headed"), {
    ref_id: "@s123:e1",
    text: "--headed",
  });
  assertEquals(args("type", "@s123:e1", ""), { ref_id: "@s123:e1", text: "" });
  assertEquals(args("type", "@s123:e1", "-"), { ref_id: "@s123:e1", text: "-" });
});

Deno.test("after -- everything is positional", () => {
  assertEquals(args("get", "--", "@s123:e1"), { ref_id: "@s123:e1" });
  assertEquals(
    refused("click", "@s123:e1", "--", "--headed"),
    "Unexpected argument '--headed' for click",
  );
});

Deno.test("session takes one of its actions", () => {
  assertEquals(args("session", "start", "--name", "x"), { action: "start", name: "x" });
  assertEquals(args("--headed", "session", "end"), { action: "end" });
  assertEquals(refused("session"), "session needs one of: start, end, list, gc");
  assertStringIncludes(refused("session", "begin"), "Unknown session action 'begin'");
});

Deno.test("help and version win over what follows, not over what came before", () => {
  assertEquals(parse([], TABLE), { kind: "help" });
  assertEquals(parse(["-h"], TABLE), { kind: "help" });
  assertEquals(parse(["click", "--help"], TABLE), { kind: "help", command: "click" });
  assertEquals(parse(["session", "-h"], TABLE), { kind: "help", command: "session" });
  assertEquals(parse(["snapshot", "-V"], TABLE), { kind: "version" });
  assertEquals(parse(["--version", "--nonsense"], TABLE), { kind: "version" });
  assertEquals(refused("--nonsense", "--help"), "Unknown flag '--nonsense'");
});

Deno.test("names of built-in object properties are no commands, flags or actions", () => {
  for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    assertEquals(refused(name), `Unknown command '${name}'`);
    assertEquals(refused("snapshot", `--${name}`), `Unknown flag '--${name}'`);
    assertStringIncludes(refused("session", name), "Unknown session action");
  }
});

Deno.test("a diagnostic is one line of at most 512 characters of valid text", () => {
  const message = refused("a".repeat(5000));
  assertEquals([...message].length <= MAX_QUOTED, true);
  assertEquals(firstLine("one\ntwo"), "one");
  assertEquals(refused("one\r\ntwo"), "Unknown command 'one");
  assertEquals(refused("\ud800").isWellFormed(), true);
  assertEquals([...firstLine("😀".repeat(600))].length, MAX_QUOTED);
});

Deno.test("any command line ends in a command, a text or a ParseError", () => {
  const words = [
    "click",
    "type",
    "session",
    "start",
    "-i",
    "-w",
    "--",
    "-",
    "",
    "--app",
    "--app=",
    "@s123:e1",
    "--xy=-1,2",
    "-vh",
    "--=",
    "=",
    "--headed",
    "\u202e",
    "-é",
    "find",
    "--state",
  ];
  let seed = 7;
  const random = (bound: number) => {
    seed = (seed * 1103515245 + 12345) % 0x80000000;
    return Math.floor(seed / 0x80000000 * bound);
  };
  for (let round = 0; round < 20_000; round++) {
    const argv = Array.from({ length: random(6) }, () => words[random(words.length)]!);
    try {
      parse(argv, TABLE);
    } catch (thrown) {
      if (!(thrown instanceof ParseError)) throw thrown;
      assertEquals(thrown.message.includes("\n"), false);
    }
  }
});
