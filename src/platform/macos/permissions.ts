/** The permission report, and what to do where one is missing. */
import { AUTOMATION } from "../../../ffi/macos/core_services.ts";
import type { Native } from "../../../ffi/macos/native.ts";
import { AppError } from "../../errors.ts";
import type { Permissions, PermissionState } from "../platform.ts";

/** The application whose scripting stands for automation in general. */
const AUTOMATION_TARGET = "com.apple.systemevents";

// Permissions belong to the program that started this one; its name is what the list shows.
const WHO = "switch on the program that started this one (the terminal or editor), " +
  "then restart that program.";

function pane(name: string): string {
  return `In System Settings > Privacy & Security > ${name}, ${WHO}`;
}

function automation(native: Native): PermissionState {
  let status: number | undefined;
  try {
    status = native.services.automationStatus(AUTOMATION_TARGET);
  } catch {
    // Optional: its absence must not take the report down.
    return { state: "unknown" };
  }
  if (status === AUTOMATION.granted) return { state: "granted" };
  if (status === AUTOMATION.denied) return { state: "denied", suggestion: pane("Automation") };
  return { state: "unknown" };
}

/** Reads the report; never asks anybody. */
export function readPermissions(native: Native): Permissions {
  const accessibility: PermissionState = native.ax.trusted()
    ? { state: "granted" }
    : { state: "denied", suggestion: pane("Accessibility") };
  const capture = native.cg.screenCapture();
  const screen: PermissionState = capture === undefined
    ? { state: "unknown" }
    : capture
    ? { state: "granted" }
    : { state: "denied", suggestion: pane("Screen & System Audio Recording") };
  return { accessibility, automation: automation(native), screen_recording: screen };
}

/** Lets the system ask for what is missing; its dialogs answer later. The report of now. */
export function requestPermissions(native: Native): Permissions {
  if (!native.ax.trusted()) native.ax.requestTrust();
  if (native.cg.screenCapture() === false) native.cg.requestScreenCapture();
  return readPermissions(native);
}

/** The settings pane where accessibility is granted. */
const PANE = "x-apple.systempreferences:com.apple.preference.security?Privacy_Accessibility";

/** Opens the pane and does not wait for it. Throws `ACTION_FAILED` when it does not open. */
export function openPermissionPane(native: Native): void {
  if (native.appKit.openUrl(PANE)) return;
  throw new AppError("ACTION_FAILED", "System Settings did not open", {
    suggestion: pane("Accessibility"),
  });
}
