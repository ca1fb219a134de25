import { assert, assertEquals } from "@std/assert";
import { report, runChecks } from "../../scripts/mac-check.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import { machineFixture } from "./support/platform.ts";

test("the checks for a Mac run to their end and report", async () => {
  const fake = await FakeMac.load();
  fake.become(machineFixture("mail"));
  const options = { intrusive: false, apps: ["Mail", "Notes"], libraries: fake.libraries };
  const findings = await runChecks(options);
  const of = (name: string) => findings.find((finding) => finding.name === name)!;
  for (
    const name of [
      ...["libraries and symbols", "structures as results", "strings, arrays, numbers"],
      "window numbers",
    ]
  ) {
    assertEquals(of(name).status, "pass", of(name).detail);
  }
  assert(/Mail: 22 nodes, \d\.\d\d requests/.test(of("reading windows").detail));
  assertEquals(of("typed text").status, "skip");
  // What only a Mac has fails here, and says why; nothing stops the rest.
  assertEquals(findings.length, 13);
  assertEquals(report(findings).trim().split("\n").length, 14);
  assertEquals(fake.errors, 0, fake.errorLog);
});
