/** Which toolkit an application is made with. */
import { chromium } from "./chromium.ts";
import { gecko } from "./gecko.ts";
import { gtk3 } from "./gtk3.ts";
import { gtk4 } from "./gtk4.ts";
import { libreOffice } from "./libreoffice.ts";
import { qt } from "./qt.ts";
import { type ApplicationFacts, DEFAULT, type Toolkit } from "./toolkit.ts";
import { webkit } from "./webkit.ts";

// Each says whether an application is its own; the first that does is taken.
const KNOWN: readonly ((facts: ApplicationFacts) => Toolkit | undefined)[] = [
  gtk4,
  libreOffice,
  gtk3,
  qt,
  chromium,
  gecko,
  webkit,
];

/** The toolkit of an application; `DEFAULT` when it is none of the known ones. */
export function toolkitOf(facts: ApplicationFacts): Toolkit {
  for (const known of KNOWN) {
    const toolkit = known(facts);
    if (toolkit !== undefined) return toolkit;
  }
  return DEFAULT;
}
