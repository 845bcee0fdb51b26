import type { ConsentItem, DecisionRule, EvidenceKind, Method } from '#contract/enums.ts';
import { pictureFaults } from '#platform/pictures/picture.ts';
import type { Link } from '#services/flow/find-link.ts';

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

type Kept = Link['kept'];

export type Texts = {
  otherLanguage: string;
  sandbox: string;
  welcome: {
    title: string;
    asks(organisation: string): string;
    need: Record<Method, string>;
    minutes: string;
    /** The names of what the organisation says about itself. */
    about: {
      purpose: string;
      contact: string;
      privacy: string;
      privacyLink: (organisation: string) => string;
    };
    privacyTitle: string;
    use: Record<Method, (organisation: string) => string>;
    decision: Record<DecisionRule, (organisation: string) => string>;
    /** What is covered on the copy of a document. */
    copy(coversPhoto: boolean): string;
    kept: Record<'pictures' | 'noPictures', (kept: Kept) => string> & { result(kept: Kept): string };
    rights: (organisation: string) => string;
    complaint: string;
    consent: Record<ConsentItem, (organisation: string) => string>;
    start: string;
    otherWay: { title: string; text(organisation: string): string; button: string };
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
  done: {
    title: string;
    text: string;
    byMachine: { title: string; text: string; person(organisation: string): string };
    otherWay: { title: string; text(organisation: string): string };
    contact(contact: string): string;
  };
  expired: { title: string; text(organisation: string): string };
  cancelled: Record<'byOrganisation' | 'byPerson', { title: string; text(organisation: string): string }>;
  stop: { title: string; text(organisation: string): string; button: string };
  noBank: { title: string; text(organisation: string): string };
  unknown: { title: string; text: string };
  trouble: { title: string; tooOften: string; away: string; other: string; back: string };
  wrong: string;
  faults: Record<Fault, string>;
};
