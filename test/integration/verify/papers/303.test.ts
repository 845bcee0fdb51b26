import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { IncomeReader } from '#activities/checks/port.ts';
import { paperLimits } from '#contract/income/papers.ts';
import { limits } from '#contract/limits.ts';
import { sha256 } from '#platform/crypto/crypto.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';
import { anyPicture, fileForm } from '#test/support/people/picture.ts';
import { slipOf } from '#test/support/specimens/income/small/paper.ts';

/** Opens no file. What documents say is the matter of other tests. */
const closedBook: IncomeReader = {
  read: async (pdf) => ({
    facts: { readable: false, sha256: sha256(pdf).toString('hex'), reason: 'damaged' },
    pages: undefined,
  }),
  judge: async () => undefined,
  close: async () => undefined,
};
const harness = await startHarness({ papers: closedBook });
const { key } = await harness.key({ environment: 'live' });
const { key: sandboxKey } = await harness.key();

async function created(body: object = {}, withKey = key) {
  const { json } = await call(harness, 'POST', '/v1/income-checks', { key: withKey, body });
  return { id: json.id as string, user: person(harness, json.upload_url) };
}
async function started(body: object = {}, withKey = key) {
  const made = await created(body, withKey);
  await made.user.start();
  return made;
}
const inSandbox = () => started({ sandbox: { auto_complete: false } }, sandboxKey);

/** A few bytes that begin like a PDF. */
const small = (text: string) => Buffer.from(`%PDF-1.7 ${text}`);
const filesOf = (id: string) =>
  harness.rows<{ id: string; size: number; file: Buffer }>`
    select id, size, file from income_files where verification_id = ${id} order by id`;
const kindsOf = (id: string) =>
  harness.rows<{ kind: string }>`select kind from evidence where verification_id = ${id}`;
const alertIn = (text: string) => /<p role="alert"[^>]*>([^<]*)/.exec(text)?.[1];
const documentsIn = (text: string) =>
  [...text.matchAll(/Document (\d)\W+<small>([^<]*)/g)].map(([, n, size]) => `${n}: ${size}`);

/** The whole database as text. Bytes are in hex. */
async function dump(): Promise<string> {
  const tables = await harness.rows<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const rowsOf = async ({ name }: { name: string }) =>
    (await harness.rows<{ row: string }>`select t::text as row from ${sql.table(name)} t`).map(
      ({ row }) => row,
    );
  return (await Promise.all(tables.map(rowsOf))).flat().join('\n');
}

