import { assertEquals } from "@std/assert";
import { type Action } from "../../src/tree/actions.ts";
import { isKnownRole, type Role } from "../../src/tree/roles.ts";
import { actionsOf, settableProbes } from "../../src/platform/macos/actions.ts";
import { roleOf } from "../../src/platform/macos/roles.ts";
import { type StateEvidence, statesOf } from "../../src/platform/macos/states.ts";
import { cutUtf8, utf8Length } from "../../src/tree/utf8.ts";
import { textChunks } from "../../src/platform/macos/input.ts";
import { keyCode } from "../../src/platform/macos/keymap.ts";
import { windowNumber } from "../../src/platform/macos/inventory.ts";

// AX role and what it is called here; the rest of AX is unknown.
const ROLES = `
AXApplication application, AXButton button, AXMenuButton menubutton, AXTextField textfield,
AXTextArea textfield, AXSearchField textfield, AXSecureTextField textfield, AXCheckBox checkbox,
AXSwitch switch, AXToggle switch, AXLink link, AXMenuItem menuitem, AXMenuBarItem menuitem,
AXRadioButton radiobutton, AXTab tab, AXTabGroup tablist, AXSlider slider,
AXValueIndicator handle, AXHandle handle, AXComboBox combobox, AXPopUpButton combobox,
AXOutlineRow treeitem, AXRow row, AXCell cell, AXColumn column, AXWindow window, AXSheet sheet,
AXDialog dialog, AXGroup group, AXGenericElement group, AXSplitGroup group,
AXRadioGroup radiogroup, AXToolbar toolbar, AXStaticText statictext, AXImage image,
AXTable table, AXList list, AXOutline outline, AXScrollArea scrollarea, AXScrollBar scrollbar,
AXSplitter splitter, AXSeparator separator, AXMenu menu, AXMenuBar menu,
AXIncrementor incrementor, AXStepper incrementor, AXDisclosureTriangle disclosure,
AXProgressIndicator progressbar, AXBusyIndicator progressbar, AXColorWell colorwell,
AXWebArea webarea, AXBrowser browser, AXGrid grid, AXPopover popover, AXDockItem dockitem,
AXRuler ruler, AXRulerMarker rulermarker, AXTimeField timefield, AXDateField datefield,
AXHelpTag helptag, AXMatte matte, AXDrawer drawer, AXLayoutArea layoutitem,
AXLayoutItem layoutitem, AXLevelIndicator levelindicator,
AXRelevanceIndicator relevanceindicator, AXDocument document, AXHeading heading,
AXParagraph paragraph, AXStatus status, AXToolTip tooltip,
AXSomethingNew unknown, AXtable unknown, button unknown, AXOption unknown, AXForm unknown`;

const SUBROLES = `
AXApplicationAlert alert, AXApplicationAlertDialog alertdialog, AXApplicationDialog dialog,
AXDialog dialog, AXSystemDialog dialog, AXApplicationLog log, AXApplicationMarquee marquee,
AXApplicationStatus status, AXApplicationTimer timer, AXDocumentArticle article,
AXDocumentMath math, AXDocumentNote note, AXDocumentRegion region, AXLandmarkBanner banner,
AXLandmarkComplementary complementary, AXLandmarkContentInfo contentinfo, AXLandmarkForm form,
AXLandmarkMain main, AXLandmarkNavigation navigation, AXLandmarkSearch search,
AXDefinition definition, AXTerm term, AXTabPanel tabpanel, AXUserInterfaceTooltip tooltip,
AXOutlineRow treeitem, AXTableRow row, AXSecureTextField textfield, AXSearchField textfield,
AXCloseButton button, AXMinimizeButton button, AXZoomButton button, AXToolbarButton button,
AXFullScreenButton button, AXSortButton button, AXToggle switch, AXSwitch switch,
AXContentList list, AXDefinitionList list, AXDescriptionList list,
AXSeparatorDockItem separator, AXStandardWindow group`;

const rows = (text: string) =>
  text.split(",").map((row) => row.trim().split(/\s+/) as [string, Role]);

Deno.test("every AX role has its role", () => {
  for (const [ax, role] of rows(ROLES)) {
    assertEquals(roleOf(ax, undefined), role, ax);
    assertEquals(role === "unknown" || isKnownRole(role), true, role);
  }
  assertEquals(roleOf(undefined, undefined), "unknown");
});

Deno.test("a known subrole decides before the role", () => {
  for (const [ax, role] of rows(SUBROLES)) assertEquals(roleOf("AXGroup", ax), role, ax);
  assertEquals(roleOf("AXCheckBox", "AXToggleButton"), "checkbox");
  assertEquals(roleOf("AXRadioButton", "AXToggleButton"), "radiobutton");
  assertEquals(roleOf("AXSwitch", "AXToggleButton"), "switch");
  assertEquals(roleOf("AXImage", "AXToggleButton"), "button");
  assertEquals(roleOf("AXRadioButton", "AXTabButton"), "radiobutton");
});

const quiet: StateEvidence = {
  role: "button",
  secure: false,
  focused: false,
  enabled: undefined,
  expanded: undefined,
  disclosing: undefined,
  selected: undefined,
  hidden: undefined,
  busy: undefined,
  modal: undefined,
  required: undefined,
  value: undefined,
  readonly: false,
  bounds: undefined,
  windowBounds: undefined,
};

