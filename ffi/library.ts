/**
 * Opening shared libraries. For every function of a library that is opened the usual way Deno
 * compiles a stub, 0.13 ms each, which is more than all calls of a short run cost together. Here
 * functions are only looked up, and called by their address: a microsecond more for each call.
 */

/** The functions and constants of a library. */
export type SymbolTable = Deno.ForeignLibraryInterface;

/** What a table's symbols are called with. */
export type Calls<Table extends SymbolTable> = Deno.DynamicLibrary<Table>["symbols"];

/**
 * Opens a library. It is never closed again: using a symbol of a closed library ends the process.
 *
 * @throws what `Deno.dlopen` throws when the library or a symbol that is not optional is missing
 */
export function openLibrary<const Table extends SymbolTable>(
  path: string,
  table: Table,
): Calls<Table> {
  const places: Record<string, Deno.ForeignStatic> = {};
  for (const [name, symbol] of Object.entries(table)) places[name] = placeOf(symbol);
  const found = Deno.dlopen(path, places).symbols as Record<string, unknown>;
  const calls: Record<string, unknown> = {};
  for (const [name, symbol] of Object.entries(table)) {
    calls[name] = "type" in symbol ? found[name] : byAddress(found[name], symbol);
  }
  return calls as Calls<Table>;
}

function placeOf(symbol: SymbolTable[string]): Deno.ForeignStatic {
  if ("type" in symbol) return symbol;
  const place: Deno.ForeignStatic = { type: "pointer" };
  if (symbol.name !== undefined) place.name = symbol.name;
  if (symbol.optional !== undefined) place.optional = symbol.optional;
  return place;
}

/** `null` for an optional function that is not there. */
function byAddress(address: unknown, symbol: Deno.ForeignFunction): unknown {
  if (address === null) return null;
  const pointer = new Deno.UnsafeFnPointer(
    address as Deno.PointerObject<Deno.ForeignFunction>,
    symbol,
  );
  return (...args: never[]) => pointer.call(...args);
}
