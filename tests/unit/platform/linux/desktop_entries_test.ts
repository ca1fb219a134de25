import { assertEquals } from "@std/assert";
import {
  applicationFolders,
  findEntries,
  parseEntry,
  parseExec,
} from "../../../../src/platform/linux/desktop_entries.ts";

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

Deno.test("an Exec line: quotes, escapes and field codes", () => {
  assertEquals(parseExec("gedit %U"), ["gedit"]);
  assertEquals(parseExec(`"/opt/My App/run" --title "a \\"b\\" \\$c" %f`), [
    "/opt/My App/run",
    "--title",
    'a "b" $c',
  ]);
  assertEquals(parseExec("env A=1 prog --icon=%i --percent=100%%"), [
    "env",
    "A=1",
    "prog",
    "--icon=",
    "--percent=100%",
  ]);
  assertEquals(parseExec(""), []);
});

Deno.test("an entry: names of all languages, working folder, what counts as none", () => {
  const text = `# comment
[Desktop Entry]
Type=Application
Name=Files
Name[de]=Dateien
Exec=thunar %U
Path=/tmp
[Desktop Action new]
Exec=other
Name=Not this
`;
  assertEquals(parseEntry("thunar", text, () => true), {
    id: "thunar",
    names: ["Files", "Dateien"],
    command: ["thunar"],
    cwd: "/tmp",
    terminal: false,
  });
  const changed = (from: string, to: string) =>
    parseEntry("x", text.replace(from, to), (program) => program === "there");
  assertEquals(changed("Type=Application", "Type=Link"), undefined);
  assertEquals(changed("Path=/tmp", "Hidden=true"), undefined);
  assertEquals(changed("Path=/tmp", "TryExec=missing"), undefined);
  assertEquals(changed("Path=/tmp", "TryExec=there")?.id, "x");
  assertEquals(changed("Path=/tmp", "Terminal=true")?.terminal, true);
  assertEquals(parseEntry("x", "no entry at all", () => true), undefined);
});

Deno.test("the user's own folder comes first and hides an entry of the same id", async () => {
  const root = await Deno.makeTempDir();
  try {
    const write = async (folder: string, name: string, lines: string) => {
      await Deno.mkdir(`${root}/${folder}/applications/${name.includes("/") ? "sub" : ""}`, {
        recursive: true,
      });
      await Deno.writeTextFile(
        `${root}/${folder}/applications/${name}.desktop`,
        `[Desktop Entry]\nType=Application\n${lines}\n`,
      );
    };
    await write("own", "editor", "Name=Mine\nExec=mine");
    await write("system", "editor", "Name=Theirs\nExec=theirs");
    await write("system", "sub/tool", "Name=A Tool\nExec=tool");
    await write("system", "twin1", "Name=Twin\nExec=one");
    await write("system", "twin2", "Name=Twin\nExec=two");
    const env = (name: string) =>
      ({ HOME: "/nowhere", XDG_DATA_HOME: `${root}/own`, XDG_DATA_DIRS: `${root}/system` })[name];
    const ids = (query: string) => findEntries(query, env, same).map(({ id }) => id);
    assertEquals(findEntries("editor", env, same).map(({ command }) => command), [["mine"]]);
    assertEquals(ids("EDITOR.desktop"), ["editor"]);
    assertEquals(ids("Theirs"), []);
    assertEquals(ids("sub-tool"), ["sub-tool"]);
    assertEquals(ids("a tool"), ["sub-tool"]);
    assertEquals(ids("twin").sort(), ["twin1", "twin2"]);
    assertEquals(ids("nothing"), []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("folders come from the environment, with the specification's defaults", () => {
  assertEquals(applicationFolders((name) => name === "HOME" ? "/home/ada" : undefined), [
    "/home/ada/.local/share/applications",
    "/usr/local/share/applications",
    "/usr/share/applications",
  ]);
  assertEquals(applicationFolders(() => undefined), [
    "/usr/local/share/applications",
    "/usr/share/applications",
  ]);
});
