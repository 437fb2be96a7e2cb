/** What kind of stop it was. The second group leaves nothing to work with: exit code 2. */
export type ErrorCode =
  | "usage"
  | "not-found"
  | "busy"
  | "bad-dataset"
  | "model-missing"
  | "download"
  | "no-vault"
  | "no-index"
  | "bad-index"
  | "newer-index"
  | "io";

const hopeless: ReadonlySet<ErrorCode> = new Set(["no-vault", "no-index", "bad-index", "newer-index", "io"]);

/** Why a run stopped, in words the caller can act on. Anything else that is thrown is a bug. */
export class GestaltError extends Error {
  override readonly name = "GestaltError";
  readonly code: ErrorCode;
  /** The next thing to type, or to read. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.hint = hint;
  }

  /** 1: failed or said no. 2: nothing could be done at all. */
  get exitCode(): 1 | 2 {
    return hopeless.has(this.code) ? 2 : 1;
  }
}

/** The words of whatever was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
