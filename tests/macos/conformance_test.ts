/** The conformance table on the macOS platform, whose handles do not outlive a command. */
import { outcomeOf, rootOf, runRow } from "../conformance/run.ts";
import { ROWS } from "../conformance/table.ts";
import { test } from "./support/case.ts";
import { FakeMac } from "./support/fake.ts";
import { MacSubject } from "./support/subject.ts";

const fake = await FakeMac.load();

for (const row of ROWS) {
  if (outcomeOf(row, "none") === undefined) continue;
  test(`ref when ${row.name}`, async () => {
    await using subject = new MacSubject(fake, rootOf(row));
    await runRow(row, "none", subject);
  });
}
