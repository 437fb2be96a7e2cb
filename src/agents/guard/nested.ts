import { type Inner, type Wrapper, wrapped } from "./unwrap.ts";

/** Programs that start what stands behind one of their sub-commands. */
const runners: Readonly<Record<string, RegExp>> = {
  npm: /^(exec|x)$/,
  pnpm: /^(dlx|exec)$/,
  yarn: /^(dlx|exec)$/,
  bun: /^x$/,
  uv: /^(run|tool)$/,
  pipx: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  bundle: /^exec$/,
  mise: /^(exec|x)$/,
  op: /^run$/,
  doppler: /^run$/,
  kubectl: /^exec$/,
  oc: /^exec$/,
  docker: /^(exec|run)$/,
  podman: /^(exec|run)$/,
  nerdctl: /^(exec|run)$/,
  "docker-compose": /^(exec|run)$/,
};
const container: Wrapper = {
  valued:
    "e env env-file u user w workdir detach-keys v volume mount name p publish network net entrypoint index c n namespace",
  skip: 1,
};

/** What stands behind a sub-command: `pnpm dlx`, `docker exec`, `kubectl exec … --`; and in options that start a program. */
export function nested(program: string, args: readonly string[], cwd: string): readonly Inner[] {
  const scripts = scriptsIn(program, args).map((text): Inner => ({ kind: "script", text, positional: [] }));
  const verb = Object.hasOwn(runners, program) ? runners[program] : undefined;
  const at = verb === undefined ? -1 : args.findIndex((word) => verb.test(word));
  if (at < 0) return scripts;
  const rest = args.slice(at + 1);
  const end = rest.indexOf("--");
  if (end >= 0) return [{ kind: "command", argv: rest.slice(end + 1), cwd }];
  if (program === "kubectl" || program === "oc") return [];
  if (!/^(docker|podman|nerdctl)/.test(program)) return [...wrapped(program, { valued: "p package" }, rest, cwd)];
  // In a container of its own nothing is lost, unless a folder of this machine is in it.
  if (args[at] === "run" && !rest.some((word) => /^(-v|--volume|--mount)/.test(word))) return [];
  return [...wrapped(program, container, rest, cwd)];
}

/** Scripts that programs take in an option: `vim -c '!…'`, `tar --to-command`, `ssh -o ProxyCommand`, `rsync -e`. */
function scriptsIn(program: string, args: readonly string[]): readonly string[] {
  const after = (option: RegExp): readonly string[] => args.filter((_, i) => option.test(args[i - 1] ?? ""));
  const joined = args.flatMap(
    (word) => /^--(?:to-command|use-compress-program|rsh|checkpoint-action=exec)=(.*)$/s.exec(word)?.[1] ?? [],
  );
  if (/^(n?vim?|ex|view)$/.test(program))
    return [...after(/^(-c|--cmd)$/), ...args.filter((word) => word.startsWith("+"))].flatMap(
      (word) => /^\+?:?!(.*)$/s.exec(word)?.[1] ?? [],
    );
  if (/^(g|bsd)?tar$/.test(program)) return [...joined, ...after(/^(-I|--to-command|--use-compress-program)$/)];
  return program === "rsync" ? [...joined, ...after(/^(-e|--rsh)$/)] : [];
}
