import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeApi } from '#api/rest/openapi.ts';
import { routes } from '#api/rest/routes.ts';

/** Writes the interface description where it is pinned, so that each change of the interface shows as a change of that file. */
const file = fileURLToPath(new URL('../../test/pins/openapi.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(describeApi(routes), null, 2)}\n`);
process.stdout.write(`Wrote ${file}\n`);
