import { X509Certificate } from 'node:crypto';
import { serve } from '#platform/isolated/serve.ts';
import { readPaper } from './reading/read.ts';

/**
 * The program that reads one PDF. The job is a word, the file, and for `facts` the certificates (DER) by which signatures are trusted. The
 * answer is the facts as JSON, or for `pictures` a JPEG of each page. If the reading fails, the program ends without an answer, and its
 * errors go nowhere, since they could quote the file.
 */
await serve(
  async ([word = Buffer.alloc(0), file = Buffer.alloc(0), ...anchors]) =>
    String(word) === 'pictures'
      ? (await import('./reading/pictures.ts')).picturesOf(file)
      : [
          Buffer.from(
            JSON.stringify(
              await readPaper(
                file,
                anchors.map((each) => new X509Certificate(each)),
              ),
            ),
          ),
        ],
  { jobBytesMax: 12_000_000 },
);
