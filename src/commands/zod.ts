/**
 * The parts of `zod/mini` in use, named one by one so that the bundler drops the rest. Loaded
 * only when a command has arguments to validate.
 */
export {
  _default,
  array,
  boolean,
  enum,
  int,
  literal,
  maximum,
  minimum,
  number,
  optional,
  pipe,
  refine,
  safeParse,
  strictObject,
  string,
  transform,
  union,
} from "zod/mini";
