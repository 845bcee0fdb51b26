import { relative } from 'node:path';
import { exitWith } from '#platform/process.ts';
import { buildAhead } from '../bundle.ts';

const built = (files: string[]) => files.map((file) => `Built ${relative(process.cwd(), file)}\n`).join('');
// Builds the workflow bundles in advance, so that a worker with the same code starts faster.
await buildAhead().then((files) => process.stdout.write(built(files)), exitWith);
