import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { totpCode } from '#platform/sign-in/totp.ts';
import { consented } from '#test/support/people/consented.ts';
import { formOfSend } from '#test/support/people/read-advice.ts';
import { codesIn } from '#test/support/specimens/bsn/judge.ts';
import { bsnSpecimen } from '#test/support/specimens/bsn/specimens.ts';
import { outcomeOf } from '../commands.ts';
import { actionOf, newBrowser, type Page } from './browser.ts';
import { expect, fail, partnerOf, type Scene, type Step } from './step.ts';

/** What persons and members of an organisation do with the product in its containers, and what operators then do by command. */
export const stepsWithPeople: Step[] = [
  {
    title: 'a person hands in a card in live: it is read and masked in the container, and no original stays',
    run: handIn,
  },
  {
    title:
      'the console answers on its port, and somebody invited by command becomes an owner and sees the masked copy',
    run: signIn,
  },
  { title: 'a dossier made by command in the container verifies, as JSON and as PDF', run: dossier },
  { title: 'every other command of operators works in the container, erasure at last', run: commands },
];

const command = ({ deployment }: Scene, line: string, service = 'api') =>
  deployment.shell(`docker compose exec ${service} node worker/commands/${line}`);

type Picture = { kind: string; jpeg_base64: string };
type Exported = { evidence: Picture[]; history: { type: string; data: Record<string, unknown> }[] };
const exported = async (scene: Scene, id: string): Promise<Exported> =>
  JSON.parse(await command(scene, `export.ts ${id}`));

/** What is stored of a person as soon as the masked copy stands, for which the verdict does not wait. */
async function masked(scene: Scene, id: string): Promise<Exported> {
  for (const until = Date.now() + 600_000; ; await pause(3_000)) {
    const found = await exported(scene, id);
    if (!found.evidence.some(({ kind }) => kind.startsWith('card_'))) return found;
    expect(Date.now() < until, 'the document is not masked');
  }
}

async function handIn(scene: Scene): Promise<string[]> {
  const { liveKey = fail('deploy printed no live key') } = scene;
  const partner = partnerOf(scene);
  const card = await bsnSpecimen(0, { kind: 'card of 2021', form: 'grouped', shot: { tilt: 3 } });
  const body = { method: 'document_only', reference: 'container' };
  const { id, verify_url: link } = await partner.insist('POST', '/verifications', body, liveKey);
  scene.handedIn = id;
  const [api = fail('no API is published')] = await scene.deployment.apis();
  await walk(api, new URL(String(link)).pathname, {
    card_front: card.front,
    card_back: card.back ?? fail('a card has a back'),
  });
  const sentAt = Date.now();
  for (let status = ''; status !== 'completed'; await pause(500)) {
    ({ status } = (await partner.call('GET', `/verifications/${id}`, undefined, undefined, liveKey)).json);
    expect(Date.now() < sentAt + 600_000, `the verification is ${status}`);
  }
  const seconds = ((Date.now() - sentAt) / 1_000).toFixed(1);
  const { evidence, history } = await masked(scene, id);
  const kinds = evidence.map(({ kind }) => kind).sort();
  expect(kinds.join() === 'fields,masked_back,masked_front,portrait', `stored are ${kinds}`);
  const line = history.find(({ type }) => type === 'evidence.masked')?.data;
  expect(line?.bsn_detected === true && line.in_doubt === false, JSON.stringify(line));
  const back = Buffer.from(evidence.find(({ kind }) => kind === 'masked_back')?.jpeg_base64 ?? '', 'base64');
  expect((await codesIn(card.back ?? back)).includes(card.bsn), 'the card has no code with its number');
  expect((await codesIn(back)).length === 0, 'the masked copy has a code that can be read');
  const { width, height } = await sharp(back).metadata();
  return [
    `read and decided within ${seconds} s, then masked; stored are ${kinds.join(' ')}, in the ledger: number found, no doubt`,
    `the masked copy (${width} x ${height}) has no code that can be read; the card had one with the number`,
  ];
}

/** Walks the hosted page as a browser without scripts does. */
async function walk(api: string, path: string, pictures: Record<string, Buffer>): Promise<void> {
  const browser = newBrowser(api);
  const send = async (page: Page, word: string, form: FormData | URLSearchParams): Promise<void> => {
    for (const until = Date.now() + 300_000; ; await pause(1_000)) {
      const { status } = await browser.postForm(actionOf(page, word), form);
      if (status === 303) return;
      // A busy machine may take longer than a person's request does, who then presses again.
      expect(status === 503 && Date.now() < until, `${word} answered ${status}`);
    }
  };
  await send(await browser.get(path), 'start', new URLSearchParams(consented));
  for (const [kind, picture] of Object.entries(pictures)) {
    const form = new FormData();
    form.set('picture', new File([new Uint8Array(picture)], 'picture.jpg'));
    await send(await browser.get(`${path}?take=${kind}`), 'picture', form);
  }
  // Advice on a picture may come between the page and Send, which then asks once more.
  for (let page = await browser.get(path); page.text.includes('/submit?'); page = await browser.get(path))
    await send(page, 'submit', new URLSearchParams(formOfSend(page.text)));
}

