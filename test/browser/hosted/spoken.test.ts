import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { startHarness } from '../../support/harness.ts';
import { type PageLanguage, pageTexts } from '../../support/people/texts.ts';
import { browserOfFile } from '../browser.ts';
import { fakeCamera } from '../camera/fake-camera.ts';
import { documentFrame, faceFrame } from '../camera/frames.ts';
import { linkOf } from '../person.ts';

/**
 * A person who sees nothing walks from the link to the end: each step finds what it presses by its role and name alone, as a screen reader
 * gives them. What is heard is compared with docs/spoken. WRITE_DOCS=1 writes it again.
 */

const harness = await startHarness();
const camera = await fakeCamera();
const visit = browserOfFile(harness, camera.flags);
const { key } = await harness.key();
await harness.settings({
  purpose: 'The law asks us to know our customers before we open an account.',
  contact: 'privacy@acme.example',
});

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const fileOf = (language: PageLanguage) =>
  fileURLToPath(new URL(`../../../docs/spoken/${language}.md`, import.meta.url));

const intro: Record<PageLanguage, string> = {
  en: 'This is what a screen reader says of each page in English, from the link to the end, for a person with an identity card on a phone. Each line is a part of the page, with its role and its name.',
  nl: 'This is what a screen reader says of each page in Dutch, from the link to the end, for a person with an identity card on a phone. Each line is a part of the page, with its role and its name.',
};

/** What is heard of a page or of the open camera. Addresses are not heard, and of the hints of the camera one follows the other. */
async function heardOf(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const isOpen = (await dialog.count()) > 0;
  const tree = await (isOpen ? dialog : page.locator('body')).ariaSnapshot();
  return tree
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('- /url:'))
    .map((line) => (isOpen ? line.replace(/- status: .*/, '- status: (one hint at a time)') : line))
    .join('\n');
}

test.each(['en', 'nl'] as const)(
  'a person who hears the pages in %s finds every step by roles and names alone, and hears what is written down',
  async (language) => {
    const t = pageTexts[language];
    const { page, surprises } = await visit(
      `${await linkOf(harness, key, 'document_liveness')}?lang=${language}`,
      phone,
    );
    const heard: string[] = [];
    const hear = async (title: string) =>
      heard.push(`## ${title}\n\n\`\`\`yaml\n${await heardOf(page)}\n\`\`\``);
    const arriveAt = async (title: string) => {
      await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
      await hear(title);
    };
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

    await arriveAt(t.welcome.title);
    for (const item of ['document', 'face'] as const)
      await page.getByRole('checkbox', { name: t.welcome.consent[item]('Acme') }).check();
    await press(t.welcome.start);
    await arriveAt(t.document.title);
    await page.getByRole('link', { name: t.document.kinds.identity_card.name }).click();
    for (const kind of ['card_front', 'card_back', 'selfie'] as const) {
      const isFace = kind === 'selfie';
      await camera.show(
        isFace ? await faceFrame() : await documentFrame(kind === 'card_front' ? 'front' : 'back'),
      );
      await arriveAt(t.picture[kind].title);
      await press(t.camera.open);
      const shutter = page.getByRole('button', { name: t.camera.shutter, exact: true });
      await shutter.waitFor();
      if (kind === 'card_front') await hear(`${t.picture[kind].title}: ${t.camera.open}`);
      await shutter.click();
      const question = t.camera.readable[isFace ? 'face' : 'document'];
      await page.getByRole('heading', { level: 2, name: question }).waitFor();
      await hear(question);
      await press(t.picture.send);
    }
    await arriveAt(t.movements.title);
    await press(t.camera.open);
    await page.getByRole('button', { name: t.movements.begin, exact: true }).waitFor();
    await hear(`${t.movements.title}: ${t.camera.open}`);
    await press(t.camera.close);
    await page.getByText(t.movements.without.title, { exact: true }).click();
    await press(t.movements.without.button);
    await arriveAt(t.confirm.title);
    await press(t.confirm.send);
    await arriveAt(t.done.title);
    expect(surprises).toEqual([]);

    const text = `# ${t.welcome.title}\n\n${intro[language]} \`test/browser/hosted/spoken.test.ts\` compares it.\n\n${heard.join('\n\n')}\n`;
    const file = fileOf(language);
    if (process.env.WRITE_DOCS === '1') {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    }
    expect(text, 'renew it by WRITE_DOCS=1 npm run test:browser -- spoken').toBe(
      await readFile(file, 'utf8'),
    );
  },
);
