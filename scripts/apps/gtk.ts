/** Applications of GTK 3 and GTK 4, and terminals of VTE. */
import type { Application } from "./types.ts";

const NOTES = { "notes.txt": "hello words\nsecond line\n" };
const THINGS = { "things/invoices/may.txt": "paid\n", "things/src.txt": "words\n" };

/** A picture of 1 × 1 pixel (portable pixmap). */
const PICTURE = { "picture.ppm": "P3\n1 1\n255\n32 144 208\n" };

/** Two pages that say "one" and "two" (PostScript-free PDF; readers rebuild the missing table). */
const PAGES = {
  "pages.pdf": `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R>> endobj
4 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 5 0 R>> endobj
5 0 obj <</Length 25>> stream
10 10 m 200 100 l S
endstream endobj
trailer <</Root 1 0 R>>
`,
};

export const GTK3: readonly Application[] = [
  {
    name: "galculator",
    toolkit: "GTK 3",
    packages: ["galculator"],
    command: ["galculator"],
    title: "galculator",
    app: "galculator",
    operations: [
      {
        what: "7 + 5 = by its buttons",
        steps: ["7", "+", "5", "="].map((name) => ({
          command: "click",
          on: { role: "button", name, exact: true as const },
        })),
        check: { text: "12" },
      },
      {
        what: "clear with AC",
        steps: [{ command: "click", on: { role: "button", name: "AC", exact: true } }],
        check: { text: "12", gone: true },
      },
      {
        what: "choose Scientific Mode in the menu View",
        steps: [{ command: "click", on: { role: "menuitem", name: "Scientific Mode" } }],
        check: { name: "sin", state: "showing" },
      },
    ],
  },
  {
    name: "Mousepad",
    toolkit: "GTK 3",
    packages: ["mousepad"],
    command: ["mousepad", "notes.txt"],
    files: NOTES,
    title: "/",
    app: "mousepad",
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
        what: "add a line by typing",
        steps: [
          { command: "type", on: { role: "textfield", value: "你好" }, with: ["more"] },
        ],
        check: { text: "é 你好\nmore" },
      },
      {
        what: "File → Save As… opens its dialog",
        steps: [{ command: "click", on: { role: "menuitem", name: "Save As..." } }],
        check: { title: "Save As" },
      },
    ],
  },
  {
    name: "gedit",
    toolkit: "GTK 3",
    packages: ["gedit"],
    command: ["gedit", "notes.txt"],
    files: NOTES,
    title: "notes.txt",
    app: "gedit",
    operations: [
      {
        what: "set the text and save it with its button",
        steps: [
          {
            command: "set-value",
            on: { role: "textfield", value: "hello" },
            with: ["other words"],
          },
          { command: "click", on: { role: "button", name: "Save" } },
        ],
        check: { file: "notes.txt", has: "other words" },
      },
      {
        what: "open a new document",
        steps: [{ command: "click", on: { role: "button", name: "New" } }],
        check: { title: "Untitled Document 1" },
      },
      {
        what: "Open shows its dialog",
        steps: [{ command: "click", on: { role: "button", name: "Open" } }],
        check: { title: "Open Files" },
      },
    ],
  },
  {
    name: "Evince",
    toolkit: "GTK 3",
    packages: ["evince"],
    command: ["evince", "pages.pdf"],
    files: PAGES,
    title: "pages.pdf",
    app: "evince",
    operations: [
      {
        what: "go to page 2 by its field",
        steps: [
          {
            command: "set-value",
            on: { role: "textfield", name: "page-label-entry" },
            with: ["2"],
          },
          { command: "press", headed: true, with: ["return"] },
        ],
        check: { name: "page-label-entry", text: "2" },
      },
      {
        what: "show the side pane by its button",
        steps: [{ command: "click", on: { role: "button", name: "Side pane" } }],
        check: { pixels: 500 },
      },
      {
        what: "open the search bar with ctrl+f",
        steps: [{ command: "press", headed: true, with: ["ctrl+f"] }],
        check: { name: "Search", state: "focused" },
      },
    ],
  },
  {
    name: "Eye of GNOME",
    toolkit: "GTK 3",
    packages: ["eog"],
    command: ["eog", "picture.ppm"],
    files: PICTURE,
    title: "picture.ppm",
    app: "eog",
    operations: [
      {
        what: "zoom in by its button",
        steps: [{ command: "click", on: { role: "button", name: "Zoom In" } }],
        check: { text: "100%", gone: true },
      },
      {
        what: "hide the side bar by its button",
        steps: [{ command: "click", on: { role: "button", name: "Hide sidebar" } }],
        check: { pixels: 5000 },
      },
      {
        what: "open the menu by its button",
        steps: [{ command: "click", on: { role: "button", name: "Menu" } }],
        check: { name: "Preferences", state: "showing" },
      },
    ],
  },
  {
    name: "File Roller",
    toolkit: "GTK 3",
    packages: ["file-roller", "zip"],
    command: ["sh", "-c", "zip -qr bundle.zip things && exec file-roller bundle.zip"],
    files: THINGS,
    title: "bundle.zip",
    app: "file-roller",
    operations: [
      {
        what: "open the folder things in the archive",
        steps: [
          { command: "double-click", on: { role: "cell", name: "things" }, headed: true },
        ],
        check: { text: "/things/" },
      },
      {
        what: "go back by its button",
        steps: [{ command: "click", on: { role: "button", name: "Back" } }],
        check: { text: "/" },
      },
      {
        what: "show the search field by its button",
        steps: [{ command: "click", on: { role: "button", name: "Find files by name" } }],
        check: { pixels: 2000 },
      },
    ],
  },
  {
    name: "System Monitor",
    toolkit: "GTK 3",
    packages: ["gnome-system-monitor"],
    command: ["gnome-system-monitor"],
    title: "System Monitor",
    app: "gnome-system-monitor",
    operations: [
      {
        what: "show the file systems by their page's button",
        steps: [{ command: "click", on: { role: "radiobutton", name: "File Systems" } }],
        check: { name: "File Systems", role: "radio button", state: "checked" },
      },
      {
        what: "show the resources",
        steps: [{ command: "click", on: { role: "radiobutton", name: "Resources" } }],
        check: { name: "Resources", role: "radio button", state: "checked" },
      },
      {
        what: "open the menu by its button",
        steps: [{ command: "click", on: { role: "button", name: "Menu" } }],
        check: { name: "Preferences", state: "showing" },
      },
    ],
  },
  {
    name: "dconf Editor",
    toolkit: "GTK 3",
    packages: ["dconf-editor"],
    command: ["dconf-editor"],
    title: "dconf Editor",
    app: "dconf-editor",
    window: "dconf Editor",
    operations: [
      {
        what: "switch off the check box of its first dialog",
        steps: [
          {
            command: "uncheck",
            on: { role: "checkbox", name: "Show this dialog" },
            window: "Info",
          },
        ],
        check: { name: "Show this dialog next time.", state: "checked", gone: true },
      },
      {
        what: "close that dialog by its button",
        steps: [
          { command: "click", on: { role: "button", name: "careful" }, window: "Info" },
        ],
        check: { name: "Show this dialog next time.", gone: true },
      },
      {
        what: "open the search field with ctrl+f",
        steps: [{ command: "press", headed: true, with: ["ctrl+f"] }],
        check: { pixels: 500 },
      },
    ],
  },
  {
    name: "Zenity",
    toolkit: "GTK 3",
    packages: ["zenity"],
    command: [
      "sh",
      "-c",
      "zenity --forms --title=Form --text=Fill --add-entry=Name --add-combo=Colour " +
      "--combo-values='Red|Blue' > answer.txt",
    ],
    title: "Form",
    app: "zenity",
    ends: true,
    operations: [
      {
        what: "fill in the field",
        steps: [{ command: "set-value", on: { role: "textfield" }, with: ["Zoë"] }],
        check: { text: "Zoë" },
      },
      {
        what: "choose Blue in the combo box",
        steps: [{ command: "select", on: { role: "combobox" }, with: ["Blue"] }],
        check: { name: "Blue", role: "combo box" },
      },
      {
        what: "OK prints both",
        steps: [{ command: "click", on: { role: "button", name: "OK" } }],
        check: { file: "answer.txt", has: "Zoë|Blue" },
      },
    ],
  },
  {
    name: "Thunar",
    toolkit: "GTK 3",
    packages: ["thunar"],
    command: ["thunar", "things"],
    files: THINGS,
    title: "things",
    app: "thunar",
    operations: [
      {
        what: "open the folder above by its button, and come back",
        steps: [
          { command: "click", on: { role: "button", name: "Open Parent" } },
          { command: "click", on: { role: "button", name: "Back" } },
          { command: "click", on: { role: "button", name: "Open Parent" } },
        ],
        check: { title: "home" },
      },
      {
        what: "show the details with ctrl+2, open the folder things by a double click",
        steps: [
          { command: "press", headed: true, with: ["ctrl+2"] },
          { command: "double-click", on: { name: "things", exact: true }, headed: true },
        ],
        check: { title: "things" },
      },
      {
        what: "File → Create Folder… opens its dialog",
        steps: [
          { command: "click", on: { role: "menu", name: "File" } },
          { command: "click", on: { role: "menuitem", name: "Create Folder" } },
        ],
        check: { title: "Create New Folder" },
      },
    ],
  },
  {
    name: "Qalculate!",
    toolkit: "GTK 3",
    packages: ["qalculate-gtk"],
    command: ["qalculate-gtk"],
    title: "Qalculate!",
    app: "qalculate-gtk",
    operations: [
      {
        what: "7 × 8 = by its buttons",
        steps: ["7", "×", "8", "="].map((name) => ({
          command: "click",
          on: { role: "button", name, exact: true as const },
        })),
        check: { pixels: 500 },
      },
      {
        what: "choose Hexadecimal in the combo box Decimal",
        steps: [
          { command: "select", on: { role: "combobox", name: "Decimal" }, with: ["Hexadecimal"] },
        ],
        check: { name: "Hexadecimal", role: "combo box" },
      },
      {
        what: "hide the keypad by its button",
        steps: [{ command: "click", on: { role: "button", name: "Keypad" } }],
        check: { name: "DEL", state: "showing", gone: true },
      },
    ],
  },
];

