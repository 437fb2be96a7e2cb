import { type Field, readMessage, writeMessage } from "./wire.ts";

/** One step of a graph. `attributes` and `rest` are fields as they lie in the file. */
type Node = {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly rest: readonly Field[];
};

/** The shape of an encoder's attention: `count` heads of `size` numbers each. */
export type Heads = { readonly count: number; readonly size: number };

// Field numbers: onnx.proto3 of the ONNX project.
const inModel = { graph: 7 } as const;
const inGraph = { node: 1, tensor: 5, input: 11, shapes: 13 } as const;
const inNode = { input: 1, output: 2, op: 4, attribute: 5, domain: 7 } as const;
const inAttribute = { name: 1, int: 3, ints: 8, type: 20 } as const;
const inPort = { name: 1, rows: [2, 1, 2, 1] } as const;
const inTensor = { dims: 1, type: 2, name: 8, raw: 9 } as const;

/** The input that says which tokens are there and which only fill a row up. */
const mask = "attention_mask";

/**
 * An encoder's graph, as ONNX Runtime writes it, for one text a run and nothing else: every token is there, so what would
 * hide the others is left out; and the heads of queries, keys and values are multiplied where they lie instead of being
 * copied apart first. The numbers that come out are the same, bit for bit. It refuses a batch of more than one.
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
  const nodes = inPlace(withoutMask(before, constants));
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
    [inGraph.tensor, shapeTensor(shapes.apart, [-1, heads.count, heads.size])],
    [inGraph.tensor, shapeTensor(shapes.together, [1, -1, heads.count * heads.size])],
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

function readNode(bytes: Uint8Array): Node {
  const fields = readMessage(bytes);
  const texts = (wanted: number) => fields.flatMap(([n, value]) => (n === wanted ? [textOf(value)] : []));
  const own: readonly number[] = [inNode.input, inNode.output, inNode.op];
  return {
    op: texts(inNode.op)[0] ?? "",
    inputs: texts(inNode.input),
    outputs: texts(inNode.output),
    rest: fields.filter(([n]) => !own.includes(n)),
  };
}

const writeNode = ({ op, inputs, outputs, rest }: Node): Uint8Array =>
  writeMessage([
    ...inputs.map((name) => [inNode.input, name] as const),
    ...outputs.map((name) => [inNode.output, name] as const),
    [inNode.op, op],
    ...rest,
  ]);

/** An attribute that is a whole number or a list of them. */
const attribute = (name: string, value: number | readonly number[]): Field => [
  inNode.attribute,
  typeof value === "number"
    ? writeMessage([
        [inAttribute.name, name],
        [inAttribute.int, value],
        [inAttribute.type, 2],
      ])
    : writeMessage([
        [inAttribute.name, name],
        ...value.map((each) => [inAttribute.ints, each] as const),
        [inAttribute.type, 7],
      ]),
];

const shapeTensor = (name: string, shape: readonly number[]): Uint8Array =>
  writeMessage([
    [inTensor.dims, shape.length],
    [inTensor.type, 7],
    [inTensor.name, name],
    [inTensor.raw, new Uint8Array(BigInt64Array.from(shape, BigInt).buffer)],
  ]);

/** The message with what lies at the end of a path of fields changed; of several alike, the first. */
function within(message: Uint8Array, path: readonly number[], change: (found: Uint8Array) => Uint8Array): Uint8Array {
  const [number, ...rest] = path;
  const fields = readMessage(message);
  const at = fields.findIndex(([field]) => field === number);
  const [field, value] = fields[at] ?? [0, undefined];
  const found = bytesOf(value);
  return writeMessage(fields.with(at, [field, rest.length === 0 ? change(found) : within(found, rest, change)]));
}

/** The text in that field of a message. */
const nameIn = (message: Field[1], number: number): string =>
  textOf(readMessage(bytesOf(message)).find(([field]) => field === number)?.[1]);

function bytesOf(value: Field[1] | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("a field of the graph is not of the expected kind");
}

const textOf = (value: Field[1] | undefined): string => new TextDecoder().decode(bytesOf(value));