Deno.test("states say what the attributes say, in printing order", () => {
  const states = (evidence: Partial<StateEvidence>) => statesOf({ ...quiet, ...evidence });
  assertEquals(states({}), []);
  assertEquals(states({ enabled: true }), []);
  assertEquals(states({ enabled: false }), ["disabled"]);
  assertEquals(states({ expanded: false, disclosing: true }), []);
  assertEquals(states({ disclosing: true }), ["expanded"]);
  assertEquals(states({ role: "checkbox", value: "1" }), ["checked"]);
  assertEquals(states({ role: "switch", value: "true" }), ["checked"]);
  assertEquals(states({ role: "checkbox", value: "2" }), ["indeterminate"]);
  assertEquals(states({ role: "radiobutton", value: "mixed" }), ["indeterminate"]);
  assertEquals(states({ value: "1" }), ["pressed"]);
  assertEquals(states({ role: "slider", value: "1" }), []);
  assertEquals(
    states({
      focused: true,
      enabled: false,
      secure: true,
      expanded: true,
      selected: true,
      hidden: true,
      busy: true,
      modal: true,
      required: true,
      readonly: true,
    }),
    [
      ...["focused", "disabled", "secure", "expanded", "selected", "hidden", "busy", "modal"],
      ...["required", "readonly"],
    ],
  );
  const windowBounds = { x: 0, y: 0, width: 100, height: 100 };
  const at = (x: number) => ({ bounds: { x, y: 0, width: 10, height: 10 }, windowBounds });
  assertEquals(states(at(99)), []);
  assertEquals(states(at(100)), ["offscreen"]);
  assertEquals(states(at(-10)), ["offscreen"]);
});

Deno.test("capabilities follow from action names and settable attributes", () => {
  const cases: [Role, string[], string[], boolean, Action[]][] = [
    ["button", ["AXPress"], [], false, ["Click"]],
    ["group", ["AXOpen"], [], false, ["Click"]],
    ["button", ["AXSomethingElse", "Name:custom"], [], false, []],
    ["checkbox", ["AXPress"], [], false, ["Click", "Toggle"]],
    ["row", [], ["AXSelected"], false, ["Click"]],
    ["button", [], ["AXSelected"], false, []],
    ["group", ["AXShowMenu"], [], false, ["RightClick"]],
    ["combobox", ["AXShowMenu"], [], false, []],
    ["cell", ["AXScrollToVisible"], [], false, ["ScrollTo"]],
    ["scrollarea", ["AXScrollDownByPage"], [], false, ["Scroll"]],
    ["scrollarea", [], [], true, ["Scroll"]],
    ["slider", ["AXIncrement"], [], false, ["SetValue"]],
    ["slider", [], ["AXValue"], false, ["SetValue"]],
    ["statictext", [], ["AXValue"], false, []],
    ["combobox", [], ["AXValue"], false, ["SetValue", "Select"]],
    ["list", [], [], false, ["Select"]],
    ["textfield", [], ["AXValue", "AXFocused", "AXSelectedText"], false, [
      ...["SetValue", "SetFocus", "TypeText"] as Action[],
    ]],
    ["disclosure", ["AXPress"], [], false, ["Click", "Expand", "Collapse"]],
    ["row", [], ["AXExpanded"], false, ["Expand", "Collapse"]],
  ];
  for (const [role, names, settable, bar, actions] of cases) {
    assertEquals(actionsOf(role, names, new Set(settable), bar), actions, `${role} ${names}`);
  }
});

Deno.test("only what can matter is probed", () => {
  const none = { expanded: false, selected: false, focused: false };
  const all = { expanded: true, selected: true, focused: true };
  assertEquals(settableProbes("group", [], none), []);
  assertEquals(settableProbes("statictext", [], all), []);
  assertEquals(settableProbes("button", ["AXPress"], none), []);
  assertEquals(settableProbes("slider", ["AXIncrement"], none), []);
  assertEquals(settableProbes("row", ["AXPress"], all), ["AXFocused", "AXExpanded"]);
  assertEquals(settableProbes("row", [], all), ["AXSelected", "AXFocused", "AXExpanded"]);
  assertEquals(settableProbes("textfield", [], all), ["AXValue", "AXFocused", "AXSelectedText"]);
});

Deno.test("texts are cut at a character within their bytes", () => {
  assertEquals(utf8Length("aé€😀"), 10);
  assertEquals(utf8Length("\ud800x"), 4);
  assertEquals(cutUtf8("aé€😀", 10), "aé€😀");
  assertEquals(cutUtf8("aé€😀", 9), "aé€");
  assertEquals(cutUtf8("aé€😀", 2), "a");
  assertEquals(cutUtf8("aé", 0), "");
  const long = "x".repeat(65_535) + "é";
  assertEquals(cutUtf8(long, 65_536), "x".repeat(65_535));
});

Deno.test("typed text is split into events without splitting a character", () => {
  assertEquals(textChunks(""), []);
  assertEquals(textChunks("a".repeat(20)), ["a".repeat(20)]);
  assertEquals(textChunks("a".repeat(21)), ["a".repeat(20), "a"]);
  assertEquals(textChunks("a".repeat(19) + "😀"), ["a".repeat(19), "😀"]);
});

Deno.test("key names have the codes of their positions", () => {
  for (const [name, code] of Object.entries({ a: 0, z: 6, 0: 29, return: 36, f1: 122, "`": 50 })) {
    assertEquals(keyCode(name), code);
  }
  assertEquals(keyCode("ä"), undefined);
});

Deno.test("window ids are w- and a 32-bit number", () => {
  assertEquals(windowNumber("w-101"), 101);
  assertEquals(windowNumber("w-4294967295"), 4294967295);
  for (const id of ["w-0", "w-4294967296", "w-", "w-01", "101", "w-1.42-org", "w-1 "]) {
    assertEquals(windowNumber(id), undefined, id);
  }
});
