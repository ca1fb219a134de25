/**
 * Declarations and constants against `fixtures/macos_abi.json`: what three descriptions derived
 * from Apple's headers by others say. Nothing of that file was written for this program.
 */
import { assert, assertEquals } from "@std/assert";
import { ACCESSIBILITY, AX_ERRORS, AX_VALUE_TYPE } from "../../ffi/macos/accessibility.ts";
import { ACTIVATE, POLICY } from "../../ffi/macos/app_kit.ts";
import { CF, CORE_FOUNDATION } from "../../ffi/macos/core_foundation.ts";
import { CG, CORE_GRAPHICS, EVENT, FLAG, MOUSE_BUTTON } from "../../ffi/macos/core_graphics.ts";
import { AE, AUTOMATION, CORE_SERVICES } from "../../ffi/macos/core_services.ts";
import { LIB_SYSTEM, SYS } from "../../ffi/macos/lib_system.ts";
import { OBJC } from "../../ffi/macos/objc.ts";

interface Signature {
  params: string[];
  result: string;
}

const ABI: {
  functions: Record<string, Record<string, Signature[]>>;
  constants: Record<string, Record<string, string[]>>;
  explained: Record<string, string>;
  ax_names: Record<string, string>;
} = JSON.parse(
  Deno.readTextFileSync(new URL("../../fixtures/macos_abi.json", import.meta.url)),
);

const TABLES: Deno.ForeignLibraryInterface[] = [
  ACCESSIBILITY,
  CORE_FOUNDATION,
  CORE_GRAPHICS,
  CORE_SERVICES,
  LIB_SYSTEM,
  OBJC,
];

function* functions(): Generator<[string, Deno.ForeignFunction]> {
  for (const table of TABLES) {
    for (const [name, declared] of Object.entries(table)) {
      if ("parameters" in declared) yield [name, declared];
    }
  }
}

/** A type in the evidence's words; what has the same size and sign on 64 bits is one type. */
function typeName(type: unknown): string {
  if (typeof type === "object" && type !== null && "struct" in type) {
    return `struct(${(type.struct as unknown[]).map(typeName).join()})`;
  }
  return type === "pointer" || type === "buffer" ? "ptr" : oneSize(String(type));
}

function oneSize(type: string): string {
  return type.replaceAll("isize", "i64").replaceAll("usize", "u64");
}

function agrees(declared: Deno.ForeignFunction, said: Signature): boolean {
  const own = [...declared.parameters, declared.result].map(typeName);
  const theirs = [...said.params, said.result].map(oneSize);
  return own.length === theirs.length && own.every((type, i) =>
    type === theirs[i] ||
    // The width is left to C, whose enums have 32 bits there.
    (theirs[i] === "c-enum32" && (type === "i32" || type === "u32"))
  );
}

const EXPLAINED = new Set(Object.keys(ABI.explained).flatMap((names) => names.split(", ")));

/**
 * Not in the evidence: one is exported and in no header, the other is left out there (public
 * bindings agree on it: one reference, a result of 64 bits without sign).
 */
const WITHOUT_EVIDENCE = ["_AXUIElementGetWindow", "CGEventGetFlags"];

Deno.test("every function is declared as the headers say", () => {
  const without: string[] = [];
  for (const [name, declared] of functions()) {
    if (declared.name?.startsWith("objc_msgSend")) continue;
    const sources = Object.entries(ABI.functions[name] ?? {});
    if (sources.length === 0) {
      without.push(name);
      continue;
    }
    const against = sources.filter(([, said]) => !said.some((one) => agrees(declared, one)));
    if (against.length > 0) assert(EXPLAINED.has(name), `${name}: ${against[0]![0]} disagrees`);
  }
  assertEquals(without, WITHOUT_EVIDENCE);
});

/** A value as the sources write it: decimal, hexadecimal, a shift. */
function valueOf(text: string): number {
  const [base, by] = text.split("<<").map((part) => Number(part.trim()));
  return by === undefined ? base! : base! << by;
}

