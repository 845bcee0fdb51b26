import { expect, test } from 'vitest';
import { limits } from '#contract/limits.ts';
import { call, startHarness } from '#test/support/harness.ts';
import { person } from '#test/support/people/person.ts';

const harness = await startHarness();
const { key } = await harness.key();

const started = async () => {
  const body = { method: 'document_only', sandbox: { auto_complete: false } };
  const { json } = await call(harness, 'POST', '/v1/verifications', { key, body });
  const user = person(harness, json.verify_url);
  await user.start();
  return user;
};

test('who asks with the tag of the page gets nothing until something changes, and two who ask never use up the steps of the link', async () => {
  const user = await started();
  const tag = String((await user.look('?follow=phone')).headers.page);
  for (let asked = 0; asked <= 2 * limits.stepsPerLinkPerMinute; asked++) {
    const { status, text } = await user.look(`?follow=phone&since=${tag}`);
    expect([status, text]).toEqual([204, '']);
  }
  expect((await user.specimen('passport_page')).status).toBe(200);
  const changed = await user.look(`?follow=phone&since=${tag}`);
  expect(changed.status).toBe(200);
  expect(changed.text).toContain('Your phone is at “Look and send”');
});

test('a page names the pictures that arrived, and when, and never the pictures', async () => {
  const user = await started();
  expect((await user.look()).headers.pictures).toBe('');
  await user.specimen('passport_page');
  expect((await user.look()).headers.pictures).toMatch(/^passport_page=\d{13}$/);
});
