/** Rows of numbers, and their products with a vector, to some millionths for long unit vectors. */
export type Products = {
  /** Puts a row in its place, which may be another's or a new one. */
  put(row: number, numbers: Float32Array): void;
  /** The dot product of every row with a vector. Good until the next question. */
  of(vector: Float32Array): Float32Array;
};

/** Bytes that one turn of the inner loop takes of a row: four vectors of eight numbers. */
const TURN = 64;
/** Bytes after a row's numbers: for the product, and up to a whole vector. */
const TAIL = 16;
const PAGE = 65_536;
/** The largest number that a row holds; products of two, twice, fit in 32 bits. */
const MOST = 32_767;

/**
 * A matrix that lies in WebAssembly's memory, where eight numbers are multiplied at once. A number has sixteen bits, in units of its row's
 * scale: half the memory of what is stored, and less time than at full width. All of it must fit into four gigabytes.
 */
export function openProducts(dims: number): Products {
  // Rows are filled up with zeros to whole turns.
  const width = Math.ceil((dims * 2) / TURN) * TURN;
  const stride = width + TAIL;
  // The vector comes first, then the rows.
  const memory = new WebAssembly.Memory({ initial: Math.ceil((width + 1) / PAGE) });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program()), { m: { m: memory } });
  const multiply = exports["f"] as (vector: number, row: number, end: number, stride: number) => void;
  let [numbers, products] = [new Int16Array(memory.buffer), new Float32Array(memory.buffer)];
  let scales = new Float32Array();
  let found = new Float32Array();
  let rows = 0;
  const makeRoom = (wanted: number): void => {
    if (wanted > scales.length) {
      memory.grow(Math.ceil((width + 1.1 * wanted * stride) / PAGE) - memory.buffer.byteLength / PAGE);
      [numbers, products] = [new Int16Array(memory.buffer), new Float32Array(memory.buffer)];
      const before = scales;
      scales = new Float32Array(Math.floor((memory.buffer.byteLength - width) / stride));
      scales.set(before);
      found = new Float32Array(scales.length);
    }
    rows = Math.max(rows, wanted);
  };
  return {
    put(row, exact) {
      makeRoom(row + 1);
      scales[row] = round(exact, numbers, (width + row * stride) / 2);
    },
    of(vector) {
      const scale = round(vector, numbers, 0);
      if (rows > 0) multiply(0, width, width + rows * stride, stride);
      for (let row = 0, at = (2 * width) / 4; row < rows; row++, at += stride / 4)
        found[row] = products[at]! * scales[row]! * scale;
      return found.subarray(0, rows);
    },
  };
}

/** Writes numbers as whole ones in units of a scale, and returns that. */
function round(exact: Float32Array, into: Int16Array, at: number): number {
  let largest = 0;
  for (let i = 0; i < exact.length; i++) largest = Math.max(largest, Math.abs(exact[i]!));
  const scale = largest / MOST || 1;
  for (let i = 0; i < exact.length; i++) into[at + i] = Math.round(exact[i]! / scale);
  return scale;
}

/** Instructions by their number in WebAssembly 2.0, https://webassembly.github.io/spec/core/binary/instructions.html */
const LOOP = [0x03, 0x40];
const BRANCH_IF = [0x0d, 0];
const END = [0x0b];
const ADD = [0x6a];
const SUBTRACT = [0x6b];
const LESS = [0x49];
const F32_ADD = [0x92];
const F32_STORE = (offset: number) => [0x38, 2, offset];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, ...signed(value)];
const simd = (code: number) => [0xfd, ...unsigned(code)];
const V_LOAD = (offset: number) => [...simd(0), 4, offset];
const V_ZERO = [...simd(12), ...Array.from({ length: 16 }, () => 0)];
const V_LANE = (lane: number) => [...simd(0x1f), lane];
/** Eight products of whole numbers, each two of them added up; and the four sums as broken numbers. */
const V_DOT = simd(0xba);
const V_CONVERT = simd(0xfa);
const V_ADD = simd(0xe4);
const [I32, V128] = [0x7f, 0x7b];

const [vector, row, end, stride, rowEnd, at] = [0, 1, 2, 3, 4, 5] as const;
/** Four sums of four numbers, so that none waits for another. */
const sum = (i: number): number => 6 + i;
const four = [0, 1, 2, 3];

/** for (row < end) { for (numbers of the row) add row × vector to the sums; store all of them together in the tail } */
function program(): Uint8Array<ArrayBuffer> {
  const step = (pointer: number, bytes: number) => [...get(pointer), ...constant(bytes), ...ADD, ...tee(pointer)];
  const multiplied = four.flatMap((i) => [
    ...[...get(sum(i)), ...get(row), ...V_LOAD(16 * i), ...get(at), ...V_LOAD(16 * i)],
    ...[...V_DOT, ...V_CONVERT, ...V_ADD, ...set(sum(i))],
  ]);
  const [a, b, c, d] = four.map((i) => get(sum(i))) as [number[], number[], number[], number[]];
  const lanes = four.flatMap((lane) => [...a, ...V_LANE(lane), ...(lane === 0 ? [] : F32_ADD)]);
  const body = [
    ...LOOP,
    ...[
      ...get(row),
      ...get(stride),
      ...ADD,
      ...constant(TAIL),
      ...SUBTRACT,
      ...set(rowEnd),
      ...get(vector),
      ...set(at),
    ],
    ...four.flatMap((i) => [...V_ZERO, ...set(sum(i))]),
    ...[...LOOP, ...multiplied, ...get(at), ...constant(TURN), ...ADD, ...set(at)],
    ...[...step(row, TURN), ...get(rowEnd), ...LESS, ...BRANCH_IF, ...END],
    ...[...a, ...b, ...V_ADD, ...c, ...d, ...V_ADD, ...V_ADD, ...set(sum(0)), ...get(row), ...lanes, ...F32_STORE(0)],
    ...[...step(row, TAIL), ...get(end), ...LESS, ...BRANCH_IF, ...END],
    ...END,
  ];
  const name = (letter: string) => [1, letter.charCodeAt(0)];
  const section = (id: number, content: readonly number[]) => [id, ...sized([1, ...content])];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, ...sized([I32, I32, I32, I32]), 0]),
    ...section(2, [...name("m"), ...name("m"), 2, 0, 1]),
    ...section(3, [0]),
    ...section(7, [...name("f"), 0, 0]),
    ...section(10, sized([2, 2, I32, 4, V128, ...body])),
  ]);
}

function sized(content: readonly number[]): number[] {
  return [...unsigned(content.length), ...content];
}

/** LEB128 of a number that is not negative. */
function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...unsigned(value >> 7)];
}

/** The same with room for a sign. */
function signed(value: number): number[] {
  return value < 64 ? [value] : [(value % 128) | 128, ...signed(value >> 7)];
}
