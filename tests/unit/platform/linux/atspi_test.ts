/** The table of AT-SPI numbers against the enumerations that are installed (gir1.2-atspi-2.0). */
import { assert, assertEquals } from "@std/assert";
import {
  COORDS,
  LAYER,
  RELATION,
  ROLE,
  SCROLL,
  STATE,
} from "../../../../src/platform/linux/atspi.ts";

// Prints each enumeration as name, number pairs.
const SCRIPT = `
import gi, json
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi
enums = ["Role", "StateType", "RelationType", "CoordType", "ComponentLayer", "ScrollType"]
print(json.dumps({
  name: [[value.value_nick, int(value)] for value in getattr(Atspi, name).__enum_values__.values()]
  for name in enums
}))
`;

// Names that at-spi2-core 2.53 changed, by the ones of before.
const RENAMED: Readonly<Record<string, string>> = { button: "pushButton" };
// Roles that are younger than the oldest at-spi2-core in use (2.46).
const YOUNGER = new Set(["switch"]);

function installed(): Record<string, [string, number][]> {
  const { success, stdout, stderr } = new Deno.Command("/usr/bin/python3", {
    args: ["-c", SCRIPT],
  }).outputSync();
  assert(success, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function tableName(nick: string): string {
  const name = nick.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  return RENAMED[name] ?? name;
}

Deno.test("the AT-SPI table has every installed name with its number, and no other", () => {
  const enums = installed();
  const tables = {
    Role: ROLE,
    StateType: STATE,
    RelationType: RELATION,
    CoordType: COORDS,
    ComponentLayer: LAYER,
    ScrollType: SCROLL,
  };
  for (const [name, table] of Object.entries(tables)) {
    const told = Object.fromEntries(
      enums[name]!.filter(([nick]) => nick !== "last-defined").map((
        [nick, number],
      ) => [tableName(nick), number]),
    );
    assert(Object.keys(told).length > 2, `${name} was not read`);
    const own = Object.fromEntries(
      Object.entries(table).filter(([key]) => key in told || !YOUNGER.has(key)),
    );
    assertEquals(own, told, name);
  }
});
