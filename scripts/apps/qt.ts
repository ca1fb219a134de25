/** Applications of Qt 5 and Qt 6. */
import { ROOT } from "../../tests/e2e/support/desktop.ts";
import type { Application } from "./types.ts";

const NOTES = { "notes.txt": "hello words\nsecond line\n" };
const THINGS = { "things/invoices/may.txt": "paid\n", "things/src.txt": "words\n" };

export const QT: readonly Application[] = [
  {
    name: "KCalc",
    toolkit: "Qt 5",
    packages: ["kcalc"],
    command: ["kcalc"],
    title: "KCalc",
    app: "kcalc",
    operations: [
      {
        what: "7 × 8 = by its buttons",
        steps: ["7", "×", "8", "="].map((name) => ({
          command: "click",
          on: { role: "button", name, exact: true as const },
        })),
        check: { name: "56", state: "showing" },
      },
      {
        what: "clear with AC",
        steps: [{ command: "click", on: { role: "button", name: "AC" } }],
        check: { name: "56", state: "showing", gone: true },
      },
      {
        what: "open the menu Settings",
        steps: [{ command: "click", on: { role: "menuitem", name: "Settings" } }],
        check: { name: "Science Mode", state: "showing" },
      },
    ],
  },
  {
    name: "KWrite",
    toolkit: "Qt 5",
    packages: ["kwrite"],
    command: ["kwrite", "notes.txt"],
    files: NOTES,
    title: "notes.txt",
    app: "kwrite",
    operations: [
      {
        what: "set the text and save it by its button",
        steps: [
          {
            command: "set-value",
            on: { role: "textfield", value: "hello" },
            with: ["é 你好\n"],
            headed: true,
          },
          { command: "click", on: { role: "button", name: "Save", exact: true } },
        ],
        check: { file: "notes.txt", has: "é 你好" },
      },
      {
        what: "open a new document by its button",
        steps: [{ command: "click", on: { role: "button", name: "New", exact: true } }],
        check: { title: "Untitled" },
      },
      {
        what: "Save As opens its dialog",
        steps: [{ command: "click", on: { role: "button", name: "Save As" } }],
        check: { title: "Save File" },
      },
    ],
  },
  {
    name: "FeatherPad",
    toolkit: "Qt 5",
    packages: ["featherpad"],
    command: ["featherpad", "notes.txt"],
    files: NOTES,
    title: "/",
    app: "FeatherPad",
    operations: [
      {
        what: "set the text and save it by its button",
        steps: [
          { command: "set-value", on: { role: "textfield", value: "hello" }, with: ["é 你好\n"] },
          { command: "click", on: { role: "button", name: "Save", exact: true } },
        ],
        check: { file: "notes.txt", has: "é 你好" },
      },
      {
        what: "open a new document by its button",
        steps: [{ command: "click", on: { role: "button", name: "New", exact: true } }],
        check: { title: "Untitled" },
      },
      {
        what: "show the replace bar by its button",
        steps: [{ command: "click", on: { role: "button", name: "Replace", exact: true } }],
        check: { pixels: 2000 },
      },
    ],
  },
  {
    name: "SpeedCrunch",
    toolkit: "Qt 5",
    packages: ["speedcrunch"],
    command: ["speedcrunch"],
    title: "SpeedCrunch",
    app: "SpeedCrunch",
    operations: [
      {
        what: "write 7*8 into its field",
        steps: [{ command: "set-value", on: { role: "textfield" }, with: ["7*8"] }],
        check: { text: "7*8" },
      },
      {
        what: "press return",
        steps: [{ command: "press", headed: true, with: ["return"] }],
        check: { text: "7*8", gone: true },
      },
      {
        what: "open the menu View",
        steps: [{ command: "click", on: { role: "menuitem", name: "View" } }],
        check: { name: "Keypad", state: "showing" },
      },
    ],
  },
  {
    name: "Dolphin",
    toolkit: "Qt 5",
    packages: ["dolphin", "breeze-icon-theme"],
    command: ["dolphin", "things"],
    files: THINGS,
    title: "things",
    app: "dolphin",
    operations: [
      {
        what: "open the folder invoices by a double click",
        steps: [
          { command: "double-click", on: { role: "cell", name: "invoices" }, headed: true },
        ],
        check: { title: "invoices" },
      },
      {
        what: "go back by its button",
        steps: [{ command: "click", on: { role: "button", name: "Back" } }],
        check: { title: "things" },
      },
      {
        what: "go home by the place Home, headless",
        steps: [{ command: "click", on: { role: "option", name: "Home" } }],
        check: { title: "Home" },
      },
    ],
  },
  {
    name: "Qt 6 controls",
    toolkit: "Qt 6",
    packages: ["python3-pyqt6"],
    command: ["/usr/bin/python3", `${ROOT}fixtures/apps/qt6_controls.py`],
    title: "Qt 6 controls",
    app: "qt6-controls",
    operations: [
      {
        what: "push the button",
        steps: [{ command: "click", on: { role: "button", name: "Push" } }],
        check: { name: "status: pushed" },
      },
      {
        what: "choose Blue in the combo box",
        steps: [{ command: "select", on: { role: "combobox" }, with: ["Blue"] }],
        check: { name: "status: combo Blue" },
      },
      {
        what: "set the slider",
        steps: [{ command: "set-value", on: { role: "slider" }, with: ["40"] }],
        check: { name: "status: slider 40" },
      },
      {
        what: "check the check box",
        steps: [{ command: "click", on: { role: "checkbox", name: "Check" } }],
        check: { name: "status: check True" },
      },
    ],
  },
  {
    name: "FocusWriter",
    toolkit: "Qt 6",
    packages: ["focuswriter"],
    command: ["focuswriter", "notes.txt"],
    files: NOTES,
    title: "notes.txt",
    app: "FocusWriter",
    operations: [
      {
        what: "set the text and save it with ctrl+s",
        steps: [
          { command: "set-value", on: { role: "textfield", value: "hello" }, with: ["é 你好\n"] },
          { command: "press", headed: true, with: ["ctrl+s"] },
        ],
        check: { file: "notes.txt", has: "é 你好" },
      },
      {
        what: "open a new document by its button",
        steps: [{ command: "click", on: { role: "button", name: "New", exact: true } }],
        check: { title: "(Untitled" },
      },
      {
        what: "Replace shows its fields",
        steps: [{ command: "click", on: { role: "button", name: "Replace" } }],
        check: { pixels: 2000 },
      },
    ],
  },
  {
    name: "Qt 6 Settings",
    toolkit: "Qt 6",
    packages: ["qt6ct"],
    command: ["qt6ct"],
    title: "Qt6 Configuration Tool",
    app: "qt6ct",
    operations: [
      {
        what: "show the page Fonts",
        steps: [{ command: "click", on: { role: "tab", name: "Fonts" } }],
        check: { name: "Fonts", role: "page tab", state: "selected" },
      },
      {
        what: "show the page Appearance",
        steps: [{ command: "click", on: { role: "tab", name: "Appearance" } }],
        check: { name: "Fonts", role: "page tab", state: "selected", gone: true },
      },
      {
        what: "choose Windows as the style",
        steps: [{ command: "select", on: { role: "combobox", nth: 0 }, with: ["Windows"] }],
        check: { name: "Windows", role: "combo box", state: "showing" },
      },
    ],
  },
];
