/** The test platform as a subject: the program runs in this process. */
import { effectiveUserId } from "../../ffi/libc.ts";
import { main, Run } from "../../main.ts";
import type { Process } from "../../src/cli/process.ts";
import { TestPlatform } from "../support/test_platform/platform.ts";
import type { TestNode } from "../support/test_platform/world.ts";
import { type Answer, type Edit, Subject } from "./subject.ts";

// The C library stays loaded for the life of the process; loaded here it is no test's leak.
effectiveUserId();

/** An application that exists only in memory. */
export class TestSubject extends Subject {
  readonly app = "subject";
  readonly stateRoot: string;
  readonly platform: TestPlatform;

  constructor(root: TestNode, handlesPersist = true) {
    super(root);
    this.world.handlesPersist = handlesPersist;
    this.platform = new TestPlatform(this.world);
    this.stateRoot = Deno.makeTempDirSync({ prefix: "conformance-" });
  }

  async run(...args: string[]): Promise<Answer> {
    let output = "";
    const process: Process = {
      env: (name) => name === "AGENT_DESKTOP_HOME" ? this.stateRoot : undefined,
      stdout: (text) => void (output += text),
      stderr: () => {},
      keepOnly: () => {},
    };
    await main(args, () => Promise.resolve(this.platform), new Run(process));
    return JSON.parse(output);
  }

  change(edit: Edit): Promise<void> {
    this.mirror(edit);
    return Promise.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.stateRoot, { recursive: true });
  }
}
