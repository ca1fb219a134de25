import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { explicitStateRoot, resolveStateRoot } from "../../../src/store/state_root.ts";
import { Folder } from "./support.ts";

const env = (variables: Record<string, string>) => ({ get: (name: string) => variables[name] });
const HOME = "AGENT_DESKTOP_HOME";

Deno.test("AGENT_DESKTOP_HOME is the state root itself and need not exist", () => {
  using folder = new Folder();
  assertEquals(resolveStateRoot(env({ [HOME]: folder.path })), folder.path);
  assertEquals(resolveStateRoot(env({ [HOME]: `${folder.path}//` })), folder.path);
  assertEquals(resolveStateRoot(env({ [HOME]: `${folder.path}/new` })), `${folder.path}/new`);
  assertEquals(explicitStateRoot(env({})), undefined);
});

Deno.test("a bad AGENT_DESKTOP_HOME is an invalid argument", () => {
  using folder = new Folder();
  Deno.writeTextFileSync(`${folder.path}/file`, "");
  Deno.symlinkSync(folder.path, `${folder.path}/link`);
  Deno.mkdirSync(`${folder.path}/open`);
  Deno.chmodSync(`${folder.path}/open`, 0o777);
  const bad = [
    "",
    "relative",
    "./x",
    "~/x",
    `${folder.path}/file`,
    `${folder.path}/file/below`,
    `${folder.path}/link`,
    `${folder.path}/link/`,
    `${folder.path}/open`,
    `${folder.path}/a\0b`,
  ];
  if (Deno.uid() === 0) {
    Deno.mkdirSync(`${folder.path}/theirs`);
    Deno.chownSync(`${folder.path}/theirs`, 65534, null);
    bad.push(`${folder.path}/theirs`);
  }
  for (const value of bad) {
    const error = assertThrows(() => explicitStateRoot(env({ [HOME]: value })), AppError);
    assertEquals(error.code, "INVALID_ARGS", value);
    assertStringIncludes(error.message, HOME);
  }
});

Deno.test("without it the state root lies in HOME", () => {
  using folder = new Folder();
  assertEquals(resolveStateRoot(env({ HOME: folder.path })), `${folder.path}/.agent-desktop`);
});

Deno.test("an unusable HOME is an error that says how to relocate", () => {
  using folder = new Folder();
  Deno.symlinkSync(folder.path, `${folder.path}/link`);
  Deno.writeTextFileSync(`${folder.path}/file`, "");
  const homes: Record<string, string>[] = [
    {},
    { HOME: "" },
    { HOME: "home" },
    { HOME: `${folder.path}/none` },
    { HOME: `${folder.path}/link` },
    { HOME: `${folder.path}/file` },
  ];
  for (const home of homes) {
    const error = assertThrows(() => resolveStateRoot(env(home)), AppError);
    assertEquals(error.code, "INTERNAL");
    assertEquals(error.delivery, "not_delivered");
    assertStringIncludes(error.message, ".agent-desktop");
    assertStringIncludes(error.suggestion!, HOME);
  }
});
