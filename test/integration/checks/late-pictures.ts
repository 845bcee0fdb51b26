import { X509Certificate } from 'node:crypto';
import { readPaper } from '#activities/checks/income/reading/read.ts';
import { serve } from '#platform/isolated/serve.ts';

/** Stands for a program that dies over the picture of a page, whose other work is that of the real one. */
await serve(
  async ([word, file = Buffer.alloc(0), ...anchors]) => {
    if (String(word) === 'paper') process.exit(1);
    const facts = await readPaper(
      file,
      anchors.map((each) => new X509Certificate(each)),
    );
    return [Buffer.from(JSON.stringify(facts))];
  },
  { jobBytesMax: 40_000_000 },
);
