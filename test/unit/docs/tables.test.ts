import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { docTables, withTable } from '#test/support/documents/doc-tables.ts';

const root = join(import.meta.dirname, '../../..');

test.each(Object.entries(docTables))(
  'the table of %s in the guide says what the code says',
  (name, { file }) => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    const right = withTable(name, text);
    if (process.env.WRITE_DOCS === '1') writeFileSync(path, right);
    else expect(text, 'renew it by WRITE_DOCS=1 npm run verify').toBe(right);
  },
);
