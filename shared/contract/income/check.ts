import { z } from 'zod';
import {
  checkResults,
  environments,
  incomeCheckKinds,
  incomeDocumentTypes,
  outcomes,
  payFrequencies,
  verificationStatuses,
} from '../enums.ts';
import { ownReference, sandboxSettings, text, timestamp, uuid } from '../fields.ts';
import { listOf } from '../list.ts';
import { SentFile } from '../sent-file.ts';
import { isPdf, paperLimits } from './papers.ts';

const date = z.iso.date();
const cents = z.int().describe('In cents.');

const SentDocument = z
  .strictObject({
    filename: text(255).optional().describe('It is not kept.'),
    content_type: z.literal('application/pdf'),
    content_base64: z
      .custom<SentFile>((value) => value instanceof SentFile, 'must be base64')
      .meta({
        override: { type: 'string', contentEncoding: 'base64' },
        description: `The file in base64 (RFC 4648, section 4). At most ${paperLimits.bytesMax / 1_000_000} MB before it.`,
      }),
  })
  .refine(({ content_base64: { bytes } }) => isPdf(bytes), {
    path: ['content_base64'],
    message: 'must be a PDF',
  })
  .meta({ id: 'SentIncomeDocument' });

const sha256Of = ({ content_base64: content }: z.output<typeof SentDocument>): string => content.sha256;

/** The body of POST /income-checks (specification 4.1, rule 6). */
export const CreateIncomeCheck = z
  .strictObject({
    reference: ownReference,
    verification_id: uuid
      .optional()
      .describe('A verification of the same person. The name on the documents is compared with it.'),
    document_types: z
      .array(z.enum(incomeDocumentTypes))
      .min(1)
      .refine((types) => new Set(types).size === types.length, 'must not repeat a value')
      .meta({ uniqueItems: true })
      .optional()
      .describe('The documents that your end user is asked for. Without it the end user chooses.'),
    documents: z
      .array(SentDocument)
      .min(1)
      .max(paperLimits.papersMax)
      .refine((list) => new Set(list.map(sha256Of)).size === list.length, 'must not have a document twice')
      .optional()
      .describe(
        'The documents, if you have them already. Your end user then hands in nothing, and there is no `upload_url`. Sandbox keeps none.',
      ),
    sandbox: sandboxSettings('income check'),
  })
  .meta({ id: 'CreateIncomeCheck' });
export type CreateIncomeCheck = z.output<typeof CreateIncomeCheck>;

const IncomeDocument = z
  .strictObject({
    id: uuid,
    object: z.literal('income_document'),
    type: z
      .enum(incomeDocumentTypes)
      .nullable()
      .describe('Null before it is read, or if it is of no known type.'),
    sha256: z.string().describe('SHA-256 of the file, in hex.'),
    pages: z.int().nullable(),
    issued_on: date.nullable(),
    period_start: date.nullable(),
    period_end: date.nullable(),
  })
  .meta({ id: 'IncomeDocument' });

const IncomeResult = z
  .strictObject({
    currency: z.literal('EUR'),
    employer_name: z.string().nullable(),
    period_start: date.nullable(),
    period_end: date.nullable(),
    gross_cents: cents.nullable(),
    net_cents: cents.nullable(),
    annual_gross_estimate_cents: cents
      .nullable()
      .describe('The gross amount, carried forward to a year, with the holiday allowance. In cents.'),
    pay_frequency: z.enum(payFrequencies).nullable(),
  })
  .meta({
    id: 'IncomeResult',
    description:
      'What the documents say. It is written once and never changes. Null is what they do not say.',
  });
export type IncomeResult = z.output<typeof IncomeResult>;

const IncomeVerdictCheck = z
  .strictObject({
    kind: z.enum(incomeCheckKinds),
    result: z.enum(checkResults),
    confidence: z.number().min(0).max(1),
    document_id: uuid.nullable().describe('Null if the check is about all documents together.'),
  })
  .meta({ id: 'IncomeVerdictCheck' });

const IncomeVerdict = z
  .strictObject({
    outcome: z.enum(outcomes),
    reasons: z.array(z.string()).describe('The reasons for the outcome, in plain English.'),
    reviewed: z.boolean().describe('Whether a person has made the final assessment.'),
    checks: z.array(IncomeVerdictCheck),
  })
  .meta({ id: 'IncomeVerdict' });

/** An income check in answers of REST. */
export const IncomeCheck = z
  .strictObject({
    id: uuid,
    object: z.literal('income_check'),
    status: z.enum(verificationStatuses),
    environment: z.enum(environments).describe('The environment of the key.'),
    reference: z.string().nullable().describe('Your own reference; null if you gave none.'),
    verification_id: uuid.nullable(),
    upload_url: z
      .url()
      .nullable()
      .describe(
        'The link where your end user hands in the documents. Anyone who has it can continue, so do not log it. Null to a key without `verify:create`, and if you sent the documents.',
      ),
    documents: z.array(IncomeDocument),
    result: IncomeResult.nullable().describe(
      'Null until the income check is completed, and if nothing could be read.',
    ),
    verdict: IncomeVerdict.nullable().describe('Null until the income check is completed.'),
    dossier_ref: z.string().nullable().describe('The reference of the audit dossier.'),
    created_at: timestamp,
  })
  .meta({ id: 'IncomeCheck' });
export type IncomeCheck = z.output<typeof IncomeCheck>;

/** The answer of GET /income-checks. */
export const IncomeCheckList = listOf(IncomeCheck).meta({ id: 'IncomeCheckList' });
export type IncomeCheckList = z.output<typeof IncomeCheckList>;
