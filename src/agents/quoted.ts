/** A word as a shell of the POSIX kind reads it back, whatever stands in it. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
