import type { Language } from '#contract/enums.ts';

const en = {
  title: 'Usage',
  intro: 'Completed live verifications and income checks by month (UTC). These are on the invoice.',
  sandbox: 'Sandbox is free: it is not counted here and never on an invoice.',
  month: 'Month',
  count: 'Completed',
  chart: 'Share of the busiest month',
  none: 'No live verification was completed in the last twelve months. Sandbox is free, so try it there first.',
  removals: {
    title: 'Removed soon',
    count: (count: string, days: number) => `Removed within ${days} days: ${count} verifications`,
    why: 'For these verifications nobody has reported the end of the business relationship. So their five years count from the day of the verification. With each verification its history and its dossier are removed. This cannot be undone.',
    first: 'The first is removed after',
    how: 'Is one of these persons still your customer, or did they leave later? Report it before that day. The operator of this service notes it with the command npm run relations, also for a list of your references. The verification is then kept for five years from the end of the relationship.',
  },
  requests: {
    title: 'Requests',
    intro:
      'Every request with an API key of your organisation, for 30 days. What was sent and answered is not kept.',
    requestId: 'Request id',
    requestIdHint: 'In full, as in the answer: X-Request-Id.',
    key: 'API key',
    any: 'any',
    path: 'Part of the path',
    pathHint: 'For example webhooks. Ids are written as :id.',
    status: 'Status',
    classes: { '2': '2xx: done', '4': '4xx: refused', '5': '5xx: our fault' },
    show: 'Show',
    none: 'No request was made in these 30 days. Your software needs an API key for one.',
    keys: 'API keys',
    nothing: 'No request matches.',
    columns: {
      at: 'When',
      request: 'Request',
      status: 'Status',
      took: 'Time',
      key: 'API key',
      id: 'Request id',
    },
    milliseconds: (ms: number) => `${ms} ms`,
    unknownKey: 'a key of another time',
  },
};

const nl: typeof en = {
  title: 'Gebruik',
  intro: 'Afgeronde live-verificaties en inkomenscontroles per maand (UTC). Deze staan op de factuur.',
  sandbox: 'Sandbox is gratis: het telt hier niet mee en staat nooit op een factuur.',
  month: 'Maand',
  count: 'Afgerond',
  chart: 'Ten opzichte van de drukste maand',
  none: 'In de laatste twaalf maanden is geen live-verificatie afgerond. Sandbox is gratis, dus probeer het daar eerst.',
  removals: {
    title: 'Binnenkort verwijderd',
    count: (count, days) => `Binnen ${days} dagen verwijderd: ${count} verificaties`,
    why: 'Van deze verificaties heeft niemand het einde van de zakelijke relatie gemeld. Daarom tellen de vijf jaar vanaf de dag van de verificatie. Met elke verificatie worden ook haar geschiedenis en haar dossier verwijderd. Dit kan niet ongedaan worden gemaakt.',
    first: 'De eerste wordt verwijderd na',
    how: 'Is een van deze personen nog uw klant, of is die later vertrokken? Meld dat vóór die dag. De beheerder van deze dienst legt het vast met de opdracht npm run relations, ook voor een lijst van uw kenmerken. De verificatie blijft dan vijf jaar bewaard vanaf het einde van de relatie.',
  },
  requests: {
    title: 'Verzoeken',
    intro:
      'Elk verzoek met een API-sleutel van uw organisatie, 30 dagen lang. Wat er is verstuurd en geantwoord, wordt niet bewaard.',
    requestId: 'Id van het verzoek',
    requestIdHint: 'Volledig, zoals in het antwoord: X-Request-Id.',
    key: 'API-sleutel',
    any: 'alle',
    path: 'Deel van het pad',
    pathHint: 'Bijvoorbeeld webhooks. Id’s staan er als :id.',
    status: 'Status',
    classes: { '2': '2xx: gelukt', '4': '4xx: geweigerd', '5': '5xx: onze fout' },
    show: 'Tonen',
    none: 'In deze 30 dagen is er geen verzoek gedaan. Uw software heeft daarvoor een API-sleutel nodig.',
    keys: 'API-sleutels',
    nothing: 'Geen verzoeken gevonden.',
    columns: {
      at: 'Wanneer',
      request: 'Verzoek',
      status: 'Status',
      took: 'Tijd',
      key: 'API-sleutel',
      id: 'Id van het verzoek',
    },
    milliseconds: (ms) => `${ms} ms`,
    unknownKey: 'een sleutel die er niet meer is',
  },
};

/** The texts of the usage, of what is removed soon, and of the request log. */
export const usageTexts: Record<Language, typeof en> = { en, nl };
