import { deepEqual, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Stripe from 'stripe';

/**
 * The library stripe-node checks our test vectors. Stripe signs webhooks by the same scheme, under another header name. It accepts
 * timestamps from the future, so vectors for these are left out.
 */
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/webhook-signatures.json', import.meta.url), 'utf8'),
).filter(({ result }) => result !== 'too_new');
const { webhooks } = new Stripe('sk_test_none');
const toleranceSeconds = 300;

for (const { title, body, header, secrets, now, result } of vectors) {
  const isAccepted = (secret) => {
    try {
      const event = webhooks.constructEvent(body, header, secret, toleranceSeconds, undefined, now * 1000);
      deepEqual(event, JSON.parse(body));
      return true;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
      throw error;
    }
  };
  deepEqual({ title, accepted: secrets.some(isAccepted) }, { title, accepted: result === 'valid' });
}
throws(() => webhooks.constructEvent('{}', 't=1,v1=0', 'whsec_x'));
console.log(`stripe-node agrees on ${vectors.length} signatures`);
