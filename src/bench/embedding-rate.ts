import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GestaltError } from "../errors.ts";
import { drawIndex, pythonRandom } from "./random.ts";

/** How fast passages get their vectors: whole runs of `gestalt index` on notes whose words are indexed already. */
export type EmbeddingRate = {
  /** Passages in each run. */
  readonly passages: number;
  /** Tokens that a passage costs the built-in model, the two around it included. */
  readonly tokens: number;
  readonly command: string;
  /** One for each run: passages a second from the start of the vectors to their end, the model's loading included. */
  readonly perSecond: readonly number[];
  /** Processor time of the whole process for each passage, what it does once included. The least of the runs. */
  readonly cpuMs: number;
  /** The most memory that one of the runs held. */
  readonly peakBytes: number;
};

/** Words that the built-in model reads as one token each. */
const words =
  "time year people way day man thing woman life child world school state family student group country problem hand part place case week company system program question work government number night point home water room mother area money story fact month lot right study book eye job word business issue side kind head house service friend father power hour game line end member law car city community name president team minute idea kid body information back parent face level office door health person art war history party result change morning reason research girl guy moment air teacher force education".split(
    " ",
  );
/** A note of one passage that costs `tokens` tokens: two around it, two of the title, a full stop, the rest words. */
export function noteOf(tokens: number, draw: () => number): string {
  const word = () => words[drawIndex(draw, words.length)] ?? "";
  return `# Note ${word()}\n\n${Array.from({ length: tokens - 5 }, word).join(" ")}.\n`;
}

/**
 * Measures how many passages a second the program embeds on all cores, the way `gestalt index` does.
 *
 * @throws GestaltError("not-found") when there is no such program, "bad-dataset" when it fails or embeds too few
 */
export function measureEmbedding(options: {
  readonly executable: string;
  readonly passages: number;
  readonly tokens: number;
  readonly runs: number;
  readonly onProgress?: ((what: string) => void) | undefined;
}): EmbeddingRate {
  const { executable, passages, tokens, runs, onProgress } = options;
  if (!existsSync(executable)) throw new GestaltError("not-found", `there is no ${executable}`, "bun run build");
  const folder = mkdtempSync(join(tmpdir(), "gestalt-rate-"));
  const [vault, index] = [join(folder, "notes"), join(folder, "index")];
  try {
    mkdirSync(vault);
    const draw = pythonRandom(passages);
    for (let i = 0; i < passages; i++) writeFileSync(join(vault, `note-${i}.md`), noteOf(tokens, draw));
    const argv = ["index", "--json", "--vault", vault, "--search-dir", index];
    const made = Array.from({ length: runs }, (_, run) => {
      onProgress?.(`${passages} passages of ${tokens} tokens, run ${run + 1} of ${runs}`);
      rmSync(index, { recursive: true, force: true });
      indexed(executable, [...argv, "--lexical"]);
      return indexed(executable, argv);
    });
    const short = made.find(({ embedded }) => embedded !== passages);
    if (short !== undefined)
      throw new GestaltError("bad-dataset", `${short.embedded} of ${passages} passages got a vector`, "gestalt doctor");
    return {
      passages,
      tokens,
      command: "gestalt index --vault DIR --search-dir DIR",
      perSecond: made.map(({ embedded, seconds }) => embedded / seconds),
      cpuMs: Math.min(...made.map(({ cpuMs }) => cpuMs)) / passages,
      peakBytes: Math.max(...made.map((run) => run.peakBytes)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function indexed(executable: string, argv: readonly string[]) {
  const { exitCode, stdout, stderr, resourceUsage } = Bun.spawnSync([executable, ...argv], {
    stdout: "pipe",
    stderr: "pipe",
  });
  if (exitCode !== 0)
    throw new GestaltError("bad-dataset", `gestalt index: exit ${exitCode}: ${stderr}`, `${executable} doctor`);
  const report: { embedded: number; seconds: number; measuring: number } = JSON.parse(stdout.toString());
  const seconds = report.seconds - report.measuring;
  return {
    embedded: report.embedded,
    seconds,
    cpuMs: Number(resourceUsage.cpuTime.total) / 1000,
    peakBytes: resourceUsage.maxRSS,
  };
}
