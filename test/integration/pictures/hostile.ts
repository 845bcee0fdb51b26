import { writeSync } from 'node:fs';
import type { Message } from '#platform/isolated/message.ts';
import { serve } from '#platform/isolated/serve.ts';
import { takePicture } from '#platform/pictures/redraw.ts';

/**
 * A decoder that an upload has taken over. It does what the upload says, and takes any other upload like the decoder of the product.
 * A program that should be ended long before it answers says `glare` in the end.
 */

const words = (text: string): Buffer => Buffer.from(text);
const glare: Message = [words('glare'), words('')];

function loop(): Message {
  for (const until = Date.now() + 60_000; Date.now() < until; );
  return glare;
}

/** Grows to 3 GB, so that a test in which no limit holds ends before the memory of the machine does. */
function grow(): Message {
  const held: Buffer[] = [];
  while (held.length < 60) held.push(Buffer.alloc(50_000_000, held.length + 1));
  return held.length === 60 ? glare : [];
}

/** Writes bytes that are no message. */
function say(bytes: Uint8Array): Message {
  writeSync(1, bytes);
  return loop();
}

const acts: Record<string, () => Message> = {
  crash: () => process.abort(),
  leave: () => process.exit(0),
  loop,
  grow,
  'say html': () => say(words('<html><h1>Hello</h1></html>')),
  'say a huge size': () => say(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3])),
  'say sizes that contradict each other': () => say(Buffer.from([0, 0, 0, 5, 0, 0, 0, 9, 1])),
  'say a part of a message and leave': () => {
    writeSync(1, Buffer.from([0, 0, 1, 0, 0]));
    return process.exit(0);
  },
  'answer nothing': () => [],
  'answer no JPEG': () => [words(''), words('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  'answer an unknown fault': () => [words('constructor'), words('')],
  'answer more than a picture': () => [words(''), Buffer.from([0xff, 0xd8, 0xff, 0xff, 0xd9]), words('more')],
  'answer a JPEG of 20 MB': () => {
    const jpeg = Buffer.alloc(20_000_000);
    jpeg.set([0xff, 0xd8, 0xff]);
    jpeg.set([0xff, 0xd9], jpeg.length - 2);
    return [words(''), jpeg];
  },
};

await serve(
  async ([kind = words(''), upload = words('')]) => {
    const act = upload.length < 100 ? acts[String(upload)] : undefined;
    if (act !== undefined) return act();
    const taken = await takePicture(upload, String(kind) === 'portrait' ? 'portrait' : 'document');
    return 'fault' in taken ? [words(taken.fault), words('')] : [words(''), taken.jpeg];
  },
  { jobBytesMax: 13_000_000 },
);
