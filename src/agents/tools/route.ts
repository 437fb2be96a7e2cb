import { route as routed } from "../../engine/route.ts";
import { clientFolders, homeDir } from "../../settings.ts";
import { findSkills } from "../skills.ts";
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
      description: "without effect",
    },
  },
  synonyms: { query: "request" },
  output: { type: "object", required: ["skills"] },
  async run({ request, limit }, { cwd }) {
    const files = findSkills(cwd, homeDir(), clientFolders().claude);
    return { skills: routed(files, request, limit), of: files.length };
  },
});
