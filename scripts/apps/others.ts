/** LibreOffice, web browsers, Java, wxWidgets, and applications without accessibility. */
import { ROOT } from "../../tests/e2e/support/desktop.ts";
import type { Application } from "./types.ts";

const OFFICE = ["soffice", "--norestore", "--nologo", "--nofirststartwizard", "--nolockcheck"];
const PAGE = `file://${ROOT}fixtures/web_controls.html`;
const CHROMIUM = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--user-data-dir=$HOME/profile",
];

export const OTHERS: readonly Application[] = [
  {
    name: "LibreOffice Writer",
    toolkit: "LibreOffice",
    packages: ["libreoffice-writer", "libreoffice-gtk3"],
    command: [...OFFICE, "letter.fodt"],
    files: { "letter.fodt": `${ROOT}fixtures/apps/letter.fodt` },
    title: "letter.fodt",
    app: "soffice",
    operations: [
      {
        what: "centre the heading with Center, and save it with Save",
        steps: [
          { command: "click", on: { role: "button", name: "Center", exact: true } },
          { command: "click", on: { role: "button", name: "Save", exact: true } },
        ],
        check: { file: "letter.fodt", has: 'fo:text-align="center"' },
      },
      {
        what: "type into the first paragraph",
        steps: [
          { command: "type", on: { role: "paragraph", value: "First" }, with: ["Newly typed. "] },
          { command: "click", on: { role: "button", name: "Save", exact: true } },
        ],
        check: { file: "letter.fodt", has: "Newly typed." },
      },
      {
        what: "Find and Replace opens its dialog",
        steps: [{ command: "click", on: { role: "button", name: "Find and Replace" } }],
        check: { title: "Find and Replace" },
      },
    ],
  },
  {
    name: "LibreOffice Calc",
    toolkit: "LibreOffice",
    packages: ["libreoffice-calc", "libreoffice-gtk3"],
    command: [...OFFICE, "stock.fods"],
    files: { "stock.fods": `${ROOT}fixtures/apps/stock.fods` },
    title: "stock.fods",
    app: "soffice",
    endless: true,
    operations: [
      {
        what: "make the cell bold with Bold, and save it with Save",
        steps: [
          { command: "click", on: { role: "button", name: "Bold" } },
          { command: "click", on: { role: "button", name: "Save", exact: true } },
        ],
        check: { file: "stock.fods", has: 'fo:font-weight="bold"' },
      },
      {
        what: "type into the cell B2",
        steps: [
          { command: "type", on: { role: "cell", name: "B2", exact: true }, with: ["31"] },
          { command: "press", headed: true, with: ["return"] },
          { command: "press", headed: true, with: ["ctrl+s"] },
        ],
        check: { file: "stock.fods", has: 'office:value="31"' },
      },
      {
        what: "Find and Replace opens its dialog",
        steps: [{ command: "press", headed: true, with: ["ctrl+h"] }],
        check: { title: "Find and Replace" },
      },
    ],
  },
  {
    name: "Firefox",
    toolkit: "Firefox",
    packages: ["firefox-esr"],
    command: ["sh", "-c", `mkdir p; exec firefox-esr --profile $HOME/p --no-remote ${PAGE}`],
    title: "Web controls",
    app: "Firefox",
    operations: [
      {
        what: "push the page's button",
        steps: [{ command: "click", on: { role: "button", name: "Push", exact: true } }],
        check: { text: "push: clicked 1" },
      },
      {
        what: "fill in the page's field",
        steps: [
          { command: "set-value", on: { role: "textfield", name: "Entry" }, with: ["é 你好"] },
        ],
        check: { text: 'entry: "é 你好"' },
      },
      {
        what: "choose Blue in the page's combo box",
        steps: [
          {
            command: "select",
            on: { role: "combobox", name: "Combo", exact: true },
            with: ["Blue"],
          },
        ],
        check: { text: "combo: Blue" },
      },
      {
        what: "open a tab by Firefox's own button",
        steps: [{ command: "click", on: { role: "button", name: "Open a new tab" } }],
        check: { title: "Mozilla Firefox" },
      },
    ],
  },
  {
    name: "Chromium",
    toolkit: "Chromium",
    packages: ["chromium"],
    command: ["chromium", ...CHROMIUM, "--force-renderer-accessibility", PAGE],
    title: "Web controls",
    app: "Chromium",
    operations: [
      {
        what: "push the page's button",
        steps: [{ command: "click", on: { role: "button", name: "Push", exact: true } }],
        check: { name: "push: clicked 1" },
      },
      {
        what: "fill in the page's field",
        steps: [
          {
            command: "set-value",
            on: { role: "textfield", name: "Entry" },
            with: ["é 你好"],
            headed: true,
          },
        ],
        check: { name: 'entry: "é 你好"' },
      },
      {
        what: "choose Blue in the page's combo box",
        steps: [
          {
            command: "select",
            on: { role: "combobox", name: "Combo", exact: true },
            with: ["Blue"],
          },
        ],
        check: { name: "combo: Blue" },
      },
      {
        what: "open a tab with ctrl+t",
        steps: [{ command: "press", headed: true, with: ["ctrl+t"] }],
        check: { title: "New Tab" },
      },
    ],
  },
  {
    name: "Swing controls",
    toolkit: "Java",
    packages: ["default-jre", "default-jdk-headless", "libatk-wrapper-java-jni"],
    command: [
      "/usr/lib/jvm/default-java/bin/java",
      "-Djavax.accessibility.assistive_technologies=org.GNOME.Accessibility.AtkWrapper",
      "-cp",
      "/usr/share/java/java-atk-wrapper.jar",
      `${ROOT}fixtures/apps/SwingControls.java`,
    ],
    title: "Swing controls",
    app: "Swing controls",
    operations: [
      {
        what: "push the button",
        steps: [{ command: "click", on: { role: "button", name: "Push" } }],
        check: { name: "status: pushed" },
      },
      {
        what: "set the slider",
        steps: [{ command: "set-value", on: { role: "slider" }, with: ["40"] }],
        check: { name: "status: slider 40" },
      },
      {
        what: "choose Blue in the combo box",
        steps: [{ command: "select", on: { role: "combobox" }, with: ["Blue"] }],
        check: { name: "status: combo Blue" },
      },
      {
        what: "File → New",
        steps: [
          { command: "click", on: { role: "menu", name: "File" } },
          { command: "click", on: { role: "menuitem", name: "New" } },
        ],
        check: { name: "status: menu New" },
      },
    ],
  },
  {
    name: "Poedit",
    toolkit: "wxWidgets (GTK 3)",
    packages: ["poedit"],
    command: ["poedit"],
    title: "Welcome to Poedit",
    app: "net.poedit.Poedit",
    operations: [
      {
        what: "File → About opens its window",
        steps: [{ command: "click", on: { role: "menuitem", name: "About" } }],
        check: { title: "About" },
      },
      {
        what: "close it with escape",
        steps: [{ command: "press", headed: true, with: ["escape"], window: "About" }],
        check: { title: "About", gone: true },
      },
      {
        what: "Browse files opens its dialog",
        steps: [{ command: "click", on: { role: "button", name: "Browse files" } }],
        check: { title: "Select translation file" },
      },
    ],
  },
  {
    name: "FileZilla",
    toolkit: "wxWidgets (GTK 3)",
    packages: ["filezilla"],
    command: ["filezilla"],
    title: "Welcome to FileZilla",
    app: "filezilla",
    window: "FileZilla",
    operations: [
      {
        what: "close the welcome dialog by OK",
        steps: [
          { command: "click", on: { role: "button", name: "OK" }, window: "Welcome" },
        ],
        check: { title: "Welcome to FileZilla", gone: true },
      },
      {
        what: "fill in the host",
        steps: [
          { command: "set-value", on: { role: "textfield", nth: 0 }, with: ["example.org"] },
        ],
        check: { text: "example.org" },
      },
      {
        what: "File → Site Manager… opens its dialog",
        steps: [{ command: "click", on: { role: "menuitem", name: "Site Manager...", nth: 0 } }],
        check: { title: "Site Manager" },
      },
    ],
  },
  {
    name: "Audacity",
    toolkit: "wxWidgets (GTK 3)",
    packages: ["audacity"],
    command: ["audacity"],
    title: "Welcome to Audacity",
    app: "audacity",
    window: "Audacity",
    operations: [
      {
        what: "close the welcome dialog by OK",
        steps: [
          { command: "click", on: { role: "button", name: "OK" }, window: "Welcome" },
        ],
        check: { title: "Welcome to Audacity", gone: true },
      },
      {
        what: "Tracks → Add New → Mono Track",
        steps: [{ command: "click", on: { role: "menuitem", name: "Mono Track" } }],
        check: { pixels: 5000 },
      },
      {
        what: "Help → About Audacity opens its window",
        steps: [{ command: "click", on: { role: "menuitem", name: "About Audacity" } }],
        check: { title: "About Audacity" },
      },
    ],
  },
  {
    name: "xterm",
    toolkit: "none (Xt)",
    packages: ["xterm"],
    command: ["xterm"],
    title: "xterm",
    operations: [
      {
        what: "press a key",
        steps: [{ command: "press", headed: true, with: ["a"] }],
        check: { pixels: 20 },
      },
    ],
  },
  {
    name: "IDLE",
    toolkit: "none (Tk)",
    packages: ["idle-python3.11|idle-python3.13"],
    command: ["sh", "-c", "exec $(ls /usr/bin/idle-python3.* | head -n1)"],
    title: "IDLE Shell",
    operations: [
      {
        what: "press a key",
        steps: [{ command: "press", headed: true, with: ["a"] }],
        check: { pixels: 20 },
      },
    ],
  },
];
