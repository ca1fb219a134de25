/** What requests do to the test world. */
import { AppError } from "../../../src/errors.ts";
import type { State } from "../../../src/tree/states.ts";
import { orderStates } from "../states.ts";
import type { SemanticRequest, Step } from "../../../src/platform/platform.ts";
import { byId, type Effect, everyNode, type Place, type World } from "./world.ts";

/** Carries out a request: the element's own effects, else what such an element usually does. */
export function perform(world: World, place: Place, request: SemanticRequest): Step[] {
  const own = place.node.on?.[request.kind];
  if (own === undefined) usual(world, place, request);
  else for (const effect of own) apply(world, effect);
  return [{ label: `Test.${request.kind}`, outcome: "succeeded", mechanism: "semantic_api" }];
}

function apply(world: World, effect: Effect): void {
  switch (effect.op) {
    case "set":
      Object.assign(byId(world, effect.id).node, effect.fields);
      break;
    case "remove": {
      const { parent, index } = byId(world, effect.id);
      parent?.children?.splice(index, 1);
      break;
    }
    case "add": {
      const { node } = byId(world, effect.parent);
      node.children ??= [];
      node.children.splice(effect.at ?? node.children.length, 0, effect.node);
      break;
    }
    case "fail":
      throw new AppError(effect.code, effect.message, {
        ...(effect.delivery !== undefined && { delivery: effect.delivery }),
      });
    case "ignore":
      break;
  }
}

function usual(world: World, { node, parent }: Place, request: SemanticRequest): void {
  const put = (state: State, on: boolean) => {
    const others = (node.states ?? []).filter((one) => one !== state);
    node.states = on ? orderStates([...others, state]) : others;
  };
  const has = (state: State) => node.states?.includes(state) ?? false;
  switch (request.kind) {
    case "set-value":
      node.value = request.value;
      break;
    case "type":
      node.value = (node.value ?? "") + request.text;
      break;
    case "clear":
      node.value = "";
      break;
    case "focus":
      for (const other of everyNode(world)) {
        other.node.states = other.node.states?.filter((state) => state !== "focused");
      }
      put("focused", true);
      break;
    case "toggle":
      put("checked", !has("checked"));
      break;
    case "check":
    case "uncheck":
      put("checked", request.kind === "check");
      break;
    case "expand":
    case "collapse":
      put("expanded", request.kind === "expand");
      break;
    case "select": {
      const options = (node.children ?? []).filter((child) => child.name === request.option);
      if (options.length === 0 && parent === undefined) break;
      node.value = request.option;
      break;
    }
    case "click":
      if (["checkbox", "switch"].includes(node.role)) put("checked", !has("checked"));
      break;
    case "right-click":
    case "scroll":
    case "scroll-to":
      break;
  }
}
