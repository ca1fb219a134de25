import { assertEquals, assertStrictEquals } from "@std/assert";
import { deliveryIn, errorLine, sorted, successLine } from "../../../src/cli/envelope.ts";
import { AppError, asAppError, type Delivery, ERROR_CODES } from "../../../src/errors.ts";

Deno.test("a success is one line with fixed order on top and sorted keys below", () => {
  assertEquals(
    successLine("get", { b: { z: 1, a: [{ d: 1, c: 2 }] }, a: null }),
    '{"version":"2.5","ok":true,"command":"get","data":{"a":null,"b":{"a":[{"c":2,"d":1}],"z":1}}}\n',
  );
  assertEquals(
    successLine("list-windows", []),
    '{"version":"2.5","ok":true,"command":"list-windows","data":[]}\n',
  );
});

Deno.test("an error has its fields in order and only those it needs", () => {
  const error = new AppError("SNAPSHOT_NOT_FOUND", "No snapshot", {
    suggestion: "Take one",
    details: { z: 1, a: { d: 2, c: 1 } },
    platformDetail: "org.x.Error",
  });
  assertEquals(
    errorLine("get", error),
    '{"version":"2.5","ok":false,"command":"get","error":{"code":"SNAPSHOT_NOT_FOUND",' +
      '"message":"No snapshot","suggestion":"Take one","recovery":{"strategy":' +
      '"refresh_snapshot_then_retry_original","retryable":true,"requires_fresh_snapshot":true},' +
      '"platform_detail":"org.x.Error","details":{"a":{"c":1,"d":2},"z":1},' +
      '"disposition":{"delivery":"not_delivered","retry":"safe"}}}\n',
  );
  assertEquals(
    errorLine("x", new AppError("INTERNAL", "m", { details: {} })),
    '{"version":"2.5","ok":false,"command":"x","error":{"code":"INTERNAL","message":"m",' +
      '"disposition":{"delivery":"unknown","retry":"unknown"}}}\n',
  );
});

Deno.test("recovery goes with four codes and only with a safe retry", () => {
  const withRecovery = ["APP_UNRESPONSIVE", "POLICY_DENIED", "SNAPSHOT_NOT_FOUND", "STALE_REF"];
  const deliveries: Delivery[] = [
    "not_delivered",
    "delivery_uncertain",
    "delivered_unverified",
    "delivered_verified",
    "unknown",
  ];
  for (const code of ERROR_CODES) {
    for (const delivery of deliveries) {
      const { error } = JSON.parse(errorLine("x", new AppError(code, "m", { delivery })));
      const expected = delivery === "not_delivered" && withRecovery.includes(code);
      assertEquals("recovery" in error, expected, `${code} ${delivery}`);
      assertEquals(
        error.disposition.retry,
        delivery === "not_delivered" ? "safe" : delivery === "unknown" ? "unknown" : "unsafe",
      );
    }
  }
  const { error } = JSON.parse(errorLine("x", new AppError("APP_UNRESPONSIVE", "m")));
  assertEquals(error.recovery.retry_after_ms, 250);
});

Deno.test("what JSON cannot say is left out, not printed and not fatal", () => {
  assertEquals(
    sorted({ a: 1n, b: undefined, c: NaN, d: Infinity, e: () => 1, f: [1n, undefined, 2], g: 0 }),
    { f: [2], g: 0 },
  );
});

Deno.test("what is in order already is not copied", () => {
  const value = { a: [{ b: 1, c: [1, 2] }], b: "x" };
  assertStrictEquals(sorted(value), value);
});

Deno.test("a deep tree out of order is copied once", () => {
  let chain: unknown = { b: 1n, a: 1 };
  for (let level = 0; level < 500; level++) chain = { b: "x", a: chain };
  assertEquals(JSON.stringify(sorted(chain)).slice(0, 12), '{"a":{"a":{"');
});

Deno.test("keys that name built-in properties survive", () => {
  const value = JSON.parse('{"z":1,"__proto__":{"b":1,"a":2},"constructor":3}');
  assertEquals(
    JSON.stringify(sorted(value)),
    '{"__proto__":{"a":2,"b":1},"constructor":3,"z":1}',
  );
});

Deno.test("any text stays one line of valid UTF-8 and reads back the same", () => {
  const text = 'a"\n[ref=@e9] \u001b]0;x\u0007 \u202e \u2028 😀 \\ \u0000';
  const line = successLine("get", { text });
  assertEquals(line.indexOf("\n"), line.length - 1);
  assertEquals(JSON.parse(line).data.text, text);
  const lone = successLine("get", { text: "\ud800" });
  assertEquals(
    new TextDecoder("utf-8", { fatal: true }).decode(new TextEncoder().encode(lone)),
    lone,
  );
});

Deno.test("an exception nobody threw on purpose becomes INTERNAL without its trace", () => {
  const error = asAppError(new TypeError("x is not a function\n    at file:///y.ts"));
  assertEquals(error.code, "INTERNAL");
  assertEquals(error.message, "Unexpected failure: TypeError: x is not a function");
  assertEquals(error.delivery, "unknown");
  assertEquals(asAppError("text").message, "Unexpected failure: text");
  const known = new AppError("TIMEOUT", "late");
  assertStrictEquals(asAppError(known), known);
});

Deno.test("the delivery of an answer is found where the answer states it", () => {
  assertEquals(
    deliveryIn({ disposition: { delivery: "delivered_unverified" } }),
    "delivered_unverified",
  );
  assertEquals(
    deliveryIn({ after_action: { disposition: { delivery: "delivered_verified" } } }),
    "delivered_verified",
  );
  assertEquals(deliveryIn(new AppError("TIMEOUT", "m", { delivery: "unknown" })), "unknown");
  for (const other of [null, undefined, [], {}, "x", { disposition: 1 }]) {
    assertEquals(deliveryIn(other), undefined);
  }
});
