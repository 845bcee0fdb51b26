import type { Environment, VerificationStatus } from '#contract/enums.ts';

const askAgain =
  'Call get_verification with this id to see the outcome; status is completed once it is there.';

/** A text for the agent. It says who must act next, and how the agent finds out that the verification is completed. */
export function nextStep({
  environment,
  status,
}: {
  environment: Environment;
  status: VerificationStatus;
}): string {
  if (status === 'completed')
    return 'Nothing is left to do: sandbox completed this verification at once, and verdict holds the outcome.';
  if (environment === 'sandbox')
    return `Open verify_url to try the flow, or call complete_verification with this id to stand in for the person. ${askAgain}`;
  return `Give verify_url to the person to verify, and to nobody else. Only that person can complete the verification, and it may take hours or days. ${askAgain} Do not ask more than once a minute; a webhook saves you the asking.`;
}
