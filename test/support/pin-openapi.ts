import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeApi } from '#api/rest/openapi.ts';
import { routes } from '#api/rest/routes.ts';

/** `npm run openapi`: writes the OpenAPI description to its pin, so that each change of the API shows as a change of that file. */
const file = fileURLToPath(new URL('../pins/openapi.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(describeApi(routes), null, 2)}\n`);
process.stdout.write(`Wrote ${file}\n`);
