/**
 * libatspi: gives the process its connection to the accessibility bus. The library ends the
 * process when it cannot connect, so callers probe the bus first.
 */
import { openLibrary } from "../library.ts";
import { BusConnection } from "./dbus.ts";

const SYMBOLS = {
  atspi_get_a11y_bus: { parameters: [], result: "pointer" },
} as const;

/**
 * libatspi's connection to the accessibility bus named by `AT_SPI_BUS_ADDRESS`. The library
 * keeps owning it. Throws `Error` when the library is missing or gives none.
 */
export function accessibilityConnection(): BusConnection {
  const pointer = openLibrary("libatspi.so.0", SYMBOLS).atspi_get_a11y_bus();
  if (pointer === null) throw new Error("libatspi gave no connection");
  return BusConnection.adopt(pointer);
}
