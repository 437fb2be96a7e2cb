/** A point of a plot. `x` is above 0 where the axis is logarithmic. */
export type Point = { readonly label: string; readonly x: number; readonly y: number; readonly ours: boolean };

export type Plot = {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  /** Equal steps of x are equal factors. */
  readonly logX: boolean;
  readonly points: readonly Point[];
};

/** A bar with its interval. All in [0, 1]. */
export type Bar = { readonly label: string; readonly value: number; readonly low: number; readonly high: number };

const size = { width: 720, height: 440, left: 64, right: 24, top: 40, bottom: 52 } as const;
const colour = { ours: "#0b6bcb", others: "#8a8f98", line: "#d5d8dd", text: "#1f2328" } as const;

/** Points over two axes, each with its name. @throws RangeError without points */
export function scatter({ title, x, y, logX, points }: Plot): string {
  if (points.length === 0) throw new RangeError("nothing to plot");
  const along = (value: number): number => (logX ? Math.log10(value) : value);
  const xs = spread(points.map((point) => along(point.x)));
  const ys = spread(points.map((point) => point.y));
  const { width, height, left, right, top, bottom } = size;
  const placeX = (value: number) => left + ((along(value) - xs.low) / (xs.high - xs.low)) * (width - left - right);
  const placeY = (value: number) => height - bottom - ((value - ys.low) / (ys.high - ys.low)) * (height - top - bottom);
  const marks = points.flatMap((point) => {
    const [cx, cy] = [placeX(point.x), placeY(point.y)];
    // Names near the right edge stand to the left of their point.
    const side = cx > width * 0.7 ? { x: cx - 8, anchor: "end" } : { x: cx + 8, anchor: "start" };
    const fill = point.ours ? colour.ours : colour.others;
    return [
      `<circle cx="${num(cx)}" cy="${num(cy)}" r="${point.ours ? 6 : 4}" fill="${fill}"/>`,
      text(side.x, cy + 4, point.label, { anchor: side.anchor, fill, size: 11 }),
    ];
  });
  const ticks = Array.from({ length: 5 }, (_, i) => ys.low + ((ys.high - ys.low) * i) / 4).flatMap((value) => [
    `<line x1="${left}" x2="${width - right}" y1="${num(placeY(value))}" y2="${num(placeY(value))}" stroke="${colour.line}"/>`,
    text(left - 8, placeY(value) + 4, value.toFixed(3), { anchor: "end", size: 11 }),
  ]);
  const xTicks = Array.from({ length: 5 }, (_, i) => xs.low + ((xs.high - xs.low) * i) / 4).map((value) => {
    const shown = logX ? 10 ** value : value;
    return text(placeX(shown), height - bottom + 18, short(shown), { anchor: "middle", size: 11 });
  });
  return drawing(width, height, [
    text(left, 24, title, { size: 15 }),
    ...ticks,
    ...xTicks,
    text((left + width - right) / 2, height - 12, x, { anchor: "middle", size: 12 }),
    text(left, top - 2, y, { size: 12 }),
    ...marks,
  ]);
}

/** Bars one below the other, with their intervals. */
export function bars(title: string, rows: readonly Bar[]): string {
  const { left, width, right } = { left: 180, width: size.width, right: 60 };
  const place = (value: number) => left + value * (width - left - right);
  const drawn = rows.flatMap(({ label, value, low, high }, i) => {
    const y = 44 + i * 28;
    return [
      text(left - 10, y + 13, label, { anchor: "end", size: 12 }),
      `<rect x="${left}" y="${y}" width="${num(place(value) - left)}" height="18" fill="${colour.ours}"/>`,
      `<line x1="${num(place(low))}" x2="${num(place(high))}" y1="${y + 9}" y2="${y + 9}" stroke="${colour.text}" stroke-width="2"/>`,
      text(place(Math.max(high, value)) + 8, y + 13, value.toFixed(3), { size: 12 }),
    ];
  });
  return drawing(width, 60 + rows.length * 28, [text(16, 24, title, { size: 15 }), ...drawn]);
}

/** The range of the values with a tenth on either side; never empty. */
function spread(values: readonly number[]): { readonly low: number; readonly high: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = (high - low) * 0.1 || Math.abs(low) * 0.1 || 1;
  return { low: low - margin, high: high + margin };
}

const num = (value: number): string => value.toFixed(1);
const short = (value: number): string => Number(value.toPrecision(2)).toString();

type Look = { readonly anchor?: string; readonly fill?: string; readonly size: number };

const text = (x: number, y: number, words: string, { anchor = "start", fill = colour.text, size }: Look): string =>
  `<text x="${num(x)}" y="${num(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}">${escaped(words)}</text>`;

const drawing = (width: number, height: number, parts: readonly string[]): string =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    "</svg>",
    "",
  ].join("\n");

const escaped = (words: string): string =>
  words
    // What XML may not hold.
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
