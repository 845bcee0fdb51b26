import type { Language } from '#contract/enums.ts';

const en = {
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
    lookedBackTo: 'Looked back to',
    older: 'Look further back',
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
  usage: {
    title: 'Usage',
    intro: 'Completed live verifications by month (UTC). These are on the invoice.',
    sandbox: 'Sandbox is free: it is not counted here and never on an invoice.',
    month: 'Month',
    count: 'Completed',
    chart: 'Share of the busiest month',
    none: 'No live verification was completed in the last twelve months. Sandbox is free, so try it there first.',
  },
};

const nl: typeof en = {
  requests: {
    title: 'Verzoeken',
    intro:
      'Elk verzoek met een API-sleutel van uw organisatie, 30 dagen lang. Wat is gestuurd en geantwoord, wordt niet bewaard.',
    requestId: 'Id van het verzoek',
    requestIdHint: 'Volledig, zoals in het antwoord: X-Request-Id.',
    key: 'API-sleutel',
    any: 'alle',
    path: 'Deel van het pad',
    pathHint: 'Bijvoorbeeld webhooks. Ids staan er als :id.',
    status: 'Status',
    classes: { '2': '2xx: gelukt', '4': '4xx: geweigerd', '5': '5xx: onze fout' },
    show: 'Tonen',
    none: 'In deze 30 dagen was er geen verzoek. Uw software heeft daarvoor een API-sleutel nodig.',
    keys: 'API-sleutels',
    nothing: 'Geen verzoek past bij deze keuze.',
    lookedBackTo: 'Teruggekeken tot',
    older: 'Verder terugkijken',
    columns: {
      at: 'Wanneer',
      request: 'Verzoek',
      status: 'Status',
      took: 'Tijd',
      key: 'API-sleutel',
      id: 'Id van het verzoek',
    },
    milliseconds: (ms) => `${ms} ms`,
    unknownKey: 'een sleutel van een andere tijd',
  },
  usage: {
    title: 'Gebruik',
    intro: 'Voltooide live verificaties per maand (UTC). Deze staan op de factuur.',
    sandbox: 'Sandbox is gratis: het telt hier niet mee en staat nooit op een factuur.',
    month: 'Maand',
    count: 'Voltooid',
    chart: 'Deel van de drukste maand',
    none: 'In de laatste twaalf maanden is geen live verificatie voltooid. Sandbox is gratis, dus probeer het daar eerst.',
  },
};

/** The texts of the request log and of the usage. */
export const usageTexts: Record<Language, typeof en> = { en, nl };
