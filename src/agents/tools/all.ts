import { graph } from "./graph.ts";
import { inboxAdd } from "./inbox-add.ts";
import { manifest } from "./manifest.ts";
import { read } from "./read.ts";
import { route } from "./route.ts";
import { search, searchFts } from "./search.ts";
import type { Tool } from "./tool.ts";

/** Every tool an agent may call, in the order in which they are listed. Add a line here. */
export const tools: readonly Tool[] = [search, read, manifest, graph, route, inboxAdd, searchFts];
