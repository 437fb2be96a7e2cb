/** A native library, and the files that must stand beside it. */
export type NativeName = "sqlite-vec" | "onnxruntime";

/** `from` is the file inside the executable, compressed by Zstandard; `size` (in bytes) and `sha256` (in hex) are those of the file itself. */
export type NativeFile = {
  readonly name: string;
  readonly from: string;
  readonly size: number;
  readonly sha256: string;
};

/** The files of one library. `hash` names the whole set; `files[0]` is the one to load. */
export type NativeSet = { readonly hash: string; readonly files: readonly [NativeFile, ...NativeFile[]] };

export type Embedded = { readonly [Name in NativeName]?: NativeSet };

/** What the executable carries. `build.ts` puts the target's files in the place of this module; run from source there are none. */
export const embedded: Embedded | undefined = undefined;
