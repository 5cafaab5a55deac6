import type { GraphBuilder } from "./graph-builder.ts";
import { lowerElementwise } from "./lower-elementwise.ts";
import type { Trace, TracedAtom, TracedEquation, TracedVariable } from "./trace-function.ts";
import { uniformView, type View } from "./view.ts";

/** An extra input that a gradient needs: for each row of a table, the slots of an index that read it. */
export interface ReverseListInput {
  /** Name of the extra int32 input, rows x degree. */
  name: string;
  /** Name of the index input that it turns around. */
  of: string;
  /** Rows of the table at the traced sizes. */
  rows: number;
}

/** What the rules that turn equations into ONNX nodes share. */
export interface Lowering {
  builder: GraphBuilder;
  /** How each value of the trace is stored. */
  views: Map<TracedVariable, View>;
  /** Which equation made a value. */
  makers: Map<TracedVariable, TracedEquation>;
  /** Which equations use a value. */
  users: Map<TracedVariable, TracedEquation[]>;
  /** `a != b`, stored as `a == b`, since most users can take it that way round. */
  negated: Map<TracedVariable, View>;
  /** Values that the function returns. */
  returned: Set<TracedAtom>;
  reverseLists: Map<string, ReverseListInput>;
}

/** An empty state for a trace. */
export function startLowering(builder: GraphBuilder, trace: Trace): Lowering {
  const makers: Lowering["makers"] = new Map();
  const users: Lowering["users"] = new Map();
  for (const equation of trace.equations) {
    for (const output of equation.outputs) makers.set(output, equation);
    for (const input of equation.inputs) {
      if (input.kind === "variable") users.set(input, [...(users.get(input) ?? []), equation]);
    }
  }
  const returned = new Set(trace.outputs.map((output) => output.atom));
  const views: Lowering["views"] = new Map();
  return { builder, views, makers, users, returned, negated: new Map(), reverseLists: new Map() };
}

/** How a value is stored; a literal is one repeated number. */
export function viewOfAtom(lowering: Lowering, atom: TracedAtom): View {
  if (atom.kind === "literal") return uniformView(atom.value, atom.dtype, atom.shape);
  const view = lowering.views.get(atom);
  if (view) return view;
  const opposite = lowering.negated.get(atom);
  if (!opposite) throw new Error("exportFunction: the trace uses a value before it is made.");
  const made = lowerElementwise(lowering.builder, "Not", [opposite], atom);
  lowering.views.set(atom, made);
  return made;
}

/** The equation that made a value, if it is of the given primitive. */
export function makerOf(
  lowering: Lowering,
  atom: TracedAtom,
  primitive: string,
): TracedEquation | undefined {
  const maker = atom.kind === "variable" ? lowering.makers.get(atom) : undefined;
  return maker?.primitive === primitive ? maker : undefined;
}

/** The number that a value is everywhere, if it is one number. */
export function numberOf(lowering: Lowering, atom: TracedAtom): number | undefined {
  if (atom.kind === "literal") return atom.value;
  const source = lowering.views.get(atom)?.source;
  return typeof source === "number" ? source : undefined;
}
