/** CoreServices: whether another application may be scripted. */
import type { Calls } from "../library.ts";
import { open } from "./library.ts";

/** Declarations, checked against the stand-in's own table by the tests. */
export const CORE_SERVICES = {
  AECreateDesc: { parameters: ["u32", "buffer", "isize", "buffer"], result: "i16" },
  AEDisposeDesc: { parameters: ["buffer"], result: "i16" },
  AEDeterminePermissionToAutomateTarget: {
    parameters: ["buffer", "u32", "u32", "u8"],
    result: "i32",
  },
} as const satisfies Deno.ForeignLibraryInterface;

/** Four-character codes, by the names in the headers. */
export const AE = {
  /** 'bund': the target is named by a bundle id. */
  typeApplicationBundleID: 0x62756e64,
  /** '****': any event class, any event. */
  typeWildCard: 0x2a2a2a2a,
} as const;
/** An AEDesc takes 12 bytes, packed; a little more does no harm. */
const DESC_SIZE = 16;

/** Results of the probe (OSStatus). */
export const AUTOMATION = { granted: 0, denied: -1743 } as const;

export class CoreServices {
  readonly #s: Calls<typeof CORE_SERVICES>;

  constructor(path: string) {
    this.#s = open(path, CORE_SERVICES);
  }

  /** OSStatus of scripting a running application; never asks the person at the screen. */
  automationStatus(bundleId: string): number | undefined {
    const id = new TextEncoder().encode(bundleId);
    const desc = new Uint8Array(DESC_SIZE);
    if (this.#s.AECreateDesc(AE.typeApplicationBundleID, id, BigInt(id.length), desc) !== 0) {
      return undefined;
    }
    try {
      return this.#s.AEDeterminePermissionToAutomateTarget(
        desc,
        AE.typeWildCard,
        AE.typeWildCard,
        0,
      );
    } finally {
      this.#s.AEDisposeDesc(desc);
    }
  }
}
