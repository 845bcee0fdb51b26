import type {
  Advice,
  ConsentItem,
  DecisionRule,
  EvidenceKind,
  IncomeDocumentType,
  Method,
  PictureKind,
} from '#contract/enums.ts';
import { pictureFaults } from '#platform/pictures/picture.ts';
import type { Link } from '#services/flow/find-link.ts';
import { paperFaults } from '#services/flow/papers.ts';
import type { Progress, Stage } from '../pages/components.ts';
import type { Aim } from './aim.ts';
import type { Example } from './examples.ts';

/** Why a request got the page of trouble. */
export type Trouble = 'tooOften' | 'away' | 'tooSlow' | 'other' | 'noPage';

/** Reasons why a step of a person was not accepted. */
export const faults = [
  ...pictureFaults,
  ...paperFaults,
  'no_consent',
  'no_picture',
  'no_paper',
  'too_heavy',
  'still_sending',
  'too_many',
  'no_bank',
  'too_many_visits',
] as const;
export type Fault = (typeof faults)[number];

type Kept = Link['kept'];

/** What the live camera measures: the first that is wrong, or `ready`. */
export type CameraHint =
  | 'more_light'
  | 'aim'
  | 'closer'
  | 'further'
  | 'straight'
  | 'glare'
  | 'hold_still'
  | 'blur'
  | 'ready'
  | 'hold_for_shot';

/** Why the live camera cannot be used. */
export type CameraTrouble = 'denied' | 'absent' | 'busy' | 'insecure' | 'unsupported' | 'coarse' | 'lost';

type Stop = { title: string; text(organisation: string): string; button: string };