async function signIn(scene: Scene): Promise<string[]> {
  const { deployment, handedIn } = scene;
  const [console = fail('no console is published')] = await deployment.consoles();
  const browser = newBrowser(console);
  const first = await browser.get('/sign-in');
  expect(first.status === 200 && /type="password"/.test(first.text), `/sign-in answered ${first.status}`);
  const link = new URL((await deployment.block('console-invite')).trim().split('\n').at(-1) ?? '');
  expect(link.origin === 'https://console.example.com', `the link begins with ${link.origin}`);
  const invitation = await browser.get(link.pathname);
  expect(invitation.status === 200, `the invitation answered ${invitation.status}`);
  const weak = await browser.post(link.pathname, { password: 'wachtwoord123' });
  expect(weak.status === 422, `a weak password was answered with ${weak.status}`);
  const joined = await browser.post(link.pathname, { password: 'violet tractor humming lantern' });
  expect(joined.status === 303, `joining was answered with ${joined.status}`);
  const { text } = await browser.get('/second-factor');
  const typed = /<code>([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? fail('no key of a second factor is shown');
  expect(text.includes('<svg class="qr"'), 'no code to scan is shown');
  const done = await browser.post('/second-factor', { code: totpCode(fromBase32(typed), new Date()) });
  expect(done.status === 200, `the second factor was answered with ${done.status}`);
  await browser.get(`/verifications/${handedIn}`);
  const claimed = await browser.post(`/review/${handedIn}/claim`);
  const review = await browser.get(claimed.location ?? '/');
  const pictures = [...review.text.matchAll(/src="data:image\/jpeg;base64,/g)].length;
  expect(pictures === 3, `the review shows ${pictures} pictures (${review.status})`);
  const looks = (await exported(scene, handedIn ?? '')).history.filter(
    ({ type }) => type === 'evidence.viewed',
  );
  expect(looks.length === 1, `the ledger has ${looks.length} looks`);
  return [
    `${console}/sign-in: 200, and the invitation of the command opens; a weak password is refused, a good one is not`,
    `with a second factor the owner claims the review: ${pictures} pictures are shown, and the ledger names the look`,
  ];
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function fromBase32(typed: string): Buffer {
  const values = Array.from(typed.replaceAll(' ', ''), (letter) => letters.indexOf(letter));
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

async function dossier(scene: Scene): Promise<string[]> {
  const { deployment, handedIn = fail('nobody handed anything in') } = scene;
  const folder = String(deployment.env.BACKUPS);
  deployment.env.VERIFICATION_ID = handedIn;
  await deployment.block('dossier');
  const [file, key] = [join(folder, 'dossier.json'), join(folder, 'ledger-key.pem')];
  const verify = (name: string) =>
    outcomeOf(process.execPath, [
      join(deployment.folder, 'worker/commands/verify-dossier.mjs'),
      ...[name, '--key', key],
    ]);
  const whole = await verify(file);
  // No daily root was signed yet, so no line is anchored.
  expect(whole.status === 3, `verify-dossier ended with ${whole.status}: ${whole.all}`);
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, readFileSync(file, 'utf8').replace('"review"', '"approved"'));
  const broken = await verify(changed);
  expect(broken.status === 1, `of a changed dossier it ended with ${broken.status}: ${broken.all}`);
  const pdf = readFileSync(join(folder, 'dossier.pdf'));
  expect(/^%PDF-1\.7/.test(pdf.toString('latin1', 0, 8)), 'the PDF is none');
  expect(/\/FontFile2 /.test(pdf.toString('latin1')), 'the PDF has no font of its own');
  return [
    `verify-dossier, outside of the containers: ${whole.all.trim().split('\n')[0]}`,
    `with another verdict: ${broken.all.trim().split('\n')[0]}`,
    `the PDF has ${pdf.length} bytes and its font`,
  ];
}

async function commands(scene: Scene): Promise<string[]> {
  const { handedIn: id = '' } = scene;
  const lines = [
    'keys.ts list --org Acme',
    'organisations.ts --org Acme',
    'relations.ts --org Acme',
    `relations.ts --continues ${id}`,
    'usage.ts',
    'secrets.ts',
    'health.ts api',
    `erase.ts ${id}`,
  ];
  for (const line of lines) await command(scene, line);
  // Only a worker has the key and the folder of the signed ends.
  await command(scene, 'inspect.ts', 'worker');
  const { evidence } = await exported(scene, id);
  expect(evidence.length === 0, 'the erased person has pictures');
  return [
    `ended with 0: ${[...lines, 'inspect.ts'].map((line) => `worker/commands/${line.replace(id, 'ID')}`).join(', ')}`,
  ];
}
