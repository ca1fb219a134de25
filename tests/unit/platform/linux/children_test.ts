import { assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { Deadline } from "../../../../src/deadline.ts";
import type { Bus, Reply } from "../../../../src/platform/linux/bus.ts";
import {
  askListed,
  childReplies,
  isListable,
  listChildren,
  NOT_LISTED,
} from "../../../../src/platform/linux/children.ts";
import type { MethodCall } from "../../../../src/platform/linux/wire.ts";

const LINUX = fromFileUrl(new URL("../../../../src/platform/linux/", import.meta.url));

/** What asks an application for a list as long as it likes. */
const UNBOUNDED = ["GetChildren", "GetSelectedRows", "GetSelectedColumns", "SelectAll"];

function sources(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sources(`${folder}${name}/`);
    return name.endsWith(".ts") ? [folder + name] : [];
  });
}

Deno.test("only one file asks for a list of children, and no file for others without a bound", () => {
  const found = sources(LINUX).flatMap((file) => {
    const text = Deno.readTextFileSync(file);
    return UNBOUNDED.filter((word) => new RegExp(`["'\`]${word}["'\`]`).test(text))
      .map((word) => `${file.slice(LINUX.length)} ${word}`);
  });
  assertEquals(found, ["children.ts GetChildren"]);
});

/** A bus that answers each question at once. */
function scripted(answer: (call: MethodCall) => Reply): { bus: Bus; asked: string[] } {
  const asked: string[] = [];
  const bus = {
    send(call: MethodCall, done: (reply: Reply) => void): void {
      asked.push(call.member === "Get" ? String(call.args?.[1]) : call.member);
      done(answer(call));
    },
    run: () => true,
  };
  return { bus: bus as unknown as Bus, asked };
}

const LIST = { bus: ":1.1", path: "/list" };
const CHILD: Reply = { ok: true, values: [[[":1.1", "/child"]]], signature: "a(so)" };
const counts = (count: unknown) =>
  scripted((call) => call.member === "Get" ? { ok: true, values: [count], signature: "v" } : CHILD);

Deno.test("children are asked for when their number, told first, is one that can be listed", () => {
  for (const count of [1, 4096]) {
    const { bus, asked } = counts(count);
    assertEquals(listChildren(bus, LIST, Deadline.after(1000)), [{ bus: ":1.1", path: "/child" }]);
    assertEquals(asked, ["ChildCount", "GetChildren"]);
  }
});

Deno.test("children are not asked for when they are too many or nobody knows how many", () => {
  for (const count of [2_147_483_647, 4097, -1, -2_147_483_648, NaN, "many"]) {
    const { bus, asked } = counts(count);
    const [reply] = childReplies(bus, [LIST], Deadline.after(1000));
    assertEquals([reply?.ok, (reply as { error?: string }).error], [false, NOT_LISTED]);
    assertEquals(asked, ["ChildCount"]);
  }
  assertEquals([undefined, NaN, 1.5, -1, 4097].map(isListable), Array(5).fill(false));
});

Deno.test("without children nothing more is asked", () => {
  const { bus, asked } = counts(0);
  assertEquals(listChildren(bus, LIST, Deadline.after(1000)), []);
  assertEquals(asked, ["ChildCount"]);
  let reply: Reply | undefined;
  askListed(bus, LIST, undefined, (one) => reply = one);
  assertEquals(reply?.ok, false);
  assertEquals(asked, ["ChildCount"]);
});

Deno.test("a count that is refused is the answer", () => {
  const error: Reply = {
    ok: false,
    error: "org.freedesktop.DBus.Error.UnknownObject",
    message: "",
  };
  const { bus, asked } = scripted(() => error);
  assertEquals(childReplies(bus, [LIST], Deadline.after(1000)), [error]);
  assertEquals(asked, ["ChildCount"]);
});
