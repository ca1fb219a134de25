import config from "../deno.json" with { type: "json" };

/** The program's version, as `deno.json` states it; bundling puts the value into the binary. */
export const VERSION: string = config.version;
