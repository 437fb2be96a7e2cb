const day = 86_400_000;

/** How long ago a day was, in words. Both are `YYYY-MM-DD`; where one is of another time zone, tomorrow is today. */
export function ageOf(then: string, today: string): string {
  const days = Math.round((Date.parse(today) - Date.parse(then)) / day);
  if (Number.isNaN(days)) return "age unknown";
  if (days < -1) return "in the future";
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days < 60) return `${days} days ago`;
  if (days < 730) return `${Math.round(days / 30.44)} months ago`;
  return `${Math.round(days / 365.25)} years ago`;
}

/**
 * A moment's day, `YYYY-MM-DD`, in Greenwich, as the index counts a file's. The user's own costs a hook four megabytes and as many
 * milliseconds: the tables of all time zones are read for it.
 */
export const greenwichDayOf = (moment: Date): string => moment.toISOString().slice(0, 10);

const two = (n: number): string => String(n).padStart(2, "0");

/** A moment's day, `YYYY-MM-DD`, where the user is. */
export const dayOf = (moment: Date): string =>
  `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;

/** The same with the minute: `YYYY-MM-DD HH:MM`. */
export const minuteOf = (moment: Date): string =>
  `${dayOf(moment)} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
