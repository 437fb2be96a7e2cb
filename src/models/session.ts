import type { InferenceSession, Tensor, TensorConstructor } from "onnxruntime-node";
import { nativeFile } from "../native.ts";
import type { Encoding } from "./tokenizer.ts";

/** The execution providers of ONNX Runtime that a model may be put on. */
export type Provider = "cpu" | "webgpu" | "cuda" | "coreml" | "dml";

/** An output of a graph, row by row; `dims` is its shape. */
export type Output = { readonly data: Float32Array; readonly dims: readonly number[] };

/** A loaded graph. Runs are one after another, whoever calls. */
export type Session = {
  readonly provider: Provider;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /**
   * Runs one batch. Rows of unequal length are padded with masked tokens on the given side.
   *
   * @throws Error when the graph lacks that output, asks for an input we do not know, or fails
   */
  run(rows: readonly Encoding[], output: string, pad?: "left" | "right"): Promise<Output>;
  close(): Promise<void>;
};

/** Puts ONNX Runtime on the disk and loads nothing of it; false where it has no build for this system. */
export const placeRuntime = (): boolean => nativeFile("onnxruntime") !== undefined;

/** ONNX Runtime, loaded once its reports to its maker are off, which `nativeFile` sees to. */
async function runtime() {
  if (!placeRuntime()) throw new Error("ONNX Runtime has no build for this system");
  return await import("onnxruntime-node");
}

/**
 * Loads a graph. The only door to ONNX Runtime: nothing of it is loaded before the first call.
 *
 * @param graph path of the ONNX file; tensors kept outside it lie beside it
 * @param options `threads`: for the work inside one operator, at least 1
 * @throws Error with the runtime's words when the graph or the provider cannot be used
 */
export async function openSession(
  graph: string,
  { provider, threads }: { readonly provider: Provider; readonly threads: number },
): Promise<Session> {
  const ort = await runtime();
  // The default prints warnings; what goes wrong is thrown anyway.
  ort.env.logLevel = "fatal";
  const session = await ort.InferenceSession.create(graph, {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    logSeverityLevel: 4,
    // Threads that wait do so asleep: a core that spins is taken from whoever else works here.
    extra: { session: { intra_op: { allow_spinning: "0" } } },
  });
  let open = true;
  return {
    provider,
    inputs: session.inputNames,
    outputs: session.outputNames,
    async run(rows, output, pad = "right") {
      if (!open) throw new Error("the model has been closed");
      if (!session.outputNames.includes(output))
        throw new Error(`the graph has no output ${output}, only ${session.outputNames.join(", ")}`);
      const batch = padded(rows, pad);
      const feeds: Record<string, Tensor> = {};
      for (const input of session.inputMetadata) {
        const [values, shape] = valuesFor(input, batch);
        feeds[input.name] = toTensor(ort.Tensor, input, values, shape);
      }
      const tensor = (await session.run(feeds, [output]))[output];
      if (tensor === undefined) throw new Error(`the graph gave no ${output}`);
      return { data: toFloat32(tensor), dims: tensor.dims };
    },
    async close() {
      if (!open) return;
      open = false;
      await session.release();
    },
  };
}

/**
 * Writes the graph as the runtime would have optimised it on loading, its large tensors in a file beside it that is mapped,
 * not read. Uses no rewriting that holds for one kind of processor only.
 *
 * @param graph path of the ONNX file
 * @param into path of the new graph
 * @param data name of the file for tensors of 1 KiB and more, in the same folder
 */
export async function saveOptimised(graph: string, into: string, data: string): Promise<void> {
  const ort = await runtime();
  ort.env.logLevel = "fatal";
  const session = await ort.InferenceSession.create(graph, {
    executionProviders: ["cpu"],
    graphOptimizationLevel: "extended",
    optimizedModelFilePath: into,
    logSeverityLevel: 4,
    extra: {
      session: {
        optimized_model_external_initializers_file_name: data,
        optimized_model_external_initializers_min_size_in_bytes: "1024",
      },
    },
  });
  await session.release();
}

/** The execution providers inside the runtime that is in use, by name. */
export async function providersAtHand(): Promise<readonly string[]> {
  const { listSupportedBackends } = await runtime();
  return listSupportedBackends().map(({ name }) => name);
}

/** The version of the runtime that is in use. */
export async function runtimeVersion(): Promise<string> {
  const { env } = await runtime();
  return env.versions.node ?? env.versions.common;
}

/** The input by which some language models are told to answer for the last position only. */
export const lastOnly = "num_logits_to_keep";

/** Rows of equal length, laid end to end. */
type Batch = {
  readonly rows: number;
  readonly length: number;
  readonly ids: readonly number[];
  readonly types: readonly number[];
  readonly mask: readonly number[];
  readonly positions: readonly number[];
};

function padded(rows: readonly Encoding[], side: "left" | "right"): Batch {
  const length = Math.max(0, ...rows.map((row) => row.ids.length));
  const fill = (values: readonly number[]): readonly number[] => {
    const gap = new Array<number>(length - values.length).fill(0);
    return side === "left" ? [...gap, ...values] : [...values, ...gap];
  };
  return {
    rows: rows.length,
    length,
    ids: rows.flatMap((row) => fill(row.ids)),
    types: rows.flatMap((row) => fill(row.types)),
    mask: rows.flatMap((row) => fill(row.ids.map(() => 1))),
    positions: rows.flatMap((row) => fill(row.ids.map((_, i) => i))),
  };
}

/** What a graph's input of that name is to hold, and its shape. Caches of earlier tokens are there, and empty. */
function valuesFor(
  input: InferenceSession.ValueMetadata,
  batch: Batch,
): readonly [readonly number[], readonly number[]] {
  const shape = [batch.rows, batch.length];
  switch (input.name) {
    case "input_ids":
      return [batch.ids, shape];
    case "attention_mask":
      return [batch.mask, shape];
    case "token_type_ids":
      return [batch.types, shape];
    case "position_ids":
      return [batch.positions, shape];
    case lastOnly:
      return [[1], input.isTensor ? input.shape.map(() => 1) : []];
  }
  if (input.isTensor && input.name.startsWith("past_key_values"))
    return [[], input.shape.map((size, i) => (i === 0 ? batch.rows : typeof size === "number" ? size : 0))];
  throw new Error(`the graph asks for an input that is unknown here: ${input.name}`);
}

function toTensor(
  New: TensorConstructor,
  input: InferenceSession.ValueMetadata,
  values: readonly number[],
  shape: readonly number[],
): Tensor {
  switch (input.isTensor ? input.type : undefined) {
    case "int64":
      return new New("int64", BigInt64Array.from(values, BigInt), shape);
    case "int32":
      return new New("int32", Int32Array.from(values), shape);
    case "float32":
      return new New("float32", Float32Array.from(values), shape);
    case "float16":
      return new New("float16", Uint16Array.from(values), shape);
  }
  throw new Error(`the graph wants ${input.name} in a form that is unknown here`);
}

function toFloat32({ type, data }: Tensor): Float32Array {
  if (data instanceof Float32Array) return data;
  if (type === "float16" && ArrayBuffer.isView(data))
    return Float32Array.from(new Float16Array(data.buffer, data.byteOffset, data.byteLength / 2));
  throw new Error(`the graph gives numbers of type ${type}`);
}
