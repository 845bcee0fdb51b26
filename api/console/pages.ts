import { homePages } from './pages/home.ts';
import { idinPages } from './pages/idin.ts';
import { keyPages } from './pages/keys.ts';
import { logPages } from './pages/log.ts';
import { memberPages } from './pages/members.ts';
import { operatorPages } from './pages/operator.ts';
import { operatorOrganisationPages } from './pages/operator-organisation.ts';
import { organisationPages } from './pages/organisation.ts';
import { requestsPages } from './pages/requests.ts';
import { accountPages } from './pages/sign-in/account.ts';
import { linkPages } from './pages/sign-in/link.ts';
import { passkeyPages } from './pages/sign-in/passkeys.ts';
import { secondFactorPages } from './pages/sign-in/second-factor.ts';
import { signInPages } from './pages/sign-in/sign-in.ts';
import { usagePages } from './pages/usage.ts';
import { dossierPages } from './pages/verifications/dossiers.ts';
import { ownDecisionPages } from './pages/verifications/own-decisions.ts';
import { queuePages } from './pages/verifications/queue.ts';
import { reviewPages } from './pages/verifications/review.ts';
import { verificationPages } from './pages/verifications/verification.ts';
import { verificationsPages } from './pages/verifications/verifications.ts';
import { deliveryPages } from './pages/webhooks/delivery.ts';
import { webhookPages } from './pages/webhooks/webhook.ts';
import { webhookActionPages } from './pages/webhooks/webhook-actions.ts';
import { webhookFormPages } from './pages/webhooks/webhook-form.ts';
import { webhooksPages } from './pages/webhooks/webhooks.ts';
import type { ConsolePage } from './request.ts';

/**
 * Every page and every form of the console. The navigation has the rows with `nav`, in this order. To add a page: write its rows in
 * `pages/`, add its texts, and name its right in `shared/policy/rights.ts`.
 */
export const consolePages: readonly ConsolePage[] = [
  ...signInPages,
  ...linkPages,
  ...secondFactorPages,
  ...homePages,
  ...operatorPages,
  ...operatorOrganisationPages,
  ...queuePages,
  ...ownDecisionPages,
  ...reviewPages,
  ...verificationsPages,
  ...verificationPages,
  ...dossierPages,
  ...keyPages,
  ...webhooksPages,
  ...webhookFormPages,
  ...webhookPages,
  ...webhookActionPages,
  ...deliveryPages,
  ...requestsPages,
  ...usagePages,
  ...memberPages,
  ...organisationPages,
  ...logPages,
  ...idinPages,
  ...accountPages,
  ...passkeyPages,
];
