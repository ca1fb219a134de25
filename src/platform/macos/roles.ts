/** AX roles and subroles in the product's vocabulary (docs/observation.md, "Roles"). */
import { hasTrait, isKnownRole, type Role } from "../../tree/roles.ts";

/** Roles whose name is not simply the AX name in lower case without `AX`. */
const ROLES: Readonly<Record<string, Role>> = {
  AXTextArea: "textfield",
  AXSearchField: "textfield",
  AXSecureTextField: "textfield",
  AXToggle: "switch",
  AXMenuBarItem: "menuitem",
  AXTabGroup: "tablist",
  AXValueIndicator: "handle",
  AXPopUpButton: "combobox",
  AXOutlineRow: "treeitem",
  AXGenericElement: "group",
  AXSplitGroup: "group",
  AXMenuBar: "menu",
  AXStepper: "incrementor",
  AXDisclosureTriangle: "disclosure",
  AXProgressIndicator: "progressbar",
  AXBusyIndicator: "progressbar",
  AXLayoutArea: "layoutitem",
};

/** Subroles that say more than the role does. */
const SUBROLES: Readonly<Record<string, Role>> = {
  AXApplicationAlert: "alert",
  AXApplicationAlertDialog: "alertdialog",
  AXApplicationDialog: "dialog",
  AXDialog: "dialog",
  AXSystemDialog: "dialog",
  AXApplicationLog: "log",
  AXApplicationMarquee: "marquee",
  AXApplicationStatus: "status",
  AXApplicationTimer: "timer",
  AXDocumentArticle: "article",
  AXDocumentMath: "math",
  AXDocumentNote: "note",
  AXDocumentRegion: "region",
  AXLandmarkBanner: "banner",
  AXLandmarkComplementary: "complementary",
  AXLandmarkContentInfo: "contentinfo",
  AXLandmarkForm: "form",
  AXLandmarkMain: "main",
  AXLandmarkNavigation: "navigation",
  AXLandmarkSearch: "search",
  AXDefinition: "definition",
  AXTerm: "term",
  AXTabPanel: "tabpanel",
  AXUserInterfaceTooltip: "tooltip",
  AXOutlineRow: "treeitem",
  AXTableRow: "row",
  AXSecureTextField: "textfield",
  AXSearchField: "textfield",
  AXCloseButton: "button",
  AXMinimizeButton: "button",
  AXZoomButton: "button",
  AXToolbarButton: "button",
  AXFullScreenButton: "button",
  AXSortButton: "button",
  AXToggle: "switch",
  AXSwitch: "switch",
  AXContentList: "list",
  AXDefinitionList: "list",
  AXDescriptionList: "list",
  AXSeparatorDockItem: "separator",
};

// Names that are in the vocabulary but mean nothing as AX roles: the table of AX roles is exact.
const NOT_AX: ReadonlySet<string> = new Set([
  "alert",
  "alertdialog",
  "article",
  "banner",
  "complementary",
  "contentinfo",
  "definition",
  "form",
  "listbox",
  "log",
  "main",
  "marquee",
  "math",
  "navigation",
  "note",
  "option",
  "region",
  "search",
  "tabpanel",
  "term",
  "timer",
]);

function fromRole(axRole: string): Role {
  const known = ROLES[axRole];
  if (known) return known;
  if (!axRole.startsWith("AX")) return "unknown";
  const plain = axRole.slice(2).toLowerCase();
  // "AXtable" is no AX role: the names are compared exactly.
  const proper = /^AX[A-Z]/.test(axRole);
  return proper && isKnownRole(plain) && !NOT_AX.has(plain) ? plain : "unknown";
}

/** The role of an element; unknown and absent names give `unknown`. */
export function roleOf(axRole: string | undefined, axSubrole: string | undefined): Role {
  const own = fromRole(axRole ?? "");
  if (axSubrole === "AXToggleButton") {
    return own === "checkbox" || own === "switch" || own === "radiobutton" ? own : "button";
  }
  return SUBROLES[axSubrole ?? ""] ?? own;
}

/** Whether an element hides what is typed into it; its text must never be asked for. */
function isSecure(axRole: string | undefined, axSubrole: string | undefined): boolean {
  return axRole === "AXSecureTextField" || axSubrole === "AXSecureTextField";
}

/** Roles that live on having text (AX names). */
export const TEXT_ROLES: ReadonlySet<string> = new Set([
  "AXTextField",
  "AXTextArea",
  "AXSearchField",
  "AXSecureTextField",
  "AXComboBox",
]);

/** How far what an element holds may be read. */
export interface Secrecy {
  /**
   * Whether its value may be asked for: `secure` is known to hide what is typed into it, `unknown`
   * did not tell its role or subrole, so that nobody can say.
   */
  value: "open" | "secure" | "unknown";
  /** Its children may draw what it hides. */
  childrenMayShow: boolean;
}

/** What role and subrole say about secrecy; `null` is one that could not be read. */
export function secrecyOf(
  axRole: string | undefined | null,
  axSubrole: string | undefined | null,
): Secrecy {
  if (isSecure(axRole ?? undefined, axSubrole ?? undefined)) {
    return { value: "secure", childrenMayShow: true };
  }
  if (axRole !== null && axSubrole !== null) return { value: "open", childrenMayShow: false };
  // A secure field has a text role or, without a role, no other subrole than its own.
  const mayBeSecure = axRole === null ? !axSubrole : TEXT_ROLES.has(axRole ?? "");
  return { value: "unknown", childrenMayShow: mayBeSecure };
}

/**
 * What to do with an element inside one that may be a secure field: `show` is no part of its text,
 * `enter` may only hold parts of it, `hide` may be one.
 */
export function insideSecret(role: Role): "show" | "enter" | "hide" {
  if (role === "group" || role === "unknown") return "enter";
  return hasTrait(role, "interactive") && !hasTrait(role, "editable") ? "show" : "hide";
}

/** Structure without meaning of its own: does not consume logical depth when it has no text. */
export const WRAPPER_ROLES: ReadonlySet<string> = new Set(["AXGroup", "AXGenericElement"]);

/** Roles that may keep their children under another attribute than AXChildren. */
const CONTAINER_ROLES: ReadonlySet<string> = new Set([
  "AXApplication",
  "AXWindow",
  "AXBrowser",
  "AXGroup",
  "AXLayoutArea",
  "AXList",
  "AXOutline",
  "AXScrollArea",
  "AXSplitGroup",
  "AXTable",
  "AXWebArea",
]);

/** Attributes that hold an element's children, the first available one counts. */
export function childAttributes(axRole: string | undefined): readonly string[] {
  if (axRole === "AXBrowser") return ["AXColumns", "AXContents"];
  if (axRole === "AXApplication") return ["AXWindows", "AXChildren"];
  return CONTAINER_ROLES.has(axRole ?? "")
    ? ["AXChildren", "AXChildrenInNavigationOrder", "AXContents"]
    : ["AXChildren"];
}
