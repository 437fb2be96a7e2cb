/** A safetensors file of float32 tensors. */
export function safetensors(
  tensors: Readonly<Record<string, { readonly shape: readonly number[]; readonly values: readonly number[] }>>,
): Uint8Array {
  let at = 0;
  const header: Record<string, unknown> = { __metadata__: { format: "pt" } };
  const bodies = Object.entries(tensors).map(([name, { shape, values }]) => {
    const body = new Uint8Array(Float32Array.from(values).buffer);
    header[name] = { dtype: "F32", shape, data_offsets: [at, at + body.length] };
    at += body.length;
    return body;
  });
  const json = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(BigUint64Array.of(BigInt(json.length)).buffer);
  return Uint8Array.from([...length, ...json, ...bodies.flatMap((body) => [...body])]);
}
