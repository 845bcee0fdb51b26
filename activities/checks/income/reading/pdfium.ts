import { PDFiumLibrary } from '@hyzyla/pdfium';

/**
 * The C functions of PDFium, as fpdfview.h, fpdf_text.h and their neighbours describe them. Numbers and addresses go in, one number comes
 * out. The package wraps a few of them; the rest is reached through its module.
 */
type Functions = { [name: `_${string}`]: ((...values: number[]) => number) | undefined };
type Module = Functions & { HEAPU8: Uint8Array; _malloc(bytes: number): number; _free(at: number): void };

export type Pdfium = {
  call(name: string, ...values: number[]): number;
  /** Copies bytes into the memory of PDFium. They stay there until the program ends. */
  put(bytes: Uint8Array): number;
  bytesAt(at: number, length: number): Buffer;
  /** Calls a function that fills a structure of floats, such as a rectangle. Undefined if it fails. */
  filled(name: string, fields: number, ...values: number[]): number[] | undefined;
  /** Calls a function whose last `count` parameters are addresses, and returns the numbers that it writes there. Zeros if it fails. */
  integers(name: string, count: number, ...values: number[]): number[];
  floats(name: string, count: number, ...values: number[]): number[];
  doubles(name: string, count: number, ...values: number[]): number[];
  /** Calls a function that writes bytes into a buffer of a given size, and returns how many there are. */
  bytes(name: string, ...values: number[]): Buffer;
  /** The same for a text in UTF-16 that ends with a zero. */
  text(name: string, ...values: number[]): string;
  /** The address of a key such as `Contents`. */
  key(name: string): number;
};

const scratchBytes = 256;
/** More than this of one value is not read. */
const valueBytesMax = 4_000_000;

let loading: Promise<Pdfium> | undefined;

/** Loads PDFium once for all that this program does. */
export function loadPdfium(): Promise<Pdfium> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Pdfium> {
  const module: Module = Reflect.get(await PDFiumLibrary.init(), 'module');
  const scratch = module._malloc(scratchBytes);
  const keys = new Map<string, number>();

  const call = (name: string, ...values: number[]): number => {
    const found = module[`_${name}`];
    if (found === undefined) throw new Error(`PDFium has no ${name}`);
    return found(...values);
  };
  const put = (bytes: Uint8Array): number => {
    const at = module._malloc(bytes.length);
    if (at === 0) throw new Error('PDFium has no memory left');
    module.HEAPU8.set(bytes, at);
    return at;
  };
  const bytesAt = (at: number, length: number) => Buffer.from(module.HEAPU8.subarray(at, at + length));
  const bytes = (name: string, ...values: number[]): Buffer => {
    const length = call(name, ...values, 0, 0);
    if (length <= 0 || length > valueBytesMax) return Buffer.alloc(0);
    const at = module._malloc(length);
    call(name, ...values, at, length);
    const found = bytesAt(at, length);
    module._free(at);
    return found;
  };
  const written = (name: string, count: number, size: number, values: number[]): Buffer => {
    module.HEAPU8.fill(0, scratch, scratch + count * size);
    call(name, ...values, ...Array.from({ length: count }, (_, index) => scratch + index * size));
    return bytesAt(scratch, count * size);
  };
  return {
    ...{ call, put, bytesAt, bytes },
    filled(name, fields, ...values) {
      if (call(name, ...values, scratch) === 0) return undefined;
      const found = bytesAt(scratch, fields * 4);
      return Array.from({ length: fields }, (_, index) => found.readFloatLE(index * 4));
    },
    integers: (name, count, ...values) => {
      const found = written(name, count, 4, values);
      return Array.from({ length: count }, (_, index) => found.readInt32LE(index * 4));
    },
    floats: (name, count, ...values) => {
      const found = written(name, count, 4, values);
      return Array.from({ length: count }, (_, index) => found.readFloatLE(index * 4));
    },
    doubles: (name, count, ...values) => {
      const found = written(name, count, 8, values);
      return Array.from({ length: count }, (_, index) => found.readDoubleLE(index * 8));
    },
    text: (name, ...values) =>
      bytes(name, ...values)
        .toString('utf16le')
        .replace(/\0[\s\S]*$/, ''),
    key(name) {
      const at = keys.get(name) ?? put(Buffer.from(`${name}\0`));
      keys.set(name, at);
      return at;
    },
  };
}
