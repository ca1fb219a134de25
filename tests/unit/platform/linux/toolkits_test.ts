/** Which toolkit an application is taken for, and what versions change. */
import { assertEquals } from "@std/assert";
import { profileOf } from "../../../../src/platform/linux/profile.ts";
import { ROLE } from "../../../../src/platform/linux/atspi.ts";
import type { AppRoot } from "../../../../src/platform/linux/inventory.ts";
import { toolkitOf } from "../../../../src/platform/linux/toolkits/known.ts";
import type { Toolkit } from "../../../../src/platform/linux/toolkits/toolkit.ts";

function of(toolkit: string, version = ""): Toolkit {
  return toolkitOf({ toolkit, version, name: "app" });
}

Deno.test("each toolkit is known by what it calls itself", () => {
  const names = [
    ["gtk", "3.24.38", "GTK 3"],
    ["gtk", "", "GTK 3"],
    ["GTK", "4.8.3", "GTK 4"],
    ["Qt", "5.15.8", "Qt"],
    ["Chromium", "156.0", "Chromium"],
    ["Gecko", "128.0", "Gecko"],
    ["WebKitGtk", "2.40", "WebKitGTK"],
    ["", "", "default"],
    ["Qtopia", "1", "default"],
  ] as const;
  for (const [toolkit, version, name] of names) assertEquals(of(toolkit, version).name, name);
});

Deno.test("GTK 4 changes with its minor version", () => {
  const facts = (version: string) => {
    const { reportsShowing, accessibleIds, popoverName, misplacement } = of("GTK", version);
    return [reportsShowing, accessibleIds, popoverName !== undefined, misplacement !== undefined];
  };
  assertEquals(facts("4.8.3"), [false, false, true, false]);
  assertEquals(facts("4.9.9"), [false, false, true, false]);
  assertEquals(facts("4.10.0"), [true, false, false, true]);
  assertEquals(facts("4.18.6"), [true, false, false, true]);
  assertEquals(facts("4.19.0"), [true, true, false, true]);
  assertEquals(facts("5.0.0"), [true, true, false, true]);
});

Deno.test("GTK 4 popovers of before 4.10 are known by their type's name", () => {
  const { popoverName } = of("GTK", "4.8.3");
  assertEquals(popoverName?.test("GtkPopoverMenu"), true);
  assertEquals(popoverName?.test("GtkButton"), false);
});

Deno.test("a page's content is moved back by what the page adds", () => {
  const rect = (x: number, y: number) => ({ x, y, width: 10, height: 10 });
  const told = (x: number, y: number, hasActions: boolean) => ({
    roleNumber: ROLE.panel,
    hasActions,
    rect: rect(x, y),
  });
  const { misplacement } = of("GTK", "4.12.0");
  const inner = told(10, 80, true);
  const shift = { x: 1, y: 2 };
  assertEquals(misplacement?.(told(5, 40, false), inner, shift), { x: 6, y: 42 });
  assertEquals(misplacement?.(told(5, 40, true), inner, shift), shift);
  assertEquals(
    misplacement?.({ ...inner, hasActions: false, rect: undefined }, inner, shift),
    shift,
  );
});

Deno.test("LibreOffice: a root pane is as far up as its menu bar is high, GTK's widgets in it are not", () => {
  const { misplacement } = toolkitOf({ toolkit: "gtk", version: "3.24", name: "soffice" });
  const told = (roleNumber: number, x: number, y: number, width: number, height: number) => ({
    roleNumber,
    hasActions: false,
    rect: { x, y, width, height },
  });
  const right = { x: 0, y: 0 };
  const container = told(ROLE.panel, 0, 44, 1280, 856);
  const pane = told(ROLE.rootPane, 0, 19, 1280, 856);
  const up = { x: 0, y: -25 };
  assertEquals(misplacement?.(container, pane, right), up);
  const bar = told(ROLE.toolBar, 0, 97, 1221, 42);
  assertEquals(misplacement?.(pane, bar, up), up);
  const made = told(ROLE.panel, 4, 99, 162, 34);
  assertEquals(misplacement?.(bar, made, up), up);
  assertEquals(misplacement?.(made, told(ROLE.panel, 4, 124, 162, 34), up), right);
  // As large and as far away, but where nothing is misplaced.
  assertEquals(misplacement?.(made, told(ROLE.panel, 4, 124, 162, 34), right), right);
  assertEquals(misplacement?.(told(ROLE.panel, 0, 19, 1280, 856), pane, right), right);
});

Deno.test("Qt counts UTF-16 units, the others insert bytes", () => {
  assertEquals(of("Qt").insertLength("ä😀"), 3);
  assertEquals(of("gtk", "3.24").insertLength("ä😀"), 6);
});

Deno.test("an application on a Wayland surface takes its window for the screen", () => {
  const root = (toolkit: string): AppRoot => ({
    object: { bus: ":1.2", path: "/org/a11y/atspi/accessible/root" },
    pid: 7,
    name: "app",
    toolkit: of(toolkit, "3.24"),
    tops: undefined,
    silent: false,
    nameless: false,
    proxied: false,
  });
  const facts = (toolkit: string, hasWindow: boolean | undefined) => {
    const profile = profileOf(root(toolkit), () => hasWindow);
    return [profile.screenPixels, profile.windowCoordinates, profile.hitTestFindsFirst];
  };
  assertEquals(facts("gtk", true), [false, false, true]);
  assertEquals(facts("gtk", false), [false, true, false]);
  assertEquals(facts("gtk", undefined), [false, true, false]);
  assertEquals(facts("Other", false), [false, true, false]);
  assertEquals(facts("Chromium", false), [true, false, false]);
  assertEquals(profileOf(root("gtk"), undefined).windowCoordinates, false);
});
