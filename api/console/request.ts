import type { Environment, Language } from '#contract/enums.ts';
import type { RateLimits } from '#platform/limits/rate-limits.ts';
import type { Log } from '#platform/log.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { Right } from '#policy/rights.ts';
import type { Caller } from '#services/caller.ts';
import type { Context } from '#services/context.ts';
import type { OwnContractContext } from '#services/eid/own-contract.ts';
import type { Device } from '#services/members/context.ts';
import type { SignedIn } from '#services/members/sessions.ts';
import type { Markup } from '../pages/markup.ts';
import type { FormPurpose, FormToken } from './session/form-token.ts';
import type { KnownBrowser } from './session/known-browser.ts';
import type { Notice, Texts } from './texts/texts.ts';

/** The context of the console's process. `attempts` counts guesses in windows of a quarter of an hour. */
export type ConsoleContext = Context & {
  attempts: RateLimits;
  log: Log;
  /** Draws logos anew. */
  decoder: Pick<PictureDecoder, 'logo'>;
  /** Reads a contract for iDIN, and asks its acquirer. */
  tryContract: OwnContractContext['tryContract'];
  /** The start of the addresses of workflows in Temporal's UI, with a final slash. Undefined: no links. */
  workflowsUrl: string | undefined;
};

/** What every page can use. */
export type PageRequest = {
  ctx: ConsoleContext & { deadlineAt: number; requestId: null };
  language: Language;
  text: Texts;
  /** The parts of the path that the pattern names, such as `id`. */
  params: Record<string, string>;
  /** What the address asks for, of the parameters in the row of the page. */
  query: URLSearchParams;
  /** The fields of a form that was sent, without its token. Empty for a GET. */
  form: URLSearchParams;
  /** The file of a form that takes one. Undefined if none was sent, or if it is larger than `memberLimits.logoUploadBytesMax`. */
  file: Buffer | undefined;
  /** The hidden field that every form needs. */
  token: Markup;
  /** The hidden field of a form that follows the right password. */
  tokenAfterPassword: () => Markup;
  /** The token of the form that was sent, which is used up now. Undefined for a GET. */
  formToken: FormToken | undefined;
  device: Device;
  /** Undefined if nobody signed in with this browser before. */
  knownBrowser: KnownBrowser | undefined;
  /** The prefix of every link to the console, without a trailing slash. */
  url: string;
};

/** A request of somebody who is signed in. */
export type MemberRequest = PageRequest & {
  member: SignedIn;
  /** Who asks, in each environment. What belongs to neither is the same in both. */
  callers: Record<Environment, Caller>;
};

/** A page, inside the frame. */
export type View = {
  title: string;
  body: Markup;
  /** True if pictures are written into the page. */
  hasPictures?: boolean;
  /** True if the page has the preview of a hosted page in a frame. */
  hasPreview?: boolean;
  /** True if the page needs the whole width: the navigation lies above it, not beside it. */
  isWide?: boolean;
  /** True if the title of the window begins with the word for a fault. */
  isFaulty?: boolean;
} & Outcome;

/**
 * 200 by default. A form that is shown again with its faults has 422. `refused` says why nothing was changed or shown, as a word for the
 * log. Every page that refuses has one, and so has a form with a wrong password or code.
 */
type Outcome =
  | { status?: 200 | 422 | undefined; refused?: string | undefined }
  | { status: 403 | 404 | 409 | 429; refused: string };

export type Answer =
  | View
  | {
      /** The path to go on with. */
      to: string;
      /** A sentence that the next page shows. */
      notice?: Notice;
      /** The token of a session that begins now. */
      session?: string;
    }
  | { view: View; session: string }
  | { file: Buffer; name: string; type: string }
  | {
      /** A whole document, which a page of the console shows in a frame. */
      preview: string;
    }
  | { signedOut: true };

/**
 * Who may use a page. `anybody`: also somebody who is not signed in. `code`: the password was right and the code is missing. `setup`: the
 * role needs a second factor that is missing. `signed_in`: with or without these. Else a right of the table.
 */
export type Audience = 'anybody' | 'code' | 'setup' | 'signed_in' | Right;

type Common = {
  method: 'GET' | 'POST';
  path: string;
  /** The parameters of the address that the page reads, besides the language and the place to go on to. It gets no others. */
  query?: readonly string[];
  /** The page is in the navigation under this name, for those who may use it. */
  nav?: keyof Texts['nav'];
  /** `password`: the form is accepted only with the token of `tokenAfterPassword`. */
  needs?: FormPurpose;
  /** The name of the file that the form takes, in a form whose first field it is. The token follows. */
  file?: string;
};

/** A row of the table of pages. To add a page, add a row to `api/console/pages.ts`. */
export type ConsolePage = Common &
  (
    | {
        for: 'anybody';
        run(request: PageRequest & { member: SignedIn | undefined }): Promise<Answer> | Answer;
      }
    | { for: Exclude<Audience, 'anybody'>; run(request: MemberRequest): Promise<Answer> | Answer }
  );
