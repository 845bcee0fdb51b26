import { crc32, deflateSync } from 'node:zlib';

const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const end = chunkOf('IEND', Buffer.alloc(0));

/** Grey with one bit a pixel. The other type that tests need has four channels. */
const oneBit = { bits: 1, type: 0 } as const;

/** A PNG of one colour. It declares so many pixels, and has the rows of a picture with one bit a pixel. */
export function plainPng(width: number, height: number, { bits, type } = oneBit as PngKind): Buffer {
  const rows = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * height), { level: 9 });
  return Buffer.concat([mark, headerOf(width, height, { bits, type }), chunkOf('IDAT', rows), end]);
}

type PngKind = { bits: number; type: number };

/** An animated PNG of these frames, which are PNGs of one size without further parts. */
export function animatedPng(frames: readonly Buffer[]): Buffer {
  const [first = mark] = frames;
  const chunks = chunksOf(first);
  const header = chunks.find(({ type }) => type === 'IHDR')?.content ?? Buffer.alloc(0);
  let sequence = 0;
  const moved = frames.flatMap((frame, index) => {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(sequence++, 0);
    control.writeUInt32BE(header.readUInt32BE(0), 4);
    control.writeUInt32BE(header.readUInt32BE(4), 8);
    // A tenth of a second.
    control.writeUInt16BE(1, 20);
    control.writeUInt16BE(10, 22);
    const data = chunksOf(frame).filter(({ type }) => type === 'IDAT');
    const parts = data.map(({ content }) => {
      if (index === 0) return chunkOf('IDAT', content);
      const number = Buffer.alloc(4);
      number.writeUInt32BE(sequence++);
      return chunkOf('fdAT', Buffer.concat([number, content]));
    });
    return [chunkOf('fcTL', control), ...parts];
  });
  const count = Buffer.alloc(8);
  count.writeUInt32BE(frames.length);
  return Buffer.concat([mark, chunkOf('IHDR', header), chunkOf('acTL', count), ...moved, end]);
}

function headerOf(width: number, height: number, { bits, type }: PngKind): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, type, 0, 0, 0], 8);
  return chunkOf('IHDR', header);
}

function chunkOf(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

function chunksOf(png: Buffer): { type: string; content: Buffer }[] {
  const chunks: { type: string; content: Buffer }[] = [];
  for (let at = mark.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    chunks.push({
      type: png.toString('latin1', at + 4, at + 8),
      content: png.subarray(at + 8, at + 8 + length),
    });
    at += 12 + length;
  }
  return chunks;
}
