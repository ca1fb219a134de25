/** Layers and overlays of an application, as far as toolkits show them. */
import type { Surface } from "../platform.ts";

/** Surfaces `--surface` understands on Linux. */
export const SURFACES_HERE: readonly Surface[] = ["window"];