export const VTE: readonly Application[] = [
  {
    name: "Xfce Terminal",
    toolkit: "VTE (GTK 3)",
    packages: ["xfce4-terminal"],
    command: ["xfce4-terminal"],
    title: "Terminal",
    app: "xfce4-terminal",
    operations: [
      {
        what: "type a command and run it",
        steps: [
          {
            command: "type",
            headed: true,
            on: { name: "Terminal", role: "textfield" },
            with: ["touch made-here"],
          },
          { command: "press", headed: true, with: ["return"] },
          {
            command: "type",
            headed: true,
            on: { name: "Terminal", role: "textfield" },
            with: ["echo done > made-here"],
          },
          { command: "press", headed: true, with: ["return"] },
        ],
        check: { file: "made-here", has: "done" },
      },
      {
        what: "open a second tab with ctrl+shift+t",
        steps: [{ command: "press", headed: true, with: ["ctrl+shift+t"] }],
        check: { pixels: 500 },
      },
      {
        what: "Edit → Preferences… opens its dialog",
        steps: [
          { command: "click", on: { role: "menu", name: "Edit" } },
          { command: "click", on: { role: "menuitem", name: "Preferences" } },
        ],
        check: { title: "Terminal Preferences" },
      },
    ],
  },
  {
    name: "GNOME Terminal",
    toolkit: "VTE (GTK 3)",
    packages: ["gnome-terminal"],
    command: [
      "sh",
      "-c",
      "/usr/libexec/gnome-terminal-server & sleep 2; gnome-terminal",
    ],
    title: "Terminal",
    app: "gnome-terminal-server",
    operations: [
      {
        what: "type a command and run it",
        steps: [
          {
            command: "type",
            headed: true,
            on: { name: "Terminal", role: "textfield" },
            with: ["echo done > made-here"],
          },
          { command: "press", headed: true, with: ["return"] },
        ],
        check: { file: "made-here", has: "done" },
      },
      {
        what: "File → New Tab",
        steps: [{ command: "click", on: { role: "menuitem", name: "New Tab" } }],
        check: { pixels: 500 },
      },
      {
        what: "Edit → Preferences opens its window",
        steps: [{ command: "click", on: { role: "menuitem", name: "Preferences", exact: true } }],
        check: { title: "Preferences" },
      },
    ],
  },
];

