/** `role:text`, the one-string selector of the wait flags (docs/contract.md, "Wait flags"). */
import { AppError } from "../errors.ts";
import type { Node } from "./node.ts";
import { findMatches, type Matches } from "./match.ts";
import { parseRoleQuery, type Role } from "./roles.ts";

export interface Selector {
  /** As given; what answers echo. */
  text: string;
  role?: Role;
  /** Looked for in name, value and description of the element or anything inside it. */
  contains?: string;
}

const SUGGESTION =
  "Write role, :text or role:text, for example --wait-for button:Save; the first colon separates.";

/**
 * Parses a selector, which splits at its first colon. `role`, `:text` and `role:text` are valid.
 *
 * Throws `INVALID_ARGS` when it names neither or an unknown role.
 */
export function parseSelector(text: string): Selector {
  const colon = text.indexOf(":");
  const roleText = (colon < 0 ? text : text.slice(0, colon)).trim();
  const contains = colon < 0 ? "" : text.slice(colon + 1);
  const selector: Selector = { text };
  if (roleText !== "") {
    const role = parseRoleQuery(roleText);
    if (role === undefined) {
      throw new AppError("INVALID_ARGS", "The selector does not begin with a known role", {
        suggestion: SUGGESTION,
      });
    }
    selector.role = role;
  }
  if (contains.trim() !== "") selector.contains = contains;
  if (selector.role === undefined && selector.contains === undefined) {
    throw new AppError("INVALID_ARGS", "The selector names neither a role nor a text", {
      suggestion: SUGGESTION,
    });
  }
  return selector;
}

/** The nodes of a tree that a selector names. */
export function selectorMatches(root: Node, selector: Selector): Matches {
  return findMatches(root, {
    ...(selector.role === undefined ? {} : { role: selector.role }),
    ...(selector.contains === undefined ? {} : { text: selector.contains }),
  });
}
