import { hasAny, type Options, optionsOf } from "./options.ts";
import { ask, deny, gravest, type Verdict } from "./verdict.ts";

const production = /(^|[-_./:=])(prod|production|live)([-_./:]|$)/i;
const valued = new Set([
  "n",
  "namespace",
  "context",
  "f",
  "filename",
  "l",
  "selector",
  "cluster",
  "p",
  "profile",
  "project",
  "region",
]);

type Rule = (words: readonly string[], options: Options, args: readonly string[]) => Verdict | undefined;

const says = (args: readonly string[]): boolean => args.some((arg) => production.test(arg));
const when = (condition: boolean, reason: string): Verdict | undefined =>
  condition ? ask("deploy", reason) : undefined;

const terraform: Rule = ([first, ...rest], options) => {
  // `terragrunt run-all destroy`
  const [verb, second] = first === "run-all" || first === "run" ? rest : [first, ...rest];
  if (verb === "destroy" || (verb === "apply" && hasAny(options, "destroy")))
    return deny("deploy", "destroys infrastructure");
  return when(
    verb === "apply" || (verb === "state" && ["rm", "push"].includes(second ?? "")) || verb === "force-unlock",
    `${verb} changes infrastructure`,
  );
};
const destroyer: Rule = ([verb]) =>
  verb === "destroy" || verb === "remove" ? deny("deploy", "destroys infrastructure") : undefined;
const docker: Rule = ([first, second], options) =>
  when(
    (["system", "volume", "image", "container", "builder", "network"].includes(first ?? "") && second === "prune") ||
      (first === "rm" && hasAny(options, "v", "volumes")) ||
      (first === "volume" && ["rm", "remove"].includes(second ?? "")) ||
      (first === "compose" && second === "down" && hasAny(options, "v", "volumes")) ||
      (first === "down" && hasAny(options, "v", "volumes")),
    "removes containers' data that cannot be had back",
  );
const publish: Rule = ([verb], options) =>
  when(
    (verb === "publish" && !hasAny(options, "dry-run")) || verb === "unpublish" || verb === "yank",
    `${verb} is seen by everybody and cannot be taken back`,
  );
const runner: Rule = ([target], _, args) =>
  when(
    /^(deploy|migrate|secrets|destroy|release|publish)\b/.test(target ?? "") || (says(args) && target !== undefined),
    `runs ${target}`,
  );
const cloud: Rule = (words, options) =>
  gravest([
    when(
      words.some((word) => /^(delete|terminate|remove|destroy|purge|deregister|drop)(-|$)/.test(word)),
      `${words.slice(0, 3).join(" ")} deletes in the cloud`,
    ),
    when(
      words[0] === "s3" && ((words[1] === "rm" && hasAny(options, "recursive")) || words[1] === "rb"),
      "deletes objects in the cloud",
    ),
    when(words[0] === "s3" && words[1] === "sync" && hasAny(options, "delete"), "deletes objects in the cloud"),
  ]);

/** By program. */
const rules: Readonly<Record<string, Rule>> = {
  kubectl([verb], options, args) {
    if (hasAny(options, "dry-run")) return undefined;
    if (verb === "delete")
      return says(args) ? deny("deploy", "deletes in production") : ask("deploy", "deletes in a cluster");
    const none = options.values.get("replicas") === "0";
    return gravest([
      when(verb === "scale" && none, "scales to nothing"),
      when(verb === "drain" || verb === "replace", `kubectl ${verb} stops what runs`),
      when(
        ["apply", "rollout", "patch", "edit", "scale", "set"].includes(verb ?? "") && says(args),
        "changes production",
      ),
    ]);
  },
  helm: ([verb], _, args) =>
    when(
      ["uninstall", "delete", "rollback"].includes(verb ?? "") ||
        (says(args) && ["upgrade", "install"].includes(verb ?? "")),
      `helm ${verb} changes a cluster`,
    ),
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  cdk: destroyer,
  sst: destroyer,
  vagrant: ([verb]) => when(verb === "destroy", "destroys a virtual machine"),
  pulumi: (words, options, args) =>
    destroyer(words, options, args) ??
    when(words[0] === "up" || (words[0] === "stack" && words[1] === "rm"), "changes infrastructure"),
  serverless: ([verb]) => when(verb === "remove", "removes what is deployed"),
  docker,
  podman: docker,
  "docker-compose": docker,
  supabase: ([first, second], options) =>
    when(
      (first === "db" && ["push", "reset"].includes(second ?? "")) ||
        (first === "migration" && !["new", "list"].includes(second ?? "")) ||
        (first === "projects" && second === "delete") ||
        hasAny(options, "linked"),
      "changes a database",
    ),
  task: runner,
  aws: cloud,
  gcloud: cloud,
  az: cloud,
  doctl: cloud,
  eksctl: cloud,
  wrangler: cloud,
  vercel: cloud,
  gsutil: ([verb], options) =>
    when(["rm", "rb"].includes(verb ?? "") || hasAny(options, "d"), "deletes objects in the cloud"),
  gh: ([what, verb], _, args) =>
    gravest([
      what === "repo" && verb === "delete" ? deny("deploy", "deletes a repository") : undefined,
      when(
        ["release", "secret", "variable", "workflow", "run", "cache", "gist"].includes(what ?? "") && verb === "delete",
        `deletes a ${what}`,
      ),
      when(
        what === "api" && args.some((arg, i) => /^(-X|--method=?)?DELETE$/i.test(arg) && (i > 0 || /^-/.test(arg))),
        "deletes through the API",
      ),
    ]),
  npm: publish,
  pnpm: publish,
  yarn: ([first, second]) =>
    when(first === "publish" || (first === "npm" && second === "publish"), "publishing cannot be taken back"),
  bun: publish,
  cargo: publish,
  gem: ([verb]) => when(verb === "push" || verb === "yank", "publishing cannot be taken back"),
  twine: ([verb]) => when(verb === "upload", "publishing cannot be taken back"),
  heroku: (words) =>
    when(
      words.some((word) => /^(pg:reset|apps:destroy|pg:promote)$/.test(word)),
      "changes production",
    ),
  flyctl: (words) => when(words.includes("destroy"), "destroys an application"),
  prisma: ([first, second], options) =>
    when(
      (first === "migrate" && second === "reset") || hasAny(options, "force-reset", "accept-data-loss"),
      "empties a database",
    ),
  rails: (words) =>
    when(
      words.some((word) => /^db:(drop|reset|purge)/.test(word)),
      "empties a database",
    ),
  rake: (words) =>
    when(
      words.some((word) => /^db:(drop|reset|purge)/.test(word)),
      "empties a database",
    ),
  artisan: (words) =>
    when(
      words.some((word) => /^migrate:(fresh|reset)|^db:wipe/.test(word)),
      "empties a database",
    ),
  dropdb: ([name]) => when(name !== undefined, "drops a whole database"),
  dropuser: ([name]) => when(name !== undefined, "drops a database's user"),
  mysqladmin: (words) => when(words.includes("drop"), "drops a whole database"),
  "redis-cli": (words) =>
    when(
      words.some((word) => /^flush(all|db)$/i.test(word)),
      "empties a database",
    ),
};

/** What stands against a program that changes something others rely on. */
export function judgeDeploy(program: string, args: readonly string[]): Verdict | undefined {
  const options = optionsOf(args, valued);
  return Object.hasOwn(rules, program) ? rules[program]?.(options.words, options, args) : undefined;
}
