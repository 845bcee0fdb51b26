import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Removed soon',
  count: (count: string, days: number) => `Removed within ${days} days: ${count} verifications`,
  why: 'For these verifications nobody has reported the end of the business relationship. So their five years count from the day of the verification. With each verification its history and its dossier are removed. This cannot be undone.',
  first: 'The first is removed after',
  how: 'Is one of these persons still your customer, or did they leave later? Report it before that day. The operator of this service notes it with the command npm run relations, also for a list of your references. The verification is then kept for five years from the end of the relationship.',
  member: {
    remove: 'Remove for good',
    text: 'The e-mail address, the password, the second factor and the passkeys are deleted. What the member did stays in the history, under a number. This cannot be undone.',
    notDisabled: 'Disable the member first.',
  },
};

const nl: typeof en = {
  title: 'Binnenkort verwijderd',
  count: (count, days) => `Binnen ${days} dagen verwijderd: ${count} verificaties`,
  why: 'Van deze verificaties heeft niemand het einde van de zakelijke relatie gemeld. Daarom tellen de vijf jaar vanaf de dag van de verificatie. Met elke verificatie worden ook haar geschiedenis en haar dossier verwijderd. Dat kan niet ongedaan worden gemaakt.',
  first: 'De eerste wordt verwijderd na',
  how: 'Is een van deze personen nog uw klant, of is die later vertrokken? Meld dat vóór die dag. De beheerder van deze dienst legt het vast met de opdracht npm run relations, ook voor een lijst van uw referenties. De verificatie blijft dan vijf jaar bewaard vanaf het einde van de relatie.',
  member: {
    remove: 'Definitief verwijderen',
    text: 'Het e-mailadres, het wachtwoord, de tweede factor en de passkeys worden gewist. Wat het lid deed blijft in de geschiedenis, onder een nummer. Dat kan niet ongedaan worden gemaakt.',
    notDisabled: 'Schakel het lid eerst uit.',
  },
};

/** The texts about what is removed: verifications after their years, and members. */
export const removalTexts: Record<Language, typeof en> = { en, nl };
