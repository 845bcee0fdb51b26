import { relative } from 'node:path';
import { exitWith } from '#platform/process.ts';
import { buildAhead } from '../bundle.ts';
import { print } from './parts/command-line.ts';

const built = (files: string[]) => files.map((file) => `Built ${relative(process.cwd(), file)}`).join('\n');
// Builds the workflow bundles in advance, so that a worker with the same code starts faster.
await buildAhead().then((files) => print(built(files)), exitWith);
