import { availableParallelism } from "node:os";
import { messageOf } from "../errors.ts";
import type { Dtype } from "./profile.ts";
import { openSession, type Provider, type Session } from "./session.ts";
import type { Encoding } from "./tokenizer.ts";

/** Where a model may be asked to run. */
export type Device = "auto" | Provider;

/** A loaded graph, and in one line why it is not on the device that was asked for. */
export type Placed = { readonly session: Session; readonly note: string | undefined };

/** The providers to try, in order. Small int8 graphs are made for the CPU: a GPU runs them slower or not at all. */
export function candidates(
  device: Device,
  dtype: Dtype,
  platform: NodeJS.Platform = process.platform,
): readonly Provider[] {
  if (device === "cpu" || (device === "auto" && dtype === "int8")) return ["cpu"];
  if (device !== "auto") return [device, "cpu"];
  if (platform === "darwin") return ["coreml", "webgpu", "cpu"];
  if (platform === "win32") return ["dml", "webgpu", "cpu"];
  return ["cuda", "webgpu", "cpu"];
}

/**
 * Loads a graph on the first device that answers `probe` with finite numbers, or on the CPU.
 *
 * @throws Error with the last reason when even the CPU does not
 */
export async function place(
  graph: string,
  {
    device,
    dtype,
    threads,
    output,
  }: { readonly device: Device; readonly dtype: Dtype; readonly threads: number; readonly output: string },
  probe: Encoding,
  open: typeof openSession = openSession,
): Promise<Placed> {
  const reasons: string[] = [];
  for (const provider of candidates(device, dtype)) {
    let session: Session | undefined;
    try {
      session = await open(graph, { provider, threads });
      // The CPU is not tested: it is the last resort, and a run costs a cold start its time.
      const answer = provider === "cpu" ? undefined : await session.run([probe], output);
      if (answer?.data.every(Number.isFinite) === false)
        throw new Error("its answer to a test input is not finite numbers");
      const wanted = device === "auto" ? undefined : reasons[0];
      return { session, note: wanted && `${wanted}; running on ${provider}` };
    } catch (error) {
      await session?.close();
      reasons.push(`${provider} cannot be used: ${reasonOf(error)}`);
    }
  }
  throw new Error(reasons.at(-1));
}

/** Threads for one text at a time: more than four gain nothing on inputs of this size. */
export const defaultThreads = (): number => Math.min(4, availableParallelism());

/** The same for an encoder with vectors of that width: the threads of a narrow one wait for each other longer than they work. */
export const encoderThreads = (width: number): number => (width < 512 ? 1 : defaultThreads());

/** The part of the runtime's words that is for people: not its source files and functions. */
function reasonOf(error: unknown): string {
  const [line = ""] = messageOf(error).split("\n", 1);
  return line.slice(Math.max(0, line.lastIndexOf("Failed to"))).slice(0, 200);
}
