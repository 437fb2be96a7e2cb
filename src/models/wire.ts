/** Protocol Buffers as they lie in a file, of which ONNX files are made: fields with a number, without a schema. */

/** What stands in a field: a whole number, or the bytes of a text, a message or packed numbers. */
export type Value = bigint | Uint8Array | { readonly fixed: Uint8Array };
export type Field = readonly [number: number, value: Value];

/**
 * The fields of a message, in order.
 *
 * @throws Error when the bytes are not those of a message
 */
export function readMessage(bytes: Uint8Array): readonly Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("the message is cut short");
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return BigInt.asUintN(64, value);
    }
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new Error("the message is cut short");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        fields.push([number, varint()]);
        break;
      case 1:
        fields.push([number, { fixed: take(8) }]);
        break;
      case 2:
        fields.push([number, take(Number(varint()))]);
        break;
      case 5:
        fields.push([number, { fixed: take(4) }]);
        break;
      default:
        throw new Error(`the message has a field of an unknown kind: ${tag & 7}`);
    }
  }
  return fields;
}

/** The bytes of a message. Numbers and texts may be given as they are. */
export function writeMessage(fields: Iterable<readonly [number: number, value: Value | number | string]>): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [number, value] of fields) {
    if (typeof value === "number" || typeof value === "bigint") parts.push(varint(number << 3), varint(BigInt(value)));
    else if (typeof value === "object" && "fixed" in value)
      parts.push(varint((number << 3) | (value.fixed.length === 4 ? 5 : 1)), value.fixed);
    else {
      const body = typeof value === "string" ? new TextEncoder().encode(value) : value;
      parts.push(varint((number << 3) | 2), varint(body.length), body);
    }
  }
  return Buffer.concat(parts);
}

function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    bytes.push(rest === 0n ? low : low | 128);
  } while (rest !== 0n);
  return Uint8Array.from(bytes);
}
