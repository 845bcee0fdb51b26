import type { Language } from '#contract/enums.ts';

const en = {
  title: 'What you can do',
  create: {
    urlHint: 'It begins with https:// and is public. Redirects are not followed.',
    descriptionHint: 'For your own use, for example the name of the system.',
    faults: {
      url: 'Give a public address that begins with https://, on port 443 or 1024 to 65535, without a user name or a part after #.',
      description: 'Give a text of at most 200 characters.',
      event_types: 'Tick at least one event.',
      environment: 'Choose one of the list.',
      tooMany: 'Your organisation has the most active endpoints that are possible. Delete one first.',
    },
  },
  secret: {
    title: 'Copy the secret now',
    text: 'Your software checks with it that an event comes from us. This is the only time that it is shown. Keep it as you keep a password.',
    kept: 'I have kept the secret',
  },
  test: {
    title: 'Send a test event',
    text: 'The event webhook.test, signed like every event, in one attempt. It says nothing about a verification.',
  },
  rotate: {
    title: 'New secret',
    text: 'A new secret signs from now on. During the time that you choose, the old one signs as well.',
    overlap: 'The old secret also signs for',
    overlaps: { '0': 'no time: it ends now', '1': '1 hour', '24': '24 hours', '168': '7 days' },
    fault: 'Choose one of the list.',
  },
  pause: {
    title: 'Pause',
    text: 'Events wait and use up no attempt, for example while your receiver is being repaired. Test events are still sent.',
  },
  resume: {
    title: 'Resume',
    text: 'Waiting events are sent from now on, oldest first.',
  },
  remove: {
    title: 'Delete the endpoint',
    text: 'It receives nothing more, and what still waits is cancelled. It stays readable, and cannot be used again.',
  },
  resend: {
    title: 'Send again',
    text: 'The same event with the same id, once. A receiver that knows the id ignores it.',
  },
  failed: {
    title: 'Send the failed ones again',
    text: 'All events whose delivery failed and began in these days, oldest first, each in one more attempt. An event that arrived meanwhile or is on its way is left out. One order queues 10,000 at most, and says if more are left.',
    from: 'First day',
    until: 'Last day',
    button: 'Send all again',
    wrongDay: 'Give a date such as 2026-11-23.',
    wrongSpan: 'Choose 1 to 31 days. The last day is not before the first.',
    nothing_failed:
      'Nothing was sent: no delivery of these days failed, or each of those events arrived meanwhile or is on its way.',
    under_way:
      'An earlier order for this endpoint is not finished. Nothing was changed. Wait until it is done.',
    orders: 'Orders to send again',
    asked: 'Ordered',
    days: 'Days',
    progress: 'Progress',
    state: 'Status',
    of: (queued: number, expected: number) => `${queued} of ${expected} queued again`,
    became: (arrived: number, failed: number, open: number) =>
      `${arrived} arrived, ${failed} failed again, ${open} under way`,
    going: 'under way',
    done: 'carried out',
    moreLeft: 'carried out, and more are left: order again for them',
    refresh: 'Show the progress now',
  },
  refused: {
    webhook_inactive: 'The endpoint was deleted, so nothing is sent to it. Nothing was changed.',
    event_expired: 'The body of the event is no longer kept. Nothing was sent.',
  },
};

