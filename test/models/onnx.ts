/** Writes small ONNX files, so that a test knows every number of its model. Field numbers: onnx.proto3 of the ONNX project. */

import { writeMessage } from "../../src/models/wire.ts";

type Field = readonly [number: number, value: number | bigint | string | Uint8Array];

const message = (...fields: readonly Field[]): Uint8Array => writeMessage(fields);

const elementTypes = { float32: 1, int64: 7, float16: 10, int32: 6 } as const;
export type ElementType = keyof typeof elementTypes;

/** A name is a free dimension. */
export type Port = { readonly name: string; readonly type: ElementType; readonly shape: readonly (number | string)[] };

/** An attribute is a whole number or a list of them. */
export type Node = {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
};

export type Constant = {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: readonly number[];
  readonly type?: "float32" | "int64";
};

export type Graph = {
  readonly inputs: readonly Port[];
  readonly outputs: readonly Port[];
  readonly constants: readonly Constant[];
  readonly nodes: readonly Node[];
};

/** The bytes of a model with that graph, opset 17. */
export function onnx({ inputs, outputs, constants, nodes }: Graph): Uint8Array {
  const graph = message(
    ...nodes.map((node): Field => [1, nodeProto(node)]),
    [2, "test"],
    ...constants.map((constant): Field => [5, tensorProto(constant)]),
    ...inputs.map((port): Field => [11, portProto(port)]),
    ...outputs.map((port): Field => [12, portProto(port)]),
  );
  return message([1, 8], [7, graph], [8, message([1, ""], [2, 17])]);
}

const nodeProto = ({ op, inputs, outputs, attributes = {} }: Node): Uint8Array =>
  message(
    ...inputs.map((name): Field => [1, name]),
    ...outputs.map((name): Field => [2, name]),
    [4, op],
    ...Object.entries(attributes).map(([name, value]): Field => [5, attributeProto(name, value)]),
  );

const attributeProto = (name: string, value: number | readonly number[]): Uint8Array =>
  typeof value === "number"
    ? message([1, name], [3, value], [20, 2])
    : message([1, name], ...value.map((each): Field => [8, each]), [20, 7]);

function tensorProto({ name, shape, values, type = "float32" }: Constant): Uint8Array {
  const raw = type === "float32" ? Float32Array.from(values) : BigInt64Array.from(values, BigInt);
  return message(
    ...shape.map((size): Field => [1, size]),
    [2, elementTypes[type]],
    [8, name],
    [9, new Uint8Array(raw.buffer)],
  );
}

function portProto({ name, type, shape }: Port): Uint8Array {
  const dims = shape.map((size): Field => [1, typeof size === "number" ? message([1, size]) : message([2, size])]);
  return message([1, name], [2, message([1, message([1, elementTypes[type]], [2, message(...dims)])])]);
}
