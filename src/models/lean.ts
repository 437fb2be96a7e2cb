import {
  attribute,
  bytesOf,
  inAttribute,
  inGraph,
  inModel,
  inNode,
  inPort,
  inTensor,
  type Node,
  nameIn,
  numbers,
  readNode,
  within,
  writeNode,
} from "./onnx-file.ts";
import { type Field, readMessage, writeMessage } from "./wire.ts";

/** The shape of an encoder's attention: `count` heads of `size` numbers each. */
export type Heads = { readonly count: number; readonly size: number };

/** The input that says which tokens are there and which only fill a row up. */
const mask = "attention_mask";

/**
 * An encoder's graph, as ONNX Runtime writes it, for one text a run and nothing else: every token is there, so what would
 * hide the others is left out; and the heads of queries, keys and values are multiplied where they lie instead of being
 * copied apart first. Of the last sum on there is the first token alone, whose vector stands for the text. Its numbers are the
 * same, bit for bit. It refuses a batch of more than one.
 *
 * @throws Error when the graph is not of the expected form
 */
export const lean = (model: Uint8Array, heads: Heads): Uint8Array =>
  within(model, [inModel.graph], (graph) => leanGraph(graph, heads));

function leanGraph(graph: Uint8Array, heads: Heads): Uint8Array {
  const fields = readMessage(graph).filter(([number]) => number !== inGraph.shapes);
  const constants = new Set(
    fields.flatMap(([n, value]) => (n === inGraph.tensor ? [nameIn(value, inTensor.name)] : [])),
  );
  const before = fields.flatMap(([n, value]) => (n === inGraph.node ? [readNode(bytesOf(value))] : []));
  const nodes = firstToken(inPlace(withoutMask(before, constants)));
  const used = new Set(nodes.flatMap(({ inputs }) => inputs));
  return writeMessage([
    ...nodes.map((node): Field => [inGraph.node, writeNode(node)]),
    ...fields.flatMap(([number, value]): readonly Field[] => {
      if (number === inGraph.node) return [];
      if (number === inGraph.tensor && !used.has(nameIn(value, inTensor.name))) return [];
      if (number !== inGraph.input) return [[number, value]];
      if (nameIn(value, inPort.name) === mask) return [];
      return [[number, within(bytesOf(value), inPort.rows, () => writeMessage([[1, 1]]))]];
    }),
    [inGraph.tensor, numbers(zero, [0])],
    [inGraph.tensor, numbers(one, [1])],
    [inGraph.tensor, numbers(shapes.apart, [-1, heads.count, heads.size])],
    [inGraph.tensor, numbers(shapes.together, [1, -1, heads.count * heads.size])],
  ]);
}

/** Leaves out what is made of the mask alone, and the sums it goes into: over tokens that are all there it is nothing but 0. */
function withoutMask(nodes: readonly Node[], constants: ReadonlySet<string>): readonly Node[] {
  const ofMask = new Set([mask]);
  const same = new Map<string, string>();
  const kept: Node[] = [];
  for (const node of nodes) {
    const others = node.inputs.filter((name) => !ofMask.has(name));
    const [other] = others;
    if (others.length === node.inputs.length)
      kept.push({ ...node, inputs: node.inputs.map((name) => same.get(name) ?? name) });
    else if (others.every((name) => constants.has(name))) for (const name of node.outputs) ofMask.add(name);
    else if (node.op === "Add" && other !== undefined) same.set(node.outputs[0] ?? "", other);
    else throw new Error(`the mask goes into a ${node.op}, not into a sum`);
  }
  if (same.size === 0) throw new Error("no sum has the mask in it");
  return kept;
}

/** Names of the two shapes that stand for a split into heads and for their being side by side again. */
const shapes = { apart: "heads_apart", together: "heads_together" } as const;

/** Multiplies heads where they lie: [tokens, heads, numbers], with the first two seen the other way round. */
function inPlace(nodes: readonly Node[]): readonly Node[] {
  const made = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const by = (name: string | undefined, op: string): Node => {
    const node = made.get(name ?? "");
    if (node?.op !== op) throw new Error(`${name} is made by a ${node?.op}, not by a ${op}`);
    return node;
  };
  const taking = (name: string | undefined, op: string): Node => {
    const node = nodes.find(({ inputs }) => inputs[0] === name);
    if (node?.op !== op) throw new Error(`${name} goes into a ${node?.op}, not into a ${op}`);
    return node;
  };
  const changed = new Map<Node, Node | undefined>();
  const split = (name: string | undefined): string => {
    const turned = by(name, "Transpose");
    const reshaped = by(turned.inputs[0], "Reshape");
    changed.set(turned, undefined);
    changed.set(reshaped, { ...reshaped, inputs: [reshaped.inputs[0] ?? "", shapes.apart] });
    return reshaped.outputs[0] ?? "";
  };
  for (const softmax of nodes.filter(({ op }) => op === "Softmax")) {
    const scores = by(softmax.inputs[0], "FusedMatMul");
    const mixed = taking(softmax.outputs[0], "MatMul");
    const turned = taking(mixed.outputs[0], "Transpose");
    const joined = taking(turned.outputs[0], "Reshape");
    const scale = scores.rest.filter(
      ([n, value]) => n === inNode.attribute && nameIn(value, inAttribute.name) === "alpha",
    );
    const operands = scores.inputs.map(split);
    changed.set(scores, product(operands, scores.outputs, ["transBatchA", "transBatchB", "transB"], scale));
    changed.set(softmax, { ...softmax, rest: [attribute("axis", 2)] });
    const weights = softmax.outputs[0] ?? "";
    changed.set(mixed, product([weights, split(mixed.inputs[1])], mixed.outputs, ["transBatchB"]));
    changed.set(turned, { ...turned, rest: [attribute("perm", [1, 0, 2])] });
    changed.set(joined, { ...joined, inputs: [joined.inputs[0] ?? "", shapes.together] });
  }
  return nodes.flatMap((node) => (changed.has(node) ? (changed.get(node) ?? []) : node));
}

/** Names of constants: the number they hold. */
const [zero, one] = ["number_0", "number_1"] as const;

/** Takes the first token alone into the last sum, which the last normalisation follows. */
function firstToken(nodes: readonly Node[]): readonly Node[] {
  const [sum, last] = nodes.slice(-2);
  if (sum?.op !== "Add" || last?.op !== "LayerNormalization" || last.inputs[0] !== sum.outputs[0])
    throw new Error("the graph does not end with a sum and its normalisation");
  const firsts = sum.inputs.map((name) => `${name}_first`);
  const cuts = sum.inputs.map(
    (name, i): Node => ({ op: "Slice", inputs: [name, zero, one, one], outputs: [firsts[i] ?? ""], rest: [] }),
  );
  return [...nodes.slice(0, -2), ...cuts, { ...sum, inputs: firsts }, last];
}

/** ONNX Runtime's own product of matrices, which takes them as they lie. */
const product = (
  inputs: readonly string[],
  outputs: readonly string[],
  flags: readonly string[],
  scale: readonly Field[] = [],
): Node => ({
  op: "FusedMatMul",
  inputs,
  outputs,
  rest: [[inNode.domain, Buffer.from("com.microsoft")], ...flags.map((name) => attribute(name, 1)), ...scale],
});
