import type { Readable } from 'node:stream';

/**
 * What the product and an isolated program send each other: a list of byte strings. On the pipe, the size of the whole list comes
 * first. Then come the byte strings, each after its own size. A size has four bytes.
 */
export type Message = readonly Uint8Array[];

const sizeBytes = 4;

export const encodeMessage = (parts: Message): Buffer => Buffer.concat(piecesOf(parts));

/** What goes to the pipe for a message, piece by piece. The byte strings are not copied. */
export function piecesOf(parts: Message): readonly Uint8Array[] {
  const listed = parts.flatMap((part) => [sizeOf(part.length), part]);
  const total = listed.reduce((sum, { length }) => sum + length, 0);
  return [sizeOf(total), ...listed];
}

function sizeOf(length: number): Buffer {
  const size = Buffer.alloc(sizeBytes);
  size.writeUInt32BE(length);
  return size;
}

/**
 * Returns the messages of a stream. Throws if a message is larger than `bytesMax`, if its sizes contradict each other, or if the
 * stream ends in the middle of a message. A message that is too large is not read.
 */
export async function* messagesOf(stream: Readable, bytesMax: number): AsyncGenerator<Buffer[]> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let total: number | undefined;
  for await (const chunk of stream) {
    held.push(chunk);
    heldBytes += chunk.length;
    while (heldBytes >= (total ?? sizeBytes)) {
      const bytes = Buffer.concat(held);
      if (total === undefined) {
        total = sizeBytes + bytes.readUInt32BE(0);
        if (total > bytesMax) throw new Error('The message is too large');
        held = [bytes];
      } else {
        yield partsOf(bytes.subarray(sizeBytes, total));
        held = [bytes.subarray(total)];
        heldBytes -= total;
        total = undefined;
      }
    }
  }
  if (heldBytes > 0) throw new Error('The message ends in the middle');
}

function partsOf(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = 0; start < bytes.length; ) {
    if (start + sizeBytes > bytes.length) throw new Error('The message contradicts itself');
    const end = start + sizeBytes + bytes.readUInt32BE(start);
    if (end > bytes.length) throw new Error('The message contradicts itself');
    parts.push(bytes.subarray(start + sizeBytes, end));
    start = end;
  }
  return parts;
}