export const GTK4: readonly Application[] = [
  {
    name: "GNOME Calculator",
    toolkit: "GTK 4",
    packages: ["gnome-calculator"],
    command: ["gnome-calculator"],
    title: "Calculator",
    app: "gnome-calculator",
    operations: [
      {
        what: "7 × 8 = by its buttons",
        steps: ["7", "×", "8", "="].map((name) => ({
          command: "click",
          on: { role: "button", name },
        })),
        check: { text: "56" },
      },
      {
        what: "write 2+40 into the field and press return",
        steps: [
          { command: "set-value", on: { role: "textfield" }, with: ["2+40"] },
          { command: "press", headed: true, with: ["return"] },
        ],
        check: { text: "42" },
      },
      {
        what: "open the choice of modes",
        steps: [{ command: "click", on: { role: "button", name: "Basic" } }],
        check: { pixels: 500 },
      },
    ],
  },
  {
    name: "GNOME Text Editor",
    toolkit: "GTK 4",
    packages: ["gnome-text-editor"],
    command: ["gnome-text-editor", "notes.txt"],
    files: NOTES,
    title: "notes.txt",
    app: "gnome-text-editor",
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
        what: "open a new tab by its button",
        steps: [{ command: "click", on: { role: "button", name: "New tab" } }],
        check: { title: "New Document" },
      },
      {
        what: "maximize the window by its button",
        steps: [{ command: "click", on: { role: "button", name: "Maximize" } }],
        check: { pixels: 50_000 },
      },
    ],
  },
  {
    name: "GNOME Clocks",
    toolkit: "GTK 4",
    packages: ["gnome-clocks"],
    command: ["gnome-clocks"],
    title: "Clocks",
    app: "org.gnome.clocks",
    operations: [
      {
        what: "show the page Stopwatch",
        steps: [{ command: "click", on: { role: "tab", name: "Stopwatch", nth: 0 } }],
        check: { pixels: 2000 },
      },
      {
        what: "show the page Timer",
        steps: [{ command: "click", on: { role: "tab", name: "Timer", nth: 0 } }],
        check: { pixels: 2000 },
      },
      {
        what: "Add Alarm opens its dialog",
        steps: [
          { command: "click", on: { role: "tab", name: "Alarms", nth: 0 } },
          { command: "click", on: { role: "button", name: "Add Alarm" } },
        ],
        check: { title: "New Alarm" },
      },
    ],
  },
  {
    name: "GNOME Characters",
    toolkit: "GTK 4",
    packages: ["gnome-characters"],
    command: ["gnome-characters"],
    title: "Characters",
    app: "org.gnome.Characters",
    operations: [
      {
        what: "show the arrows by their row",
        steps: [{ command: "click", on: { role: "row", name: "Arrows" } }],
        check: { pixels: 5000 },
      },
      {
        what: "search for a word",
        steps: [{ command: "set-value", on: { role: "textfield" }, with: ["snowman"] }],
        check: { pixels: 5000 },
      },
      {
        what: "maximize the window by its button",
        steps: [{ command: "click", on: { role: "button", name: "Maximize", nth: 0 } }],
        check: { pixels: 50_000 },
      },
    ],
  },
  {
    name: "Files (Nautilus)",
    toolkit: "GTK 4",
    packages: ["nautilus"],
    command: ["nautilus", "things"],
    files: THINGS,
    title: "things",
    app: "org.gnome.Nautilus",
    operations: [
      {
        what: "open the folder invoices by a double click",
        steps: [
          {
            command: "double-click",
            on: { role: "cell", name: "invoices", nth: 0 },
            headed: true,
          },
        ],
        check: { title: "invoices" },
      },
      {
        what: "go home by the row of the side bar",
        steps: [{ command: "click", on: { role: "option", name: "Home" }, headed: true }],
        check: { title: "Home" },
      },
      {
        what: "go to the trash by the row of the side bar",
        steps: [{ command: "click", on: { role: "option", name: "Trash" } }],
        check: { title: "Trash" },
      },
    ],
  },
  {
    name: "Disk Usage Analyzer",
    toolkit: "GTK 4",
    packages: ["baobab"],
    command: ["baobab"],
    files: THINGS,
    title: "Devices & Locations",
    app: "baobab",
    operations: [
      {
        what: "open its menu by its button",
        steps: [{ command: "press", headed: true, with: ["f10"] }],
        check: { pixels: 2000 },
      },
      {
        what: "close the menu with escape",
        steps: [{ command: "press", headed: true, with: ["escape"] }],
        check: { pixels: 2000 },
      },
      {
        what: "scan the home folder by its row",
        steps: [
          { command: "click", on: { role: "option", name: "Home Folder" }, headed: true },
        ],
        check: { title: "home" },
      },
    ],
  },
];
