import { describe, expect, test } from 'vitest';
import { CreatedWebhookEndpoint, CreateWebhook, WebhookEndpoint } from '#contract/webhook.ts';
import { covers } from '#test/requirements.ts';

const url = 'https://partner.example/hook';
const create = (body: unknown) => CreateWebhook.safeParse(body);

describe('the body that registers a webhook endpoint', () => {
  test('has every default but the url', () => {
    covers('4.1/webhook-event-types', '4.1/webhook-environment');
    expect(create({ url }).data).toEqual({
      url,
      event_types: ['verification.completed'],
      environment: 'all',
    });
  });

  test('takes a description of 200 characters and refuses one of 201', () => {
    covers('4.1/webhook-description', '8/description-length');
    expect(create({ url, description: '😀'.repeat(200) }).success).toBe(true);
    expect(create({ url, description: 'a'.repeat(201) }).success).toBe(false);
  });

  test('takes each environment and each type that can be subscribed to', () => {
    for (const environment of ['all', 'sandbox', 'live'])
      expect(create({ url, environment }).success).toBe(true);
    const event_types = [
      'verification.completed',
      'verification.reviewed',
      'income_check.completed',
      'income_check.reviewed',
    ];
    expect(create({ url, event_types }).data?.event_types).toEqual(event_types);
  });

  test.each([
    ['no url', {}],
    ['null as url', { url: null }],
    ['no event types', { url, event_types: [] }],
    ['an unknown event type', { url, event_types: ['verification.started'] }],
    ['the event type of a test, which cannot be subscribed to', { url, event_types: ['webhook.test'] }],
    ['one event type outside an array', { url, event_types: 'verification.completed' }],
    ['an unknown environment', { url, environment: 'test' }],
    ['an unknown field', { url, secret: 'whsec_mine' }],
    ['a lone surrogate in the description', { url, description: '\ud800' }],
    ['a lone surrogate in the url', { url: `${url}/\ud800` }],
  ])('refuses %s', (_, body) => {
    expect(create(body).success).toBe(false);
  });
});

test('only the answer to the creation has room for the secret', () => {
  const endpoint = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    object: 'webhook_endpoint',
    url,
    description: null,
    event_types: ['verification.completed'],
    environment: 'all',
    active: true,
    created_at: '2026-01-01T00:00:00.000Z',
  };
  expect(WebhookEndpoint.parse(endpoint)).toEqual(endpoint);
  expect(WebhookEndpoint.safeParse({ ...endpoint, secret: 'whsec_x' }).success).toBe(false);
  expect(CreatedWebhookEndpoint.safeParse({ ...endpoint, secret: 'whsec_x' }).success).toBe(true);
  expect(CreatedWebhookEndpoint.safeParse({ ...endpoint, secret: 'x' }).success).toBe(false);
});
