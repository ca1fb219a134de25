// The least a compiled program can do: every start-up figure is measured against it.
console.log("ok");