const nl: typeof en = {
  title: 'Wat u kunt doen',
  create: {
    urlHint: 'Het begint met https:// en is openbaar. Doorverwijzingen worden niet gevolgd.',
    descriptionHint: 'Voor uzelf, bijvoorbeeld de naam van het systeem.',
    faults: {
      url: 'Vul een openbaar adres in dat begint met https://, op poort 443 of 1024 tot en met 65535, zonder gebruikersnaam en zonder deel na #.',
      description: 'Vul een tekst van hoogstens 200 tekens in.',
      event_types: 'Vink minstens één event aan.',
      environment: 'Kies een waarde uit de lijst.',
      tooMany: 'Uw organisatie heeft het maximale aantal actieve endpoints. Verwijder er eerst een.',
    },
  },
  secret: {
    title: 'Kopieer nu het geheim',
    text: 'Uw software controleert hiermee dat een event van ons komt. Het wordt alleen nu getoond. Bewaar het zoals u een wachtwoord bewaart.',
    kept: 'Ik heb het geheim opgeslagen',
  },
  test: {
    title: 'Testevent versturen',
    text: 'Het event webhook.test, ondertekend zoals elk event, in één poging. Het zegt niets over een verificatie.',
  },
  rotate: {
    title: 'Nieuw geheim',
    text: 'Vanaf nu wordt met een nieuw geheim ondertekend. In de tijd die u kiest, wordt ook met het oude ondertekend.',
    overlap: 'Ook nog ondertekenen met het oude geheim',
    overlaps: { '0': 'niet, het stopt meteen', '1': '1 uur', '24': '24 uur', '168': '7 dagen' },
    fault: 'Kies een waarde uit de lijst.',
  },
  pause: {
    title: 'Pauzeren',
    text: 'Events wachten en kosten geen poging, bijvoorbeeld terwijl uw ontvanger wordt gerepareerd. Testevents worden wel verstuurd.',
  },
  resume: {
    title: 'Hervatten',
    text: 'Wachtende events worden nu verstuurd, het oudste eerst.',
  },
  remove: {
    title: 'Endpoint verwijderen',
    text: 'Het ontvangt niets meer, en wachtende bezorgingen worden geannuleerd. U kunt het nog bekijken, maar het kan niet opnieuw worden gebruikt.',
  },
  resend: {
    title: 'Opnieuw versturen',
    text: 'Hetzelfde event met hetzelfde id, één keer. Een ontvanger die het id kent, negeert het.',
  },
  failed: {
    title: 'Mislukte events opnieuw versturen',
    text: 'Alle events waarvan de bezorging in deze dagen begon en is mislukt, de oudste eerst, elk in nog één poging. Een event dat inmiddels is aangekomen of onderweg is, wordt overgeslagen. Een opdracht plant er hoogstens 10.000 in, en meldt het als er meer over zijn.',
    from: 'Eerste dag',
    until: 'Laatste dag',
    button: 'Alle opnieuw versturen',
    wrongDay: 'Vul een datum in, zoals 2026-11-23.',
    wrongSpan: 'Kies 1 tot en met 31 dagen. De laatste dag mag niet vóór de eerste liggen.',
    nothing_failed:
      'Er is niets verstuurd: in deze dagen is geen bezorging mislukt, of die events zijn inmiddels aangekomen of onderweg.',
    under_way:
      'Een eerdere opdracht voor dit endpoint is nog niet klaar. Er is niets gewijzigd. Wacht tot de opdracht klaar is.',
    orders: 'Opdrachten om opnieuw te versturen',
    asked: 'Gegeven op',
    days: 'Dagen',
    progress: 'Voortgang',
    state: 'Status',
    of: (queued, expected) => `${queued} van ${expected} opnieuw ingepland`,
    became: (arrived, failed, open) => `${arrived} aangekomen, ${failed} opnieuw mislukt, ${open} onderweg`,
    going: 'bezig',
    done: 'uitgevoerd',
    moreLeft: 'uitgevoerd, maar er zijn er meer over: geef de opdracht opnieuw',
    refresh: 'Toon nu de voortgang',
  },
  refused: {
    webhook_inactive:
      'Het endpoint is verwijderd, dus er wordt niets naartoe verstuurd. Er is niets gewijzigd.',
    event_expired: 'De inhoud van het event wordt niet meer bewaard. Er is niets verstuurd.',
  },
};

/** The texts of what a member can do with endpoints and deliveries. */
export const webhookActionTexts: Record<Language, typeof en> = { en, nl };
