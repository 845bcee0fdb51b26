import { serve } from '#platform/isolated/serve.ts';

/** A program that a document has taken over: it answers with the document itself. */
await serve(async ([, front = Buffer.alloc(0)]) => [front], { jobBytesMax: 1_000 });
