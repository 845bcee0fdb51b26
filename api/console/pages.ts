import { accountPages } from './pages/account.ts';
import { homePages } from './pages/home.ts';
import { keyPages } from './pages/keys.ts';
import { linkPages } from './pages/link.ts';
import { memberPages } from './pages/members.ts';
import { queuePages } from './pages/queue.ts';
import { reviewPages } from './pages/review.ts';
import { secondFactorPages } from './pages/second-factor.ts';
import { signInPages } from './pages/sign-in.ts';
import { verificationPages } from './pages/verification.ts';
import { verificationsPages } from './pages/verifications.ts';
import type { ConsolePage } from './request.ts';

/**
 * Every page and every form of the console. The navigation has the rows with `nav`, in this order. To add a page: write its rows in
 * `pages/`, add its texts, and name its right in `roles.ts`.
 */
export const consolePages: readonly ConsolePage[] = [
  ...signInPages,
  ...linkPages,
  ...secondFactorPages,
  ...homePages,
  ...queuePages,
  ...reviewPages,
  ...verificationsPages,
  ...verificationPages,
  ...keyPages,
  ...memberPages,
  ...accountPages,
];
