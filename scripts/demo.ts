/**
 * The inner half of `scripts/demo`: runs on the private desktop and drives gnome-calculator with
 * nothing but the program given as the only argument.
 */

interface TreeNode {
  role: string;
  name?: string;
  ref_id?: string;
  children?: TreeNode[];
}

interface Envelope {
  ok: boolean;
  data?: Record<string, unknown>;
  error?: { code: string; message: string };
}

const APP = "gnome-calculator";
const program = Deno.args[0] ?? "dist/agent-desktop";

/** Runs the program and returns its envelope, whatever it says. */
async function ask(...args: string[]): Promise<Envelope> {
  const { stdout } = await new Deno.Command(program, { args, stderr: "inherit" }).output();
  return JSON.parse(new TextDecoder().decode(stdout));
}

/** Shows the command line, runs it and returns `data`. @throws Error when the envelope is an error. */
async function show(...args: string[]): Promise<Record<string, unknown>> {
  console.log(`\n$ agent-desktop ${args.join(" ")}`);
  const envelope = await ask(...args);
  if (!envelope.ok || !envelope.data) {
    throw new Error(`${envelope.error?.code}: ${envelope.error?.message}`);
  }
  return envelope.data;
}

/** The snapshot's tree, one node a line. */
function print(node: TreeNode, depth = 0): void {
  const { children, ...own } = node;
  console.log("  ".repeat(depth) + JSON.stringify(own));
  for (const child of children ?? []) print(child, depth + 1);
}

function* all(node: TreeNode): Generator<TreeNode> {
  yield node;
  for (const child of node.children ?? []) yield* all(child);
}

/** The ref of the first node that `matches`. @throws Error when there is none. */
function refOf(tree: TreeNode, what: string, matches: (node: TreeNode) => boolean): string {
  for (const node of all(tree)) if (node.ref_id && matches(node)) return node.ref_id;
  throw new Error(`the snapshot has no ${what}`);
}

/** A button by its label; GTK before 4.10 names a button by its own and its child's label ("7 7"). */
function button(tree: TreeNode, label: string): string {
  return refOf(
    tree,
    `button ${label}`,
    (node) =>
      node.role === "button" && (node.name ?? "").split(" ").every((word) => word === label),
  );
}

/** Waits, at most 30 seconds, until the calculator shows its buttons. */
async function opened(): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (true) {
    const envelope = await ask("snapshot", "--app", APP, "-i", "--compact");
    if (Number(envelope.data?.["ref_count"] ?? 0) > 20) return;
    if (Date.now() > deadline) {
      throw new Error(`${APP} did not open: ${envelope.error?.message ?? "no buttons"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Waits, at most 5 s, until `ref` reads the same for a second: GTK acts 250 ms after a click. */
async function settled(ref: string): Promise<void> {
  let last: unknown;
  for (let same = 0, left = 25; same < 5 && left > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const value = (await ask("get", ref)).data?.["value"];
    same = value === last ? same + 1 : 0;
    last = value;
  }
}

async function demo(): Promise<void> {
  new Deno.Command(APP, { stdin: "null", stdout: "null", stderr: "null" }).spawn().unref();
  await opened();

  const data = await show("snapshot", "--app", APP, "-i", "--compact");
  const tree = data["tree"] as TreeNode;
  print(tree);

  for (const label of ["7", "×", "8", "="]) {
    const { disposition } = await show("click", button(tree, label));
    console.log(`${label}  ${JSON.stringify(disposition)}`);
  }

  const display = refOf(tree, "display", (node) => node.role === "textfield");
  await settled(display);
  const { value } = await show("get", display);
  console.log(JSON.stringify(value));
  if (value !== "56") throw new Error(`the calculator shows ${JSON.stringify(value)}, not 56`);
  console.log(`\nThe calculator shows 7 × 8 = ${value}.`);
}

try {
  await demo();
  Deno.exit(0); // leaves the calculator on the screen for the picture; a plain return would end it
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : error}`);
  Deno.exit(1);
}
