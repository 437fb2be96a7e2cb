/** A dense layer without activation: y = W·x + b. `weight` is row by row, one row a number of y. */
export type Head = { readonly weight: Float32Array; readonly bias: Float32Array };

/** @throws Error when `x` is not as wide as the layer's rows */
export function project({ weight, bias }: Head, x: Float32Array): Float32Array {
  if (weight.length !== x.length * bias.length)
    throw new Error(`the head takes ${weight.length / bias.length} numbers, not ${x.length}`);
  return bias.map((shift, row) => {
    const start = row * x.length;
    let sum = shift;
    for (let i = 0; i < x.length; i++) sum += weight[start + i]! * x[i]!;
    return sum;
  });
}

/**
 * Reads `linear.weight` and `linear.bias` from a safetensors file: eight bytes with the length of a JSON header, the header,
 * then the tensors. Float32 only. A missing bias is zeros.
 *
 * @throws Error when the file is not of that form
 * @see https://github.com/huggingface/safetensors#format
 */
export function readHead(bytes: Uint8Array): Head {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = bytes.length < 8 ? Number.NaN : 8 + Number(view.getBigUint64(0, true));
  if (!(end <= bytes.length)) throw new Error("the head is not a safetensors file");
  const header: unknown = JSON.parse(new TextDecoder().decode(bytes.subarray(8, end)));
  const weight = tensor(header, "linear.weight", bytes.subarray(end));
  if (weight === undefined) throw new Error("the head has no linear.weight");
  const bias = tensor(header, "linear.bias", bytes.subarray(end));
  return { weight: weight.data, bias: bias?.data ?? new Float32Array(weight.rows) };
}

function tensor(header: unknown, name: string, body: Uint8Array) {
  const entry = field(header, name);
  if (entry === undefined) return undefined;
  const [type, shape, offsets] = [field(entry, "dtype"), field(entry, "shape"), field(entry, "data_offsets")];
  if (type !== "F32" || !isNumbers(shape) || !isNumbers(offsets)) throw new Error(`${name} is not a float32 tensor`);
  const data = body.slice(offsets[0], offsets[1]);
  const count = shape.reduce((product, size) => product * size, 1);
  if (data.length !== 4 * count) throw new Error(`${name} is cut short`);
  return { rows: shape[0] ?? 1, data: new Float32Array(data.buffer) };
}

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((x) => typeof x === "number");