// What is compared is named as in the headers; the program's own names stand on the right.
const CONSTANTS: Record<string, number | bigint> = {
  ...AX_ERRORS,
  ...CF,
  ...CG,
  ...AE,
  ...SYS,
  kAXValueTypeCGPoint: AX_VALUE_TYPE.point,
  kAXValueTypeCGSize: AX_VALUE_TYPE.size,
  kAXValueTypeCGRect: AX_VALUE_TYPE.rect,
  kAXValueTypeCFRange: AX_VALUE_TYPE.range,
  kAXValueTypeAXError: AX_VALUE_TYPE.error,
  kCGEventLeftMouseDown: EVENT.leftDown,
  kCGEventLeftMouseUp: EVENT.leftUp,
  kCGEventRightMouseDown: EVENT.rightDown,
  kCGEventRightMouseUp: EVENT.rightUp,
  kCGEventMouseMoved: EVENT.moved,
  kCGEventLeftMouseDragged: EVENT.leftDrag,
  kCGEventRightMouseDragged: EVENT.rightDrag,
  kCGEventOtherMouseDown: EVENT.otherDown,
  kCGEventOtherMouseUp: EVENT.otherUp,
  kCGEventOtherMouseDragged: EVENT.otherDrag,
  kCGEventFlagMaskShift: FLAG.shift,
  kCGEventFlagMaskControl: FLAG.ctrl,
  kCGEventFlagMaskAlternate: FLAG.alt,
  kCGEventFlagMaskCommand: FLAG.meta,
  kCGMouseButtonLeft: MOUSE_BUTTON.left,
  kCGMouseButtonRight: MOUSE_BUTTON.right,
  kCGMouseButtonCenter: MOUSE_BUTTON.middle,
  NSApplicationActivationPolicyRegular: POLICY.regular,
  NSApplicationActivationPolicyAccessory: POLICY.accessory,
  NSApplicationActivationPolicyProhibited: POLICY.prohibited,
  NSApplicationActivateAllWindows: ACTIVATE.allWindows,
  NSApplicationActivateIgnoringOtherApps: ACTIVATE.ignoringOtherApps,
  errAEEventNotPermitted: AUTOMATION.denied,
};

Deno.test("every constant has the headers' value", () => {
  for (const [name, value] of Object.entries(CONSTANTS)) {
    const sources = Object.entries(ABI.constants[name] ?? {});
    assert(sources.length > 0, `${name} is in no source`);
    for (const [source, said] of sources) {
      assert(said.map(valueOf).includes(Number(value)), `${name}: ${source} says ${said}`);
    }
  }
});

/** The types of a message's arguments and result, by what its class declares. */
const MESSAGE_TYPES = {
  id: "ptr",
  BOOL: "u8",
  NSInteger: "i64",
  NSUInteger: "u64",
  pid_t: "i32",
  SEL: "ptr",
  NSRect: "struct(f64,f64,f64,f64)",
} as const;
type MessageType = keyof typeof MESSAGE_TYPES;

/** Result and arguments of each message, as AppKit's and Foundation's documentation has them. */
const MESSAGES: Record<string, [MessageType, ...MessageType[]]> = {
  sharedWorkspace: ["id"],
  runningApplications: ["id"],
  "runningApplicationWithProcessIdentifier:": ["id", "pid_t"],
  bundleIdentifier: ["id"],
  localizedName: ["id"],
  launchDate: ["id"],
  processIdentifier: ["pid_t"],
  activationPolicy: ["NSInteger"],
  isFinishedLaunching: ["BOOL"],
  terminate: ["BOOL"],
  forceTerminate: ["BOOL"],
  "activateWithOptions:": ["BOOL", "NSUInteger"],
  "URLForApplicationWithBundleIdentifier:": ["id", "id"],
  "fullPathForApplication:": ["id", "id"],
  "openURL:": ["BOOL", "id"],
  generalPasteboard: ["id"],
  changeCount: ["NSInteger"],
  accessBehavior: ["NSInteger"],
  "respondsToSelector:": ["BOOL", "SEL"],
  clearContents: ["NSInteger"],
  "stringForType:": ["id", "id"],
  "dataForType:": ["id", "id"],
  pasteboardItems: ["id"],
  "setString:forType:": ["BOOL", "id", "id"],
  "setData:forType:": ["BOOL", "id", "id"],
  "writeObjects:": ["BOOL", "id"],
  screens: ["id"],
  deviceDescription: ["id"],
  visibleFrame: ["NSRect"],
};

/** Which of `ObjC`'s methods sends messages with this result. */
const SENDS: Record<MessageType, string | undefined> = {
  id: "object",
  BOOL: "bool",
  NSInteger: "integer",
  NSUInteger: undefined,
  SEL: undefined,
  pid_t: "int32",
  NSRect: "rect",
};

