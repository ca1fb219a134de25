/** The conformance table on the test platform. */
import { outcomeOf, rootOf, runRow } from "./run.ts";
import { type Handles, ROWS } from "./table.ts";
import { TestSubject } from "./test_subject.ts";

for (const row of ROWS) {
  for (const handles of ["live", "lost", "none"] satisfies Handles[]) {
    if (outcomeOf(row, handles) === undefined) continue;
    Deno.test(`ref when ${row.name} (handles ${handles})`, async () => {
      await using subject = new TestSubject(rootOf(row), handles !== "none");
      await runRow(row, handles, subject);
    });
  }
}
