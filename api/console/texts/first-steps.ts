import type { Language } from '#contract/enums.ts';
import type { FirstStep } from '#services/organisations/first-steps.ts';

const en = {
  title: 'First steps',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'done',
  steps: {
    sandboxKey: {
      name: 'Make a sandbox key',
      text: 'Sandbox is free, and the same request always gets the same answer.',
    },
    verification: {
      name: 'Create a verification',
      text: 'A new sandbox key comes with the request to send.',
    },
    webhook: {
      name: 'Add an endpoint for webhooks',
      text: 'Then your system hears of each outcome, and need not ask.',
    },
    appearance: {
      name: 'Say whom your end users can ask',
      text: 'With a contact, your name, your logo and your colour.',
    },
    member: {
      name: 'Invite a colleague',
      text: 'A reviewer decides, a developer reads deliveries, an auditor reads all.',
    },
    liveKey: { name: 'Make a live key', text: 'With it, real people prove who they are.' },
  } satisfies Record<FirstStep, { name: string; text: string }>,
};

const nl: typeof en = {
  title: 'Eerste stappen',
  progress: (done, all) => `${done} van ${all} gedaan`,
  done: 'gedaan',
  steps: {
    sandboxKey: {
      name: 'Maak een sandboxsleutel',
      text: 'Sandbox is gratis en geeft op hetzelfde verzoek altijd hetzelfde antwoord.',
    },
    verification: {
      name: 'Maak een verificatie',
      text: 'Bij een nieuwe sandboxsleutel staat welk verzoek u verstuurt.',
    },
    webhook: {
      name: 'Voeg een endpoint voor webhooks toe',
      text: 'Dan krijgt uw systeem elke uitkomst automatisch.',
    },
    appearance: {
      name: 'Vertel bij wie uw gebruikers terechtkunnen',
      text: 'Met uw contactgegevens, naam, logo en kleur.',
    },
    member: {
      name: 'Nodig een collega uit',
      text: 'Een beoordelaar beslist, een ontwikkelaar ziet bezorgingen, een auditor ziet alles.',
    },
    liveKey: { name: 'Maak een live-sleutel', text: 'Daarmee bewijzen echte mensen wie ze zijn.' },
  },
};

export const firstStepTexts: Record<Language, typeof en> = { en, nl };
