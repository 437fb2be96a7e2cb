import { type Engine, withEngine } from "../engine/open.ts";
import { type SharedModels, sharedModels } from "../engine/shared-models.ts";
import type { At } from "./protocol.ts";

/** Engines that stay open, one for each set of notes and settings, over one model. */
export type Engines = {
  readonly models: Pick<SharedModels, "loaded" | "drop">;
  open(at: At): Promise<Engine>;
  all(): readonly { readonly at: At; readonly engine: Engine }[];
  close(): Promise<void>;
};

type Opened = { readonly at: At; readonly engine: Engine; close(): Promise<void> };

/** Sets of notes kept open; of more the one not asked for longest is closed. */
const most = 8;

export function openEngines(): Engines {
  const models = sharedModels();
  const kept = new Map<string, Promise<Opened>>();
  const settled = new Map<string, Opened>();
  const forget = async (key: string): Promise<void> => {
    const engine = await kept.get(key)?.catch(() => undefined);
    kept.delete(key);
    settled.delete(key);
    await engine?.close();
  };
  return {
    models,
    async open(at) {
      const key = keyOf(at);
      const opening = kept.get(key) ?? lasting(at, models);
      // Put at the end: the first is the one not asked for longest.
      kept.delete(key);
      kept.set(key, opening);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) void forget(oldest);
      try {
        const opened = await opening;
        settled.set(key, opened);
        return opened.engine;
      } catch (error) {
        kept.delete(key);
        throw error;
      }
    },
    all: () => [...settled.values()],
    async close() {
      await Promise.all([...kept.keys()].map(forget));
      await models.drop();
    },
  };
}

/**
 * The same for all who want the same, in whatever order they name it, whether or not they name what is not set, and however they came
 * upon the notes: a second engine costs what the first did.
 */
const keyOf = ({ place: { why: _, ...place }, settings }: At): string => JSON.stringify([place, settings].map(sorted));

const sorted = (of: object): unknown =>
  Object.entries(of)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** An engine that is lent until it is closed. */
function lasting(at: At, models: SharedModels): Promise<Opened> {
  const { promise, resolve, reject } = Promise.withResolvers<Opened>();
  const end = Promise.withResolvers<void>();
  const ended = withEngine({ ...at, watch: true, models }, async (engine) => {
    resolve({
      at,
      engine,
      async close() {
        end.resolve();
        await ended;
      },
    });
    await end.promise;
  });
  ended.catch(reject);
  return promise;
}
