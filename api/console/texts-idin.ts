import type { Language } from '#contract/enums.ts';

const en = {
  title: 'iDIN',
  intro:
    'With a contract with an acquirer for iDIN, your end users can prove who they are at their bank. Without one, your live keys cannot create verifications with the method idin.',
  link: 'Contract for iDIN',
  onlyOwner: 'Only an owner can change this.',
  none: 'There is no contract.',
  simulated:
    'The other side is a simulator. It identifies nobody, and every verdict says so. Use it for tests only.',
  certificate: 'Our certificate is valid until',
  changed: 'Set at',
  banks: 'Banks',
  banksAt: 'Named by the acquirer at',
  soonOver: (days: number) =>
    `The certificate is over ${days < 1 ? 'within a day' : days === 1 ? 'in 1 day' : `in ${days} days`}. Ask your acquirer for the steps, and set the contract with a new one.`,
  over: 'The certificate is over, so idin does not work. Set the contract with a new one.',
  set: 'Set a contract',
  replace: 'Replace the contract',
  setText:
    'The file has the addresses of the acquirer, its certificates, and your certificate with its private key, as JSON. It is stored encrypted and is never shown again. The acquirer is asked for its banks first: if it does not answer, nothing is changed.',
  fields:
    'Its fields: merchantId, subId, legalId, directoryUrl, transactionUrl, statusUrl, certificate, privateKey, acquirerCertificates.',
  file: 'File with the contract',
  send: 'Try and set',
  remove: 'Remove the contract',
  removeText:
    'Your end users can then not use their bank. Somebody who is at a bank now has to begin again in another way. The keys cannot be shown or restored.',
  faults: {
    missing: 'Choose a file of at most 2 MB.',
    faulty: 'The file is no contract that can be used:',
    on_loopback: 'The addresses lead to this machine. Give those of your acquirer.',
    over: 'The certificate in the file is over. Nothing was changed.',
    unanswered: (reason: string) =>
      `The acquirer gave no answer that can be used, so nothing was changed (${reason}).`,
  },
};

const nl: typeof en = {
  title: 'iDIN',
  intro:
    'Met een contract met een acquirer voor iDIN kunnen uw gebruikers bij hun bank laten zien wie zij zijn. Zonder contract kunnen uw live sleutels geen verificaties met de methode idin maken.',
  link: 'Contract voor iDIN',
  onlyOwner: 'Alleen een eigenaar kan dit wijzigen.',
  none: 'Er is geen contract.',
  simulated:
    'De andere kant is een simulator. Die identificeert niemand, en elke uitkomst zegt dat. Gebruik hem alleen om te testen.',
  certificate: 'Ons certificaat is geldig tot',
  changed: 'Ingesteld op',
  banks: 'Banken',
  banksAt: 'Door de acquirer genoemd op',
  soonOver: (days) =>
    `Het certificaat verloopt ${days < 1 ? 'binnen een dag' : days === 1 ? 'over 1 dag' : `over ${days} dagen`}. Vraag uw acquirer om de stappen, en stel het contract in met een nieuw certificaat.`,
  over: 'Het certificaat is verlopen, dus idin werkt niet. Stel het contract in met een nieuw certificaat.',
  set: 'Een contract instellen',
  replace: 'Het contract vervangen',
  setText:
    'Het bestand heeft de adressen van de acquirer, zijn certificaten, en uw certificaat met de privésleutel, als JSON. Het wordt versleuteld bewaard en nooit meer getoond. De acquirer wordt eerst om zijn banken gevraagd: geeft hij geen antwoord, dan verandert er niets.',
  fields:
    'De velden: merchantId, subId, legalId, directoryUrl, transactionUrl, statusUrl, certificate, privateKey, acquirerCertificates.',
  file: 'Bestand met het contract',
  send: 'Proberen en instellen',
  remove: 'Het contract verwijderen',
  removeText:
    'Uw gebruikers kunnen dan niet meer naar hun bank. Wie nu bij een bank is, moet op een andere manier opnieuw beginnen. De sleutels kunnen niet worden getoond of teruggehaald.',
  faults: {
    missing: 'Kies een bestand van hoogstens 2 MB.',
    faulty: 'Het bestand is geen bruikbaar contract:',
    on_loopback: 'De adressen leiden naar deze machine. Geef die van uw acquirer.',
    over: 'Het certificaat in het bestand is verlopen. Er is niets gewijzigd.',
    unanswered: (reason) => `De acquirer gaf geen bruikbaar antwoord, dus er is niets gewijzigd (${reason}).`,
  },
};

/** The texts of the page of the contract for iDIN. */
export const idinTexts: Record<Language, typeof en> = { en, nl };
