import { assert, assertEquals } from "@std/assert";
import { report, runChecks } from "../../scripts/mac-check.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import { machineFixture } from "./support/platform.ts";

test("the checks for a Mac run to their end and report", async () => {
  const fake = await FakeMac.load();
  fake.become(machineFixture("mail"));
  const binary = await Deno.makeTempFile({ prefix: "mac-check-" });
  await Deno.writeTextFile(binary, `#!/bin/sh\necho '{"ok":true}'\n`);
  await Deno.chmod(binary, 0o700);
  const apps = ["Mail", "Notes"];
  const findings = await runChecks({ intrusive: false, apps, binary, libraries: fake.libraries });
  await Deno.remove(binary);
  const of = (name: string) => findings.find((finding) => finding.name === name)!;
  for (
    const name of [
      ...["libraries and symbols", "structures as results", "strings, arrays, numbers"],
      ...["window numbers", "the compiled program"],
    ]
  ) {
    assertEquals(of(name).status, "pass", of(name).detail);
  }
  assert(/Mail: 22 nodes, \d\.\d\d requests/.test(of("reading windows").detail));
  for (const name of ["a stopped application", "typed text", "launch and quit", "renderers"]) {
    assertEquals(of(name).status, "skip");
  }
  // What only a Mac has fails here, and says why; nothing stops the rest.
  assertEquals(findings.length, 16);
  assertEquals(report(findings).trim().split("\n").length, 17);
  assertEquals(fake.errors, 0, fake.errorLog);
});
