/** A macOS platform over the stand-in, for the tests of this platform and those of all platforms. */
import { assertEquals } from "@std/assert";
import { MacPlatform } from "../../../src/platform/macos/platform.ts";
import type { Handle } from "../../../src/tree/node.ts";
import type { Variant } from "./build.ts";
import { FakeMac } from "./fake.ts";
import type { FakeMachine } from "./fixture.ts";

/** The platform and the machine under it. */
export interface FakePlatform {
  platform: MacPlatform;
  fake: FakeMac;
  /** The handle of an element by its id in the fixture. */
  at(id: string): Handle;
  /** Closes the platform and checks that nothing leaked and nothing was misused. */
  finish(): void;
}

/** Throws when the stand-in has noticed anything since the last mark. */
export function assertClean(fake: FakeMac): void {
  assertEquals(fake.errors, 0, fake.errorLog);
  assertEquals(fake.untimedCalls, 0, "requests without a messaging timeout");
  assertEquals(fake.openPools, 0, "autorelease pools left open");
}

/**
 * A platform on a machine of its own.
 *
 * @param machine the machine, as JSON or parsed
 */
export async function createFakeMacPlatform(
  machine: FakeMachine | string,
  variant: Variant = "full",
): Promise<FakePlatform> {
  return usePlatform(await FakeMac.load(variant), machine);
}

const PLATFORMS = new WeakMap<FakeMac, MacPlatform>();

/** A platform on a loaded stand-in that becomes this machine; for modules with many tests. */
export function usePlatform(fake: FakeMac, machine: FakeMachine | string): FakePlatform {
  fake.become(typeof machine === "string" ? JSON.parse(machine) as FakeMachine : machine);
  const before = fake.liveObjects;
  // Opening the libraries costs more than most tests; a closed platform opens itself again.
  let platform = PLATFORMS.get(fake);
  if (!platform) PLATFORMS.set(fake, platform = new MacPlatform(fake.libraries));
  const used = platform;
  return {
    platform: used,
    fake,
    at(id) {
      using element = used.native.cf.adopt(fake.element(id), id);
      return used.elements.hold(element);
    },
    finish() {
      used.close();
      assertClean(fake);
      assertEquals(fake.liveObjects, before, fake.leaks);
    },
  };
}

/** A machine from `fixtures/trees/macos/`. */
export function machineFixture(name: string): FakeMachine {
  const url = new URL(`../../../fixtures/trees/macos/${name}.json`, import.meta.url);
  return JSON.parse(Deno.readTextFileSync(url)) as FakeMachine;
}
