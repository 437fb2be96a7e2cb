import { hasAny, type Options } from "./options.ts";
import { ask, deny, type Verdict } from "./verdict.ts";

const none: ReadonlySet<string> = new Set();

/** Programs that write to a disk as a whole, when they are given one. */
export const format = (options: Options): Verdict | undefined =>
  options.words.length > 0 && !hasAny(options, "l", "list", "n", "no-act")
    ? deny("device", "overwrites a disk")
    : undefined;

const destroys =
  (verbs: RegExp) =>
  ({ words }: Options): Verdict | undefined =>
    verbs.test(words[0] ?? "") ? deny("device", "destroys a disk, or what is on it") : undefined;

/** What stands against programs for disks and volumes, by program. */
export const disks: Readonly<
  Record<string, readonly [(options: Options) => Verdict | undefined, ReadonlySet<string>]>
> = {
  wipefs: [format, none],
  mke2fs: [format, none],
  mkswap: [format, none],
  fdisk: [format, none],
  sfdisk: [format, none],
  sgdisk: [format, none],
  blkdiscard: [format, none],
  lvremove: [format, none],
  vgremove: [format, none],
  pvremove: [format, none],
  parted: [
    ({ words }) => (words.length > 1 && words[1] !== "print" ? deny("device", "changes a disk") : undefined),
    none,
  ],
  cryptsetup: [destroys(/^luks(Format|Erase)$/), none],
  zpool: [destroys(/^(destroy|labelclear)$/), none],
  zfs: [destroys(/^destroy$/), none],
  nvme: [destroys(/^(format|sanitize|write-zeroes)$/), none],
  btrfs: [
    ({ words: [what, verb] }) =>
      what === "subvolume" && verb === "delete"
        ? ask("device", "deletes a subvolume with all that is in it")
        : undefined,
    none,
  ],
  diskutil: [
    ({ words }) =>
      /^(erase|reformat|partition|zeroDisk|secureErase)/i.test(words[0] ?? "") || words.includes("deleteContainer")
        ? deny("device", "overwrites a disk")
        : undefined,
    none,
  ],
};
