import { assertEquals } from "@std/assert";
import { matchWindow, type X11Window } from "../../../../src/platform/linux/x11_windows.ts";

let next = 1;

function window(fields: Partial<X11Window> = {}): X11Window {
  const xid = next++;
  const rect = { x: 0, y: 0, width: 400, height: 300 };
  return {
    xid,
    frame: xid,
    pid: 7,
    title: "Untitled",
    ...rect,
    frameExtents: { left: 0, right: 0, top: 0, bottom: 0 },
    outer: rect,
    focused: false,
    viewable: true,
    overrideRedirect: false,
    stacking: xid,
    ...fields,
  };
}

Deno.test("a window is matched by process and title", () => {
  const wanted = window({ title: "Letter" });
  const windows = [window(), wanted, window({ pid: 8, title: "Letter" })];
  assertEquals(matchWindow(windows, { pid: 7, title: "Letter" }), wanted);
  assertEquals(matchWindow(windows, { pid: 9, title: "Letter" }), undefined);
});

Deno.test("the only window of a process is it, whatever its title says just now", () => {
  const only = window({ title: "Letter*" });
  assertEquals(matchWindow([only, window({ pid: 8 })], { pid: 7, title: "Letter" }), only);
});

Deno.test("equal titles are told apart by size, then by focus, or not at all", () => {
  const small = window({ width: 200, outer: { x: 0, y: 0, width: 200, height: 300 } });
  const focused = window({ focused: true });
  const plain = window();
  const description = { pid: 7, title: "Untitled", size: { width: 200, height: 300 } };
  assertEquals(matchWindow([small, focused, plain], description), small);
  const active = { pid: 7, title: "Untitled", isFocused: true };
  assertEquals(matchWindow([focused, plain, window()], active), focused);
  assertEquals(matchWindow([plain, window()], { pid: 7, title: "Untitled" }), undefined);
});

Deno.test("popups are nobody's window; a window without a process needs its title", () => {
  const popup = window({ overrideRedirect: true });
  assertEquals(matchWindow([popup], { pid: 7, title: "Untitled" }), undefined);
  const nameless = window({ title: "Remote" });
  delete nameless.pid;
  assertEquals(matchWindow([nameless], { pid: 7, title: "Remote" }), nameless);
  const untitled = window({ title: "" });
  delete untitled.pid;
  assertEquals(matchWindow([untitled], { pid: 7, title: "" }), undefined);
});
