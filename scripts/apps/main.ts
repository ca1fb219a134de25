/**
 * The inner half of `scripts/applications`: tries the applications named as arguments (all without),
 * one after the other, and writes docs/applications.md when it tried all.
 */
import { ROOT } from "../../tests/e2e/support/desktop.ts";
import { GTK3, GTK4, VTE } from "./gtk.ts";
import { OTHERS } from "./others.ts";
import { page } from "./page.ts";
import { QT } from "./qt.ts";
import { tryOut } from "./trial.ts";
import type { Application, Result } from "./types.ts";

/** One application may take so long altogether. */
const LIMIT_MS = 180_000;

const ALL: readonly Application[] = [...GTK3, ...VTE, ...GTK4, ...QT, ...OTHERS];

/** Installs what an application needs; false when this system does not offer it. */
async function install(application: Application): Promise<boolean> {
  const groups = application.packages.map((name) => `package:${name}`);
  const { success } = await new Deno.Command(`${ROOT}scripts/setup`, { args: groups }).output();
  return success;
}

async function system(): Promise<string> {
  const text = await Deno.readTextFile("/etc/os-release");
  const name = /^PRETTY_NAME="(.*)"$/m.exec(text)?.[1] ?? "Linux";
  return `${name}, X11, ${navigator.hardwareConcurrency} processors`;
}

const wanted = Deno.args.map((name) => name.toLowerCase());
const chosen = ALL.filter(({ name }) =>
  wanted.length === 0 || wanted.some((one) => name.toLowerCase().includes(one))
);
if (chosen.length === 0) {
  console.error(`none of: ${ALL.map(({ name }) => name).join(", ")}`);
  Deno.exit(1);
}

const results: Result[] = [];
for (const application of chosen) {
  const { name, toolkit } = application;
  const result = await install(application)
    ? await tryOut(application, LIMIT_MS)
    : { name, toolkit, version: "", told: "", failure: "no package here", outcomes: [] };
  results.push(result);
  const { outcomes, ...figures } = result;
  console.log(JSON.stringify(figures));
  for (const one of outcomes) {
    const verdict = one.seen && one.claimed ? "ok " : one.seen ? "yet" : "NOT";
    console.log(`  ${verdict} ${one.what}: ${one.answer} ${one.detail ?? ""}`);
  }
}
if (chosen.length === ALL.length) {
  await Deno.writeTextFile(`${ROOT}docs/applications.md`, page(results, await system()));
}
