import { availableParallelism } from "node:os";
import { messageOf } from "../errors.ts";
import { candidates } from "./device.ts";
import { type Embedded, openEmbedder } from "./embed.ts";
import { type EmbedOptions, planEmbedding } from "./plan.ts";
import { placeRuntime } from "./session.ts";

export type ToWorker =
  | { readonly options: EmbedOptions }
  | { readonly index: number; readonly text: string; readonly as: "passage" | "query" }
  | { readonly end: true };
export type FromWorker = { readonly ready: true } | { readonly broken: string } | { readonly ended: true } | Embedded;

export type PoolOptions = {
  /** Threads, each with a model of its own (about 45 MB more each); a core each when unset. */
  readonly workers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told in one line when threads could not be had and the work goes on without them. */
  readonly onNote?: ((line: string) => void) | undefined;
};

/** For fewer texts than this a second model is not worth its loading. */
const worthwhile = 16;

/**
 * Embeds many passages on all cores, one single-threaded model a thread, and frees them when it ends. Yields each text's
 * result once, in the order in which they are made; the same vectors as `openEmbedder` gives, whatever the number of threads.
 *
 * A thread that dies takes the text it was at with it (its failure says so); the others, or this thread, do the rest.
 *
 * @throws GestaltError as `openEmbedder` does; the signal's reason when it is aborted
 */
export async function* embedInParallel(
  options: EmbedOptions,
  texts: readonly string[],
  { workers = availableParallelism(), signal, onNote }: PoolOptions = {},
): AsyncGenerator<Embedded> {
  // Refuses bad options here, before any thread is made.
  const local = openEmbedder(options);
  const done = new Set<number>();
  try {
    const { dtype, files } = planEmbedding(options);
    const onCpu = candidates(options.device ?? "auto", dtype)[0] === "cpu";
    if (onCpu && workers > 1 && texts.length >= worthwhile) {
      // Here, once: threads that unpack them at the same time would each have them in memory.
      files.graph();
      placeRuntime();
      for await (const made of shareOut(
        { ...options, threads: 1 },
        texts,
        Math.min(workers, texts.length),
        signal,
        onNote,
      )) {
        done.add(made.index);
        yield made;
      }
    }
    const left = texts.map((_, index) => index).filter((index) => !done.has(index));
    for await (const made of local.embedPassages(
      left.map((index) => texts[index] ?? ""),
      { signal },
    ))
      yield { ...made, index: left[made.index] ?? 0 };
  } finally {
    await local.close();
  }
}

/** The threads' part. Ends early, with texts left over, when no thread is left. */
async function* shareOut(
  options: EmbedOptions,
  texts: readonly string[],
  count: number,
  signal: AbortSignal | undefined,
  onNote: ((line: string) => void) | undefined,
): AsyncGenerator<Embedded> {
  const made: Embedded[] = [];
  const waiting = texts.keys();
  let alive = count;
  let wake: () => void = () => {};
  const threads = Array.from({ length: count }, () => {
    let at: number | undefined;
    const thread = start(options, {
      onFree(result) {
        if (result !== undefined) made.push(result);
        at = waiting.next().value;
        if (at !== undefined) thread.post({ index: at, text: texts[at] ?? "", as: "passage" });
        wake();
      },
      onStop(reason) {
        alive--;
        if (at !== undefined) made.push({ index: at, failure: `the thread that embedded it stopped: ${reason}` });
        onNote?.(`an embedding thread stopped: ${reason}`);
        wake();
      },
    });
    return thread;
  });

  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  try {
    let given = 0;
    while (given < texts.length) {
      signal?.throwIfAborted();
      const ready = made.shift();
      if (ready !== undefined) {
        given++;
        yield ready;
      } else if (alive === 0) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await Promise.all(threads.map((thread) => thread.end()));
  }
}

/** A thread with a model. What is posted waits in it. */
export type Thread = {
  post(message: ToWorker): void;
  /** Lets the thread finish the text it is at, and ends it. Ending it inside ONNX Runtime would end the process. */
  end(): Promise<void>;
};

export type Listener = {
  /** It can take a text; with the result of the last one. */
  onFree(result: Embedded | undefined): void;
  /** It is gone, or never came to be. Told once, and not of an end that was asked for. */
  onStop(reason: string): void;
};

/** Starts a thread, and its model in it. */
export function start(options: EmbedOptions, { onFree, onStop }: Listener): Thread {
  const gone = Promise.withResolvers<void>();
  let running = true;
  let ending = false;
  const stop = (reason: string): void => {
    if (!running) return;
    running = false;
    gone.resolve();
    if (!ending) onStop(reason);
  };
  try {
    const worker = new Worker(workerUrl());
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ("broken" in data || "ended" in data) {
        worker.terminate();
        stop("broken" in data ? data.broken : "it ended");
      } else if (!ending) onFree("ready" in data ? undefined : data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      stop(event.message);
    };
    worker.addEventListener("close", () => stop("it ended"));
    worker.postMessage({ options } satisfies ToWorker);
    return {
      post: (message) => worker.postMessage(message),
      end() {
        ending = true;
        if (running) worker.postMessage({ end: true } satisfies ToWorker);
        return gone.promise;
      },
    };
  } catch (error) {
    queueMicrotask(() => stop(messageOf(error)));
    return { post: () => {}, end: () => gone.promise };
  }
}

/** In the executable all modules are one file at the root, and the worker keeps its place below it. */
const workerUrl = (): URL =>
  new URL(import.meta.url.endsWith("/pool.ts") ? "./embed-worker.ts" : "./models/embed-worker.ts", import.meta.url);
