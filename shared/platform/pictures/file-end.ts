import { crc32 } from 'node:zlib';

/**
 * Gives a picture an end if its file has none, for example because a download or a repair tool lost its last bytes. A decoder then says
 * whether every pixel is there. Returns undefined if the file has its end. Nothing else of the file is looked at.
 */
export function withEnd(bytes: Buffer): Buffer | undefined {
  const format = formats.find(({ begins }) => begins(bytes));
  return format?.ended(bytes);
}

type Format = { begins(bytes: Buffer): boolean; ended(bytes: Buffer): Buffer | undefined };

const endOfImage = Buffer.from([0xff, 0xd9]);
const startOfScan = Buffer.from([0xff, 0xda]);

/** In the data of a JPEG, 0xff is followed by 0 or by the mark of a restart. So both marks are what they seem to be. */
const jpeg: Format = {
  begins: (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  ended: (bytes) => {
    const lastScan = bytes.lastIndexOf(startOfScan);
    if (lastScan === -1 || bytes.includes(endOfImage, lastScan)) return undefined;
    return Buffer.concat([bytes, endOfImage]);
  },
};

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** A chunk of PNG has its length, its type, its content and its check value. */
const pngChunk = { before: 8, after: 4 } as const;

const png: Format = {
  begins: (bytes) => bytes.subarray(0, pngStart.length).equals(pngStart),
  ended: (bytes) => {
    let at = pngStart.length;
    while (at + pngChunk.before <= bytes.length) {
      const type = bytes.toString('latin1', at + 4, at + 8);
      const next = at + pngChunk.before + bytes.readUInt32BE(at) + pngChunk.after;
      if (next > bytes.length) break;
      if (type === 'IEND') return undefined;
      at = next;
    }
    const type = bytes.toString('latin1', at + 4, at + 8);
    const length = at + pngChunk.before <= bytes.length ? bytes.readUInt32BE(at) : 0;
    const content = bytes.subarray(at + pngChunk.before, at + pngChunk.before + length);
    // Of the last chunk, only a part of the pixels is worth to be kept.
    const rest = type === 'IDAT' ? [pngChunkOf(type, content)] : [];
    return Buffer.concat([bytes.subarray(0, at), ...rest, pngChunkOf('IEND', Buffer.alloc(0))]);
  },
};

function pngChunkOf(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The first bytes of a RIFF file have its mark, its size from the eighth byte on, and its kind. */
const riff = { size: 4, counted: 8, chunks: 12 } as const;

const webp: Format = {
  begins: (bytes) =>
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', riff.counted, riff.chunks) === 'WEBP',
  ended: (bytes) => {
    if (riff.counted + bytes.readUInt32LE(riff.size) <= bytes.length) return undefined;
    const kept = [bytes.subarray(0, riff.chunks)];
    for (let at = riff.chunks; at + 8 <= bytes.length; ) {
      const type = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      const content = bytes.subarray(at + 8, at + 8 + length);
      // A part of the metadata is worth nothing. Of the pixels it may be all that matters.
      if (content.length === length || type.startsWith('VP8')) kept.push(webpChunkOf(type, content));
      at += 8 + length + (length % 2);
    }
    const file = Buffer.concat(kept);
    file.writeUInt32LE(file.length - riff.counted, riff.size);
    return file;
  },
};

function webpChunkOf(type: string, content: Buffer): Buffer {
  const before = Buffer.alloc(8);
  before.write(type, 'latin1');
  before.writeUInt32LE(content.length, 4);
  return Buffer.concat([before, content, Buffer.alloc(content.length % 2)]);
}

const formats: readonly Format[] = [jpeg, png, webp];
