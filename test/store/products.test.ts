import { expect, test } from "bun:test";
import fc from "fast-check";
import { openProducts } from "../../src/store/products.ts";

const numbers = (length: number) =>
  fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: length, maxLength: length });

test("every row times the vector, whatever their number and length", () => {
  const asked = fc
    .record({ rows: fc.integer({ min: 0, max: 7 }), dims: fc.integer({ min: 1, max: 70 }) })
    .chain(({ rows, dims }) =>
      fc.record({
        matrix: fc.array(numbers(dims), { minLength: rows, maxLength: rows }),
        vectors: fc.array(numbers(dims)),
      }),
    );
  fc.assert(
    fc.property(asked, ({ matrix, vectors }) => {
      const products = openProducts(matrix[0]?.length ?? 1);
      for (const [i, row] of matrix.entries()) products.put(i, Float32Array.from(row));
      if (matrix.length === 0) expect([...products.of(new Float32Array(1))]).toEqual([]);
      else
        for (const vector of vectors) {
          const found = [...products.of(Float32Array.from(vector))];
          expect(found).toHaveLength(matrix.length);
          for (const [i, row] of matrix.entries())
            expect(found[i]).toBeCloseTo(
              row.reduce((sum, x, j) => sum + x * vector[j]!, 0),
              3,
            );
        }
    }),
  );
});

test("by hand: 1·3 + 2·4 and 5·3 + 6·4", () => {
  const products = openProducts(2);
  products.put(0, Float32Array.of(1, 2));
  products.put(1, Float32Array.of(5, 6));
  for (const [i, product] of products.of(Float32Array.of(3, 4)).entries()) expect(product).toBeCloseTo([11, 39][i]!, 2);
});
