import { clientFolders, homeDir } from "../../settings.ts";
import { tool } from "./tool.ts";

export const route = tool({
  name: "gestalt_route",
  title: "Find a skill",
  description:
    "Which skills (SKILL.md of the project, the user and plugins) may fit a request. A weak hint: read the skill before you " +
    "rely on it.",
  args: {
    request: { kind: "text", required: true, description: "what is to be done" },
    limit: { kind: "integer", range: [1, 20], fallback: 5, description: "" },
    semantic: {
      kind: "boolean",
      unlisted: true,
      description: "false: words alone",
    },
  },
  synonyms: { query: "request" },
  output: { type: "object", required: ["skills"] },
  async run({ request, limit, semantic = true }, { engine, cwd }) {
    // Loaded late: a server that starts is waited for.
    const [{ route }, { findSkills }] = await Promise.all([import("../../engine/route.ts"), import("../skills.ts")]);
    const files = findSkills(cwd, homeDir(), clientFolders().claude);
    const { skills, mode } = await route(files, request, limit, semantic ? engine.likeness : undefined);
    return { skills, of: files.length, mode };
  },
});
