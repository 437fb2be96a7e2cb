/** The parts of an ONNX file that are read and written here. */
import { type Field, readMessage, writeMessage } from "./wire.ts";

/** One step of a graph. `attributes` and `rest` are fields as they lie in the file. */
export type Node = {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly rest: readonly Field[];
};

// Field numbers: onnx.proto3 of the ONNX project.
export const inModel = { graph: 7 } as const;
export const inGraph = { node: 1, tensor: 5, input: 11, shapes: 13 } as const;
export const inNode = { input: 1, output: 2, op: 4, attribute: 5, domain: 7 } as const;
export const inAttribute = { name: 1, int: 3, ints: 8, type: 20 } as const;
export const inPort = { name: 1, rows: [2, 1, 2, 1] } as const;
export const inTensor = { dims: 1, type: 2, name: 8, raw: 9 } as const;

/** @throws Error when the bytes are not those of a node */
export function readNode(bytes: Uint8Array): Node {
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

export const writeNode = ({ op, inputs, outputs, rest }: Node): Uint8Array =>
  writeMessage([
    ...inputs.map((name) => [inNode.input, name] as const),
    ...outputs.map((name) => [inNode.output, name] as const),
    [inNode.op, op],
    ...rest,
  ]);

/** An attribute that is a whole number or a list of them. */
export const attribute = (name: string, value: number | readonly number[]): Field => [
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

/** A list of whole numbers, as a constant of the graph. */
export const numbers = (name: string, values: readonly number[]): Uint8Array =>
  writeMessage([
    [inTensor.dims, values.length],
    [inTensor.type, 7],
    [inTensor.name, name],
    [inTensor.raw, new Uint8Array(BigInt64Array.from(values, BigInt).buffer)],
  ]);

/** The message with what lies at the end of a path of fields changed; of several alike, the first. */
export function within(
  message: Uint8Array,
  path: readonly number[],
  change: (found: Uint8Array) => Uint8Array,
): Uint8Array {
  const [number, ...rest] = path;
  const fields = readMessage(message);
  const at = fields.findIndex(([field]) => field === number);
  const [field, value] = fields[at] ?? [0, undefined];
  const found = bytesOf(value);
  return writeMessage(fields.with(at, [field, rest.length === 0 ? change(found) : within(found, rest, change)]));
}

/** The text in that field of a message. */
export const nameIn = (message: Field[1], number: number): string =>
  textOf(readMessage(bytesOf(message)).find(([field]) => field === number)?.[1]);

/** @throws Error when it is a number */
export function bytesOf(value: Field[1] | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("a field of the graph is not of the expected kind");
}

const textOf = (value: Field[1] | undefined): string => new TextDecoder().decode(bytesOf(value));
