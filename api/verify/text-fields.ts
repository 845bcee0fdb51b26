import type { EvidenceKind, Method } from '#contract/enums.ts';
import { pictureFaults } from '#platform/pictures/picture.ts';

/** Reasons why a step of a person was not accepted. */
export const faults = [
  ...pictureFaults,
  'no_consent',
  'no_picture',
  'too_heavy',
  'still_sending',
  'too_many',
] as const;
export type Fault = (typeof faults)[number];

export type Texts = {
  otherLanguage: string;
  sandbox: string;
  welcome: {
    title: string;
    asks(organisation: string): string;
    need: Record<Method, string>;
    minutes: string;
    privacyTitle: string;
    privacy: Record<Method, (organisation: string) => string>;
    consent: Record<Method, (organisation: string) => string>;
    start: string;
    onPhone: string;
    onPhoneText: string;
    qr: string;
  };
  document: { title: string; which: string; passport: string; card: string; other: string };
  picture: Record<Exclude<EvidenceKind, 'bank'>, { title: string; hint: string }> & {
    choose: string;
    send: string;
    sending: string;
    specimen: string;
    specimenShown: string;
    formats: string;
  };
  bank: { title: string; text: string; confirm: string };
  confirm: {
    title: string;
    text: string;
    received: Record<EvidenceKind, string>;
    again: string;
    send: string;
  };
  checking: { title: string; text: string };
  done: { title: string; text: string };
  expired: { title: string; text(organisation: string): string };
  cancelled: Record<'byOrganisation' | 'byPerson', { title: string; text(organisation: string): string }>;
  stop: { title: string; text(organisation: string): string; button: string };
  noBank: { title: string; text(organisation: string): string };
  unknown: { title: string; text: string };
  trouble: { title: string; tooOften: string; away: string; other: string; back: string };
  wrong: string;
  faults: Record<Fault, string>;
};