describe('live', () => {
  test('a person hands in documents, takes one back, and sends the others', async () => {
    const { id, user } = await started();
    const first = await user.paper(await slipOf('two columns'), 'loonstrook-jansen.pdf');
    expect(first.text).toContain('Is everything right?');
    const second = await user.paper(await slipOf('english'), 'payslip-jansen.pdf');
    const files = await filesOf(id);
    expect(documentsIn(second.text)).toEqual(
      files.map(({ size }, index) => `${index + 1}: ${Math.round(size / 1_000)} kB`),
    );
    for (const secret of ['jansen', 'Kwekerij', '2.684,44', 'Salaris'])
      expect(second.text).not.toContain(secret);

    const rest = await user.removePaper(files[0]?.id ?? '');
    expect(documentsIn(rest.text)).toHaveLength(1);
    expect((await filesOf(id)).map((file) => file.id)).toEqual([files[1]?.id]);
    expect((await user.submit()).text).toContain('Thank you, everything has been sent');
    const read = async () => (await call(harness, 'GET', `/v1/income-checks/${id}`, { key })).json;
    await expect.poll(async () => (await read()).status, { timeout: 30_000 }).toBe('completed');
    expect((await read()).verdict.outcome).toBe('review');
    expect((await user.look()).text).toContain('You need not do anything more.');
  });

  test('the database has no document that anybody could open, and no name of a file', async () => {
    const { id, user } = await started();
    const slip = await slipOf('labels above');
    await user.paper(slip, 'loonstrook-jansen.pdf');
    expect(await filesOf(id)).toMatchObject([{ size: slip.length }]);
    const everything = await dump();
    expect(everything).toContain(id);
    for (const plain of ['%PDF-', 'loonstrook-jansen', 'De Linde'])
      for (const spelling of [plain, Buffer.from(plain).toString('hex')])
        expect(everything.includes(spelling), plain).toBe(false);
  });

  test('who takes the last document back is asked for documents again', async () => {
    const { id, user } = await started();
    await user.paper(small('only'));
    const [file] = await filesOf(id);
    const page = await user.removePaper(file?.id ?? '');
    expect(page.text).toContain('Each of these documents will do.');
    expect([await filesOf(id), await kindsOf(id)]).toEqual([[], []]);
    await call(harness, 'POST', `${user.path}/submit`);
    expect((await user.look()).text).toContain('Each of these documents will do.');
  });

  test('what is no PDF, too large, there already, or one too many is not taken, and the page says why', async () => {
    const { id, user } = await started();
    const refused: [string, Uint8Array][] = [
      ['This file is not a PDF.', await anyPicture()],
      ['Choose a PDF first.', Buffer.alloc(0)],
    ];
    for (const [why, bytes] of refused) {
      const { text } = await user.paper(bytes);
      expect(alertIn(text)).toContain(why);
      expect(text).toContain('type="file"');
    }
    for (const tooMany of [1, 10_000]) {
      const large = Buffer.alloc(paperLimits.bytesMax + tooMany, small('large'));
      expect(alertIn((await user.paper(large)).text)).toContain('This file is larger than 10 MB.');
    }
    expect([await filesOf(id), await kindsOf(id)]).toEqual([[], []]);

    await user.paper(Buffer.alloc(paperLimits.bytesMax, small('largest')));
    expect(documentsIn((await user.look()).text)).toEqual(['1: 10 MB']);
    await user.paper(small('2'));
    expect(alertIn((await user.paper(small('2'))).text)).toContain('You have already added this document.');
    for (const text of ['3', '4']) await user.paper(small(text));
    const page = await user.look();
    expect((await user.paper(small('5'))).text).toContain('You have added five documents.');
    const sixth = await user.press('paper', await fileForm('paper', small('6'), 'six.pdf'), page);
    expect(alertIn(sixth.text)).toContain('You have already added five documents');
    expect(await filesOf(id)).toHaveLength(paperLimits.papersMax);
  });

  test('beyond a hundred attempts no document is taken through a link', async () => {
    const { id, user } = await started();
    await harness.rows`update verifications set pictures_taken = ${limits.picturesPerVerificationMax} where id = ${id}`;
    expect(alertIn((await user.paper(small('late'))).text)).toContain('Too many documents');
    expect(await filesOf(id)).toEqual([]);
  });

  test('before the start, after Send, and through the link of another nothing changes', async () => {
    const open = await created();
    const post = async (path: string, action: string, text: string) => {
      const { body, type } = await fileForm('paper', small(text), 'x.pdf');
      return call(harness, 'POST', `${path}/${action}`, { rawBody: body, headers: { 'content-type': type } });
    };
    expect((await post(open.user.path, 'paper', 'early')).headers.location).not.toContain('fault');
    expect(await kindsOf(open.id)).toEqual([]);

    const { id, user } = await started();
    await user.paper(small('mine'));
    const [mine] = await filesOf(id);
    const other = await started();
    await other.user.paper(small('theirs'));
    for (const unknown of [mine?.id, '00000000-0000-7000-8000-000000000000', 'x', "' or true"])
      await other.user.removePaper(encodeURIComponent(String(unknown)));
    expect([await filesOf(id), await filesOf(other.id)]).toMatchObject([[mine], [{}]]);

    const forged = `${user.path.slice(0, -4)}AAAA`;
    expect((await post(forged, 'paper', 'forged')).status).toBe(404);
    expect((await post(forged, 'remove-paper', 'forged')).status).toBe(404);

    const page = await user.look();
    await user.submit();
    await user.press('paper', await fileForm('paper', small('late'), 'x.pdf'), page);
    await user.press('remove-paper', { body: `id=${mine?.id}` }, page);
    expect((await filesOf(id)).map((file) => file.id)).toEqual([mine?.id]);
  });

  test('a picture is no document, and a document is no evidence of an identity', async () => {
    const { id, user } = await started();
    const { body, type } = await fileForm('picture', await anyPicture(), 'x.jpg');
    const sent = { rawBody: body, headers: { 'content-type': type } };
    expect((await call(harness, 'POST', `${user.path}/picture?kind=papers`, sent)).status).toBe(404);
    expect(await kindsOf(id)).toEqual([]);

    const { json } = await call(harness, 'POST', '/v1/verifications', {
      key,
      body: { method: 'document_only' },
    });
    const holder = person(harness, json.verify_url);
    await holder.start();
    await holder.upload('passport_page', await anyPicture());
    const form = await fileForm('paper', small('x'), 'x.pdf');
    const answer = await call(harness, 'POST', `${holder.path}/paper`, {
      ...{ rawBody: form.body, headers: { 'content-type': form.type } },
    });
    expect(answer.status).toBe(404);
    expect(await kindsOf(json.id)).toEqual([{ kind: 'passport_page' }]);
  });

  test('who stops has no documents stored any more, and is told so', async () => {
    const { id, user } = await started();
    await user.paper(small('1'));
    await user.paper(small('2'));
    const { text } = await user.press('withdraw');
    expect(text).toContain('Your documents were removed and nothing was sent.');
    expect([await filesOf(id), await kindsOf(id)]).toEqual([[], []]);
  });

  test.each([
    ['en', 'asks you for:', 'Payslip', 'verzekeringsbericht'],
    ['nl', 'vraagt u om:', 'Loonstrook', 'Verzekeringsbericht'],
  ])(
    'in %s the page names the documents that were asked for, and no other',
    async (language, asks, wanted, other) => {
      const { json } = await call(harness, 'POST', '/v1/income-checks', {
        key,
        body: { document_types: ['payslip'] },
      });
      const user = person(harness, json.upload_url, language);
      const welcome = await user.look();
      const { text } = await user.start();
      for (const page of [welcome.text, text]) {
        expect(page).toContain(wanted);
        expect(page).not.toContain(other);
      }
      expect(text).toContain(asks);
    },
  );

  test.each([
    [
      'en',
      'erased after 30 days',
      'A person at Acme looks at the documents',
      'A computer reads your documents',
      'number (BSN) is covered',
      'A person decides for Acme.',
    ],
    [
      'nl',
      'na 30 dagen gewist',
      'Een medewerker van Acme bekijkt de documenten',
      'Een computer leest uw documenten',
      '(BSN) afgedekt',
      'Een medewerker van Acme beslist',
    ],
  ])(
    'in %s the first page says before the consent what happens to the documents',
    async (language, ...parts) => {
      const { json } = await call(harness, 'POST', '/v1/income-checks', { key });
      const [before = ''] = (await person(harness, json.upload_url, language).look()).text.split(
        'name="consent"',
      );
      for (const part of parts) expect(before).toContain(part);
      expect(before).not.toMatch(/photo|foto/i);
    },
  );
});

describe('in sandbox', () => {
  test('a document is checked as in live, and no byte of it is kept', async () => {
    const { id, user } = await inSandbox();
    const { text } = await user.look();
    expect(text).toContain('Documents are not stored.');
    expect(text).toContain('reads and keeps no documents');
    expect(alertIn((await user.paper(await anyPicture())).text)).toContain('This file is not a PDF.');
    expect((await user.paper(small('geheim'))).text).toContain('Is everything right?');
    expect(await filesOf(id)).toEqual([]);
    expect(
      await harness.rows`select picture, sha256, source from evidence where verification_id = ${id}`,
    ).toEqual([{ picture: null, sha256: null, source: null }]);
    await user.submit();
    await expect.poll(async () => (await user.look()).text).toContain('You need not do anything more.');
  });

  test('an example stands for a document', async () => {
    const { user } = await inSandbox();
    expect((await user.specimen('papers')).text).toContain('Is everything right?');
  });
});
