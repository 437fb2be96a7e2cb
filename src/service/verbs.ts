import type { Engine } from "../engine/open.ts";
import type { Verb, Verbs } from "./protocol.ts";

type Answering = { readonly [V in Verb]: (engine: Engine, given: readonly unknown[]) => Promise<Verbs[V]["answer"]> };

/** What each verb does with an engine. The client of the same build has typed what is given. */
export const verbs: Answering = {
  async search(engine, given) {
    const [query, options] = given as Verbs["search"]["given"];
    return await engine.search(query, options);
  },
  async recall(engine, given) {
    const [prompt, options] = given as Verbs["recall"]["given"];
    return (await engine.recall(prompt, options)) ?? null;
  },
  async likeness(engine, given) {
    const [question, texts] = given as Verbs["likeness"]["given"];
    return (await engine.likeness(question, texts)) ?? null;
  },
  async attach(engine) {
    // A first question loads the model and builds the index, before anybody waits for it.
    await engine.search("a first question", { limit: 1, mode: "auto" });
    return true;
  },
};
