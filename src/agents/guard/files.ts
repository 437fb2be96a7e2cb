import { posix } from "node:path";
import { type Ground, isWithin, placeOf } from "./places.ts";
import { ask, deny, type Verdict } from "./verdict.ts";

const keyMaterial =
  /\.(pem|key|p12|pfx|ppk|jks|keystore|kdbx)$|\.secret\.enc\.|^id_(rsa|dsa|ecdsa|ed25519)(_sk)?$|^(\.netrc|_netrc|\.npmrc|\.pypirc|\.pgpass|\.htpasswd|\.git-credentials)$|^(credentials|secrets?)\.(json|ya?ml|toml)$|^service[-_]account.*\.json$/i;
const keyPath = /(^|\/)\.(aws\/(credentials|config)|kube\/config|docker\/config\.json|ssh\/[^/]+|gnupg\/.+)$/;
const environment = /^\.env(rc)?(\.[\w.-]+)?$/i;
const sample = /\.(example|sample|template|test|dist|defaults?)$/i;
const publicKey = /\.pub$|^(known_hosts|authorized_keys2?)(\.old)?$/;

/** Files that decide what an agent may do: its settings and hooks, and this guard's own rules. */
const reins = [
  /(^|\/)\.claude\/(settings(\.local)?\.json|hooks\/[^/]+)$/,
  /(^|\/)\.claude\.json$/,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.cursor\/(hooks|mcp|cli-config|permissions)\.json$/,
  /(^|\/)\.codex\/(config\.toml|hooks\.json)$/,
  /(^|\/)\.gemini\/settings\.json$/,
  /(^|\/)\.vscode\/mcp\.json$/,
  /(^|\/)\.git\/(hooks\/[^/]+|config)$/,
  /(^|\/)gestalt\/guard\.ya?ml$/,
];

/** The same files in a folder of an agent's settings that is not called as usual. */
const reinNames = /^(settings(\.local)?\.json|hooks\/[^/]+|\.claude\.json|config\.toml|hooks\.json)$/;

const devices = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|md\d|dm-|loop\d|nbd)/;
const shellStart = /^\.(bashrc|bash_profile|bash_login|zshrc|zshenv|zprofile|zlogin|profile|config\/fish\/.+\.fish)$/;
/** Files of a home folder that start programs, or say who may come in. */
const entrances =
  /^(\.ssh\/(authorized_keys2?|rc)|\.gitconfig|\.config\/(git\/config|autostart\/.+|systemd\/user\/.+)|Library\/LaunchAgents\/.+)$/;

/** What stands against writing a file, by an editor's tool or from a shell; undefined when nothing does. */
export function judgeWrite(written: string, ground: Ground): Verdict | undefined {
  if (devices.test(written)) return deny("device", `${written} is a disk: writing to it destroys what is on it`);
  const path = posix.normalize(
    written.startsWith("/") || /^[A-Za-z]:/.test(written) ? written.replaceAll("\\", "/") : `${ground.cwd}/${written}`,
  );
  if (path.startsWith("/dev/") || /^\/(tmp|var\/tmp|private\/tmp)\//.test(path)) return undefined;
  const name = posix.basename(path);
  const within = ground.settings.filter((folder) => isWithin(path, folder));
  if (reins.some((rein) => rein.test(path)) || within.some((folder) => reinNames.test(path.slice(folder.length + 1))))
    return ask("settings", `${written} decides what an agent may do; the person should see the change`);
  const own = isWithin(path, ground.home) ? path.slice(ground.home.length + 1) : "";
  if (entrances.test(own)) return ask("settings", `${written} lets somebody in, or starts programs by itself`);
  if (!publicKey.test(name) && (keyMaterial.test(name) || keyPath.test(path)))
    return deny("secrets", `${written} holds keys or passwords`);
  if (environment.test(name) && !sample.test(name))
    return deny("secrets", `${written} holds passwords of an environment`);
  if (shellStart.test(own)) return ask("settings", `${written} is run by every new shell`);
  if (placeOf(path, ground) === "system") return ask("system", `${written} belongs to the system`);
  return undefined;
}
