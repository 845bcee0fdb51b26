import { serve } from '#platform/isolated/serve.ts';

/** A program that a document has taken over: it answers with the sides of the document. */
await serve(async ([, ...sides]) => sides, { jobBytesMax: 3_000 });
