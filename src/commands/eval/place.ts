import type { Place } from "../../engine/place.ts";

/** Where the questions to these notes are kept when nobody says otherwise: beside the index, outside the notes. */
export const goldenOf = ({ db }: Place): string => `${db.replace(/\.db$/, "")}.golden.jsonl`;