export type Texts = {
  otherLanguage: string;
  sandbox: Record<Aim, string>;
  /** What stands around every page. */
  shell: {
    service: string;
    serviceFor: Record<Aim, (organisation: string) => string>;
    questions(contact: string): string;
    privacy(organisation: string): string;
    parts: Record<'start' | 'document' | 'selfie' | 'bank' | 'papers' | 'send', string>;
    step(progress: Progress): string;
    back(organisation: string): string;
  };
  welcome: {
    title: string;
    asks(organisation: string): string;
    /** The title, and what is asked, of an income check. */
    income: { title: string; asks(organisation: string): string };
    needs: Record<ConsentItem | 'camera', { text: string; hint?: string }>;
    minutes: Record<Method, string>;
    /** The names of what the organisation says about itself. */
    about: {
      purpose: string;
      contact: string;
      privacy: string;
      privacyLink: (organisation: string) => string;
    };
    /** What is kept, in three lines. */
    brief: {
      title: string;
      pictures(kept: Kept): string;
      noPictures: string;
      papers(kept: Kept): string;
      noPapers: string;
      result(kept: Kept, organisation: string): string;
      covered: string;
      coveredPapers: string;
      use: Record<Aim, (organisation: string) => string>;
    };
    privacyTitle: string;
    use: Record<Method, (organisation: string) => string>;
    decision: Record<DecisionRule, (organisation: string) => string>;
    /** The same of an income check, which no machine approves. */
    papersDecision: Record<DecisionRule, (organisation: string) => string>;
    /** What is covered on the copy of a document. */
    copy(coversPhoto: boolean): string;
    kept: Record<'pictures' | 'noPictures' | 'papers' | 'noPapers', (kept: Kept) => string> & {
      result(kept: Kept): string;
    };
    rights: (organisation: string) => string;
    complaint: string;
    consent: Record<ConsentItem, (organisation: string) => string>;
    agree: string;
    start: string;
    otherWay: { title: string; text(organisation: string): string; button: string };
    onPhone: string;
    onPhoneText: string;
    qr: string;
  };
  document: {
    title: string;
    which: string;
    kinds: Record<
      'passport' | 'identity_card' | 'residence_permit' | 'driving_licence',
      { name: string; hint: string }
    >;
    other: string;
  };
  picture: Record<PictureKind, { title: string; hint: string }> & {
    send: string;
    sending: string;
    specimen: string;
    specimenShown: string;
    formats: string;
    examples: Record<Example, string>;
  };
  camera: {
    open: string;
    take: string;
    choose: string;
    readable: Record<'document' | 'face', string>;
    /** The text in place of the picture that was taken. */
    taken: string;
    retake: string;
    close: string;
    shutter: string;
    auto: string;
    hints: Record<CameraHint | 'asks' | 'starts', string>;
    /** The hints that are other words for a face. */
    faceHints: Partial<Record<CameraHint, string>>;
    /** The reason, and what to do. The other ways are on the page. A blocked camera has steps of its own for each browser. */
    troubles: Record<Exclude<CameraTrouble, 'denied'>, string>;
    sending: Record<'offline' | 'later' | 'slow', string>;
  };
  handover: {
    title: string;
    waits: string;
    goOnHere: string;
    following: string;
    phoneAt(name: string): string;
    steps: Record<'welcome' | 'document' | 'card_back' | 'selfie' | 'papers' | 'confirm', string>;
    takeOver: string;
    again: string;
    copy: string;
    copied: string;
    notCopied: string;
  };
  /** What a quick look at a picture found, and what to do. */
  advice: Record<Advice, string> & { title: string; anyway: string };
  bank: {
    title: string;
    /** Of sandbox, where an example bank stands for the person's own. */
    text: string;
    confirm: string;
    which: string;
    explained: string;
    /** How a visit to a bank ended without a result. */
    ends: Record<'cancelled' | 'expired' | 'failed' | 'not_begun' | 'unanswered', string>;
    asking: string;
    goTitle(bank: string): string;
    goText(bank: string): string;
    goTo(bank: string): string;
    goTrouble: string;
    waiting(bank: string): string;
    goBack(bank: string): string;
  };
  /** The documents that tell an income. */
  papers: {
    title: string;
    /** Before the list of those that will do. */
    anyOf: string;
    /** Before the list of those that were asked for. */
    asked(organisation: string): string;
    /** The name of each document, and where a person finds it. */
    kinds: Record<IncomeDocumentType, { name: string; where: string }>;
    hints: Record<'file' | 'covered' | 'most', string>;
    choose: string;
    send: string;
    sending: string;
    sandbox: string;
    specimen: string;
    /** The name of a document that was handed in, whose own name nobody keeps. */
    item(number: number): string;
    remove: string;
    another: string;
    full: string;
    /** The faults that have other words where no photo was sent. */
    faults: Record<'too_heavy' | 'still_sending' | 'too_many', string>;
  };
  confirm: {
    title: string;
    text: string;
    received: Record<EvidenceKind, string>;
    again: string;
    /** What enlarges a picture, and what makes it small again. */
    larger: string;
    smaller: string;
    send: string;
  };
  checking: {
    title: string;
    text: string;
    names: Record<'arrived' | 'readingPapers' | Link['stage'], string>;
    states: Record<Stage['state'], string>;
    /** How long it still takes. */
    wait(wait: Link['wait']): string;
    close(organisation: string): string;
    again: string;
  };
  done: {
    title: string;
    text: string;
    next(organisation: string): string;
    byMachine: { title: string; text: string; person(organisation: string): string };
    otherWay: { title: string; text(organisation: string): string };
    contact(contact: string): string;
  };
  expired: { title: string; text: Record<Aim, string>; ask(organisation: string): string };
  cancelled: Record<
    'byOrganisation' | 'byPerson' | 'byPersonWithoutPictures' | 'byPersonWithPapers',
    { title: string; text(organisation: string): string }
  >;
  /** `papers` is for an income check, and `noPictures` for a method without anything to remove. */
  stop: Stop & { papers: Stop; noPictures: Stop };
  noBank: { title: string; text(organisation: string): string };
  unknown: { title: string; text: string; ask: string };
  trouble: { title: string; back: string } & Record<Trouble, string>;
  wrong: string;
  faults: Record<Fault, string>;
};
