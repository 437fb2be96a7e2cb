import { cpus, totalmem } from "node:os";
import { version } from "../../package.json";

/** Where a number was measured: enough to know what it may be compared with, and nothing that tells whose machine it is. */
export type Machine = {
  readonly gestalt: string;
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly bun: string;
};

export function machine(): Machine {
  const processors = cpus();
  return {
    gestalt: version,
    system: `${process.platform} ${process.arch}`,
    processor: processors[0]?.model.trim() ?? "unknown",
    cores: processors.length,
    memoryBytes: totalmem(),
    bun: Bun.version,
  };
}