Deno.test("objc_msgSend is declared once for each form of message that is sent, and no other", () => {
  const wanted = new Set(
    Object.entries(MESSAGES).map(([selector, [result, ...args]]) => {
      assertEquals(args.length, selector.split(":").length - 1, selector);
      const types = ["ptr", "ptr", ...args.map((type) => MESSAGE_TYPES[type])];
      return `${types.join()} → ${MESSAGE_TYPES[result]}`;
    }),
  );
  const declared = [...functions()].filter(([, { name }]) => name?.startsWith("objc_msgSend"))
    .map(([, { parameters, result, name }]) =>
      [`${parameters.map(typeName).join()} → ${typeName(result)}`, name!] as const
    );
  for (const [form] of declared) assert(wanted.has(form), form);
  for (const form of wanted) assert(declared.some(([own]) => own === form), form);
  // Intel returns a structure of this size through an address, by an entry of its own.
  const indirect = declared.filter(([, name]) => name === "objc_msgSend_stret");
  assertEquals(indirect.map(([form]) => form.split(" → ")[1]), [MESSAGE_TYPES.NSRect]);
});

Deno.test("every message is sent with the result its class declares", () => {
  const source = ["app_kit", "objc"].map((name) =>
    Deno.readTextFileSync(new URL(`../../ffi/macos/${name}.ts`, import.meta.url))
  ).join();
  const sent = new Set<string>();
  // A selector is a text in a call; one that a variable holds stands before the call.
  const call = /\.(object|bool|integer|int32|rect)\(\s*[^"]*?"([A-Za-z:]+)"/g;
  for (const [, method, selector] of source.matchAll(call)) {
    if (/^NS[A-Z]/.test(selector!)) continue; // a class
    const message = MESSAGES[selector!];
    assert(message, `${selector} is not in the table`);
    assertEquals(method, SENDS[message[0]], selector);
    sent.add(selector!);
  }
  for (const selector of Object.keys(MESSAGES)) {
    assert(sent.has(selector) || source.includes(`"${selector}"`), `${selector} is never sent`);
  }
});

/** Names of attributes, actions, roles and subroles in the program's sources. */
function axNames(): Set<string> {
  const names = new Set<string>();
  for (const folder of ["../../src/platform/macos/", "../../ffi/macos/"]) {
    const url = new URL(folder, import.meta.url);
    for (const { name } of Deno.readDirSync(url)) {
      const source = Deno.readTextFileSync(new URL(name, url)).replace(/^\s*(\/\/|\/?\*).*$/gm, "");
      for (const match of source.matchAll(/"(AX[A-Za-z]+)"|^\s+(AX[A-Za-z]+): /gm)) {
        names.add((match[1] ?? match[2])!);
      }
    }
  }
  for (const name of [...names]) {
    if (name in ABI.functions || name === "AXError") names.delete(name);
  }
  return names;
}

/**
 * Names that no header declares. Applications and Apple's own frameworks use them; whether they
 * still do has to be seen on a Mac.
 */
const UNDECLARED = [
  // Switches that programs set on an application element.
  ...["AXEnhancedUserInterface", "AXManualAccessibility"],
  // Attributes.
  ...["AXChildrenInNavigationOrder", "AXMenus", "AXRequired", "AXStackingIdentifier", "AXVisible"],
  // Actions.
  ...["AXCollapse", "AXDismiss", "AXExpand", "AXOpen", "AXRemoveFromParent", "AXScrollToVisible"],
  ...["AXScrollDownByPage", "AXScrollLeftByPage", "AXScrollRightByPage", "AXScrollUpByPage"],
  // Roles.
  ...["AXGenericElement", "AXStepper", "AXWebArea"],
  // Subroles.
  ...["AXAlert", "AXDocumentRegion", "AXLandmarkForm", "AXToggleButton"],
  ...["AXNotificationCenterAlert", "AXNotificationCenterAlertStack"],
  ...["AXNotificationCenterBanner", "AXNotificationCenterBannerStack"],
];

Deno.test("every AX name is one of the headers', or of the list of those that are not", () => {
  const declared = new Set(Object.values(ABI.ax_names));
  const names = axNames();
  assert(names.size > 130, `only ${names.size} names were found`);
  const undeclared = [...names].filter((name) => !declared.has(name)).sort();
  assertEquals(undeclared, UNDECLARED.toSorted());
});
