/** LibreOffice with its windows from GTK 3: GTK's frame and menus around what it draws itself. */
import type { Rect } from "../../../tree/node.ts";
import type { Point } from "../../platform.ts";
import { ROLE } from "../atspi.ts";
import { GTK3 } from "./gtk3.ts";
import { type ApplicationFacts, type Told, type Toolkit } from "./toolkit.ts";

const RIGHT: Point = { x: 0, y: 0 };

/**
 * What it draws itself is a root pane in a container of GTK that is as large, but tells places as
 * if no menu bar were above it. Widgets of GTK in there are placed right again: they are as large
 * as the container made for them, and as far from it as that is from its place.
 */
function misplacement({ rect: outer }: Told, inner: Told, shift: Point): Point {
  if (outer === undefined || inner.rect === undefined) return shift;
  if (!isSameSize(outer, inner.rect)) return shift;
  const away = { x: inner.rect.x - outer.x, y: inner.rect.y - outer.y };
  if (inner.roleNumber === ROLE.rootPane) return away;
  const isBack = (shift.x !== 0 || shift.y !== 0) && away.x === -shift.x && away.y === -shift.y;
  return isBack ? RIGHT : shift;
}

function isSameSize(a: Rect, b: Rect): boolean {
  return a.width === b.width && a.height === b.height;
}

const LIBREOFFICE: Toolkit = {
  ...GTK3,
  name: "LibreOffice",
  misplacement,
  searchesMisplaced: true,
  // Its cells have no action at all.
  currentItemRoles: new Set(),
};

/** LibreOffice, whose process is called "soffice"; its toolkit calls itself "gtk". */
export function libreOffice({ toolkit, name }: ApplicationFacts): Toolkit | undefined {
  return /^gtk$/i.test(toolkit) && /^(soffice|libreoffice)\b/i.test(name) ? LIBREOFFICE : undefined;
}
