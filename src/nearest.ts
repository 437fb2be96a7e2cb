/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`: the optimal string alignment distance. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      if (!same && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1);
      row.push(edits);
    }
    [before, above] = [above, row];
  }
  return above[b.length]!;
}

/**
 * The names a person may have meant, nearest first: few edits away (a third of the length, at least 2), or beginning
 * with what was typed. Letter case is ignored. Looks at the first 60 characters of a name.
 */
export function nearest(typed: string, names: Iterable<string>, limit = 1): readonly string[] {
  const wanted = typed.slice(0, 60).toLowerCase();
  const bound = Math.max(2, Math.floor(wanted.length / 3));
  const near: { readonly name: string; readonly edits: number }[] = [];
  for (const name of names) {
    const other = name.slice(0, 60).toLowerCase();
    if (wanted !== "" && other.startsWith(wanted)) near.push({ name, edits: other === wanted ? 0 : 1 });
    else if (Math.abs(other.length - wanted.length) <= bound) {
      const edits = distance(wanted, other);
      if (edits <= bound && edits < Math.max(wanted.length, other.length)) near.push({ name, edits });
    }
  }
  return near
    .sort((a, b) => a.edits - b.edits || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .map(({ name }) => name);
}
