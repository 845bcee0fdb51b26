import { accountPages } from './pages/account.ts';
import { deliveryPages } from './pages/delivery.ts';
import { dossierPages } from './pages/dossiers.ts';
import { homePages } from './pages/home.ts';
import { idinPages } from './pages/idin.ts';
import { keyPages } from './pages/keys.ts';
import { linkPages } from './pages/link.ts';
import { logPages } from './pages/log.ts';
import { memberPages } from './pages/members.ts';
import { operatorPages } from './pages/operator.ts';
import { operatorOrganisationPages } from './pages/operator-organisation.ts';
import { organisationPages } from './pages/organisation.ts';
import { passkeyPages } from './pages/passkeys.ts';
import { queuePages } from './pages/queue.ts';
import { requestsPages } from './pages/requests.ts';
import { reviewPages } from './pages/review.ts';
import { secondFactorPages } from './pages/second-factor.ts';
import { signInPages } from './pages/sign-in.ts';
import { usagePages } from './pages/usage.ts';
import { verificationPages } from './pages/verification.ts';
import { verificationsPages } from './pages/verifications.ts';
import { webhookPages } from './pages/webhook.ts';
import { webhookActionPages } from './pages/webhook-actions.ts';
import { webhookFormPages } from './pages/webhook-form.ts';
import { webhooksPages } from './pages/webhooks.ts';
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
