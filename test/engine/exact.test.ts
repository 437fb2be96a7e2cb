import { expect, test } from "bun:test";
import { openVault, talk } from "./vault.ts";

/** What people search for word for word, by kind; each stands in one note alone. */
const things = {
  identifier: [
    "retryDelay",
    "parseFrontMatter",
    "HTTPServer2",
    "max_open_files",
    "UserSessionStore",
    "__init_subclass__",
  ],
  "error code": ["ERR_TOO_MANY_REQUESTS", "E0308", "SQLITE_BUSY", "0x80070005", "ORA-01555", "TS2345"],
  "file name": ["backoff.ts", "docker-compose.yml", "nginx.conf", "go.sum", ".env.local", "Makefile.am"],
  path: [
    "src/queue/backoff.ts",
    "/etc/resolv.conf",
    "~/.ssh/config",
    "lib/net/http.rb",
    "C:\\Users\\me",
    "cmd/serve/main.go",
  ],
  flag: ["--dry-run", "--no-verify", "-Xmx512m", "--max-old-space-size", "GOMAXPROCS=4", "LC_ALL=C"],
  version: ["v2.14.1", "3.11.0rc2", "ES2022", "RFC7807", "Python3.12", "utf8mb4"],
  ticket: ["OPS-1234", "DEC-0054", "GH-99", "CVE-2021-44228", "INC-2026-05", "PR-77"],
  symbol: ["C++", "C#", ".NET", "F#", "user@example.com", "std::vector"],
} as const;

const all = Object.entries(things).flatMap(([kind, names]) => names.map((name) => ({ kind, name })));
const notes: Record<string, string> = {};
for (const [i, { kind, name }] of all.entries()) {
  const [first, second] = [talk[i % talk.length], talk[(i + 1) % talk.length]];
  notes[`${kind.replace(" ", "-")}/note-${i}.md`] =
    `# Remarks ${i}\n\n## Details\n\n${first} Here it was ${name} that mattered. ${second}\n`;
  notes[`talk/note-${i}.md`] = `# Thoughts ${i}\n\n${second} ${first} The ${kind} was not the point.\n`;
}

/** Alone, and in a sentence whose other words stand in many notes. */
const questions = all.flatMap(({ kind, name }, i) => [
  { ask: name, name, path: `${kind.replace(" ", "-")}/note-${i}.md` },
  { ask: `what was it about ${name} when the service failed?`, name, path: `${kind.replace(" ", "-")}/note-${i}.md` },
]);
/** Quoted words, in an order that only one note has. */
const phrases = [0, 7, 14, 21].map((i) => ({
  ask: `"it was ${all[i]?.name}"`,
  name: all[i]?.name ?? "",
  path: `${all[i]?.kind.replace(" ", "-")}/note-${i}.md`,
}));

test("an exact thing that stands in the notes is in the first three, whatever meaning thinks: 100 questions", async () => {
  const vault = openVault(notes);
  expect(questions.length + phrases.length).toBe(100);
  await vault.open(async (engine) => {
    await engine.index();
    const missed: string[] = [];
    for (const { ask, path } of [...questions, ...phrases]) {
      const { hits, mode } = await engine.search(ask, { limit: 3, mode: "hybrid" });
      expect(mode).toBe("hybrid");
      if (!hits.some((hit) => hit.path === path)) missed.push(`${ask} → ${hits.map((hit) => hit.path).join(" ")}`);
    }
    expect(missed).toEqual([]);
  });
}, 120_000);
