import { joinArrays } from "../math/arrays.ts";

/** One field of a protobuf message: its number, and its value by wire type. */
export interface ProtobufField {
  number: number;
  /** Varint and fixed-width values; 64-bit ones as two's complement. */
  integer: bigint;
  /** Bytes of a length-delimited field; empty for the other wire types. */
  bytes: Uint8Array;
}

/** Collects the fields of one protobuf message. */
export interface ProtobufWriter {
  integer(field: number, value: number | bigint): ProtobufWriter;
  float(field: number, value: number): ProtobufWriter;
  bytes(field: number, value: Uint8Array): ProtobufWriter;
  text(field: number, value: string): ProtobufWriter;
  message(field: number, value: ProtobufWriter): ProtobufWriter;
  finish(): Uint8Array;
}

const WIRE_VARINT = 0;
const WIRE_64_BIT = 1;
const WIRE_BYTES = 2;
const WIRE_32_BIT = 5;

/** Starts an empty protobuf message (format: protobuf.dev, "Encoding"); fields are written in call order. */
export function protobufWriter(): ProtobufWriter {
  const parts: Uint8Array[] = [];
  const key = (field: number, wire: number) => parts.push(varint(BigInt((field << 3) | wire)));
  const writer: ProtobufWriter = {
    integer(field, value) {
      key(field, WIRE_VARINT);
      parts.push(varint(BigInt(value)));
      return writer;
    },
    float(field, value) {
      key(field, WIRE_32_BIT);
      const four = new Uint8Array(4);
      new DataView(four.buffer).setFloat32(0, value, true);
      parts.push(four);
      return writer;
    },
    bytes(field, value) {
      key(field, WIRE_BYTES);
      parts.push(varint(BigInt(value.length)), value);
      return writer;
    },
    text: (field, value) => writer.bytes(field, new TextEncoder().encode(value)),
    message: (field, value) => writer.bytes(field, value.finish()),
    finish: () => joinArrays(Uint8Array, parts),
  };
  return writer;
}

/** Splits a protobuf message into its fields, in file order; throws a `RangeError` if it is not one. */
export function readProtobuf(message: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = [];
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  let at = 0;
  const next = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError(`readProtobuf: invalid integer at byte ${at}.`);
  };
  while (at < message.length) {
    const key = Number(next());
    const field: ProtobufField = { number: key >> 3, integer: 0n, bytes: new Uint8Array(0) };
    const wire = key & 7;
    if (wire === WIRE_VARINT) field.integer = next();
    else if (wire === WIRE_BYTES) {
      const length = Number(next());
      if (at + length > message.length) {
        throw new RangeError(`readProtobuf: field ${field.number} exceeds the message.`);
      }
      field.bytes = message.subarray(at, at + length);
      at += length;
    } else if (wire === WIRE_32_BIT) {
      field.integer = BigInt(view.getUint32(at, true));
      at += 4;
    } else if (wire === WIRE_64_BIT) {
      field.integer = view.getBigUint64(at, true);
      at += 8;
    } else throw new RangeError(`readProtobuf: unknown wire type ${wire} at byte ${at}.`);
    fields.push(field);
  }
  return fields;
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  while (rest >= 128n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
