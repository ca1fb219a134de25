/** What only some commands need: windows, pictures, the clipboard, starting and ending applications. */
import type { Native } from "../../../ffi/macos/native.ts";
import type { Deadline } from "../../deadline.ts";
import { AppError } from "../../errors.ts";
import type { Clipboard, ClipboardContent, ClipboardFormat } from "../clipboard.ts";
import type { Launched, Launcher, LaunchRequest } from "../launcher.ts";
import type { AppInfo, WindowInfo } from "../platform.ts";
import type { Screenshot, Screenshots, ScreenshotTarget } from "../screenshots.ts";
import type { WindowControl, WindowOutcome, WindowPlace } from "../window_control.ts";
import type { Elements } from "./accessible.ts";
import { clearClipboard, readClipboard, writeClipboard } from "./clipboard.ts";
import { closeApp, launchApp, runningApps } from "./launch.ts";
import { captureScreen } from "./screenshot.ts";
import type { ToolPaths } from "./tools.ts";
import { maximizeWindow, setGeometry, setMinimized } from "./window_control.ts";

/** Changes windows. */
export class MacWindowControl implements WindowControl {
  constructor(private readonly native: Native, private readonly elements: Elements) {}

  place(window: WindowInfo, place: WindowPlace, deadline: Deadline): Promise<WindowOutcome> {
    return setGeometry(this.native, this.elements, window, place, deadline);
  }

  setMinimized(
    window: WindowInfo,
    minimized: boolean,
    deadline: Deadline,
  ): Promise<WindowOutcome> {
    return setMinimized(this.native, this.elements, window, minimized, deadline);
  }

  maximize(window: WindowInfo, deadline: Deadline): Promise<WindowOutcome> {
    return maximizeWindow(this.native, this.elements, window, deadline);
  }
}

/** Takes pictures. */
export class MacScreenshots implements Screenshots {
  constructor(private readonly native: Native, private readonly tools: ToolPaths) {}

  async take(target: ScreenshotTarget, deadline: Deadline): Promise<Screenshot> {
    const wanted = target.kind === "display"
      ? { display: target.index }
      : { windowId: target.window.id };
    return await captureScreen(this.native, this.tools, wanted, deadline);
  }
}

/** The pasteboard. */
export class MacClipboard implements Clipboard {
  constructor(private readonly native: Native, private readonly tools: ToolPaths) {}

  read(format: ClipboardFormat, deadline: Deadline): Promise<ClipboardContent | undefined> {
    return readClipboard(this.native, this.tools, format, deadline);
  }

  write(content: ClipboardContent): Promise<{ verified: boolean }> {
    return Promise.try(() => writeClipboard(this.native, content));
  }

  clear(): Promise<{ verified: boolean }> {
    return Promise.try(() => clearClipboard(this.native));
  }
}

/** Starts and ends applications. */
export class MacLauncher implements Launcher {
  constructor(
    private readonly native: Native,
    private readonly elements: Elements,
    private readonly tools: ToolPaths,
  ) {}

  running(query: string): Promise<AppInfo[]> {
    return Promise.try(() => runningApps(this.native, query));
  }

  attach(app: AppInfo, activate: boolean, deadline: Deadline): Promise<Launched> {
    const options = { args: [], env: [], newInstance: false, activate };
    const query = app.bundleId ?? app.name;
    return launchApp(this.native, this.elements, this.tools, query, options, deadline);
  }

  async start(request: LaunchRequest, deadline: Deadline): Promise<Launched> {
    if (request.cwd !== undefined) {
      throw new AppError("ACTION_NOT_SUPPORTED", "macOS starts applications in no given folder", {
        suggestion: "Leave out --cwd, or pass full paths with --arg.",
      });
    }
    const env = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    const options = { args: request.args, env, newInstance: true, activate: request.activate };
    const { native, elements, tools } = this;
    return await launchApp(native, elements, tools, request.query, options, deadline);
  }

  close(app: AppInfo, force: boolean, deadline: Deadline): Promise<void> {
    return closeApp(this.native, app, force, deadline);
  }
}
