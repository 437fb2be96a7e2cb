/**
 * What removal must know besides the file's text: what installing made that was not there before. Paths are keys from the
 * root. `interiors` holds what stood between the brackets of a container that was empty; `lead` what was put before a block
 * that was appended, `made` whether the file's top-level value is ours too.
 */
export type Addition = {
  readonly created: readonly (readonly string[])[];
  readonly interiors: readonly { readonly path: readonly string[]; readonly text: string }[];
  readonly lead: string;
  readonly made: boolean;
};

export const noAddition: Addition = { created: [], interiors: [], lead: "", made: false };

/** The same path, key by key. */
export const samePath = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean =>
  a.length === b.length && a.every((key, i) => key === b[i]);

/**
 * Puts entries into a kind of file and takes them out. Each may throw GestaltError "usage" when the text is not well formed,
 * or holds something else under our name; the text is then left as it is.
 */
export type Editor = {
  /** Every entry is there, as it should be. */
  readonly has: (text: string) => boolean;
  readonly add: (text: string) => { readonly text: string; readonly addition: Addition };
  /** Takes out every entry of ours, also those of another version; changes nothing else. */
  readonly remove: (text: string, addition: Addition | undefined) => string;
};
