import { createHash, randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { IncomeReader } from '#activities/checks/port.ts';
import { incomeCheckKinds } from '#contract/enums.ts';
import type { IncomePaper, Judgement, Result, Signal } from '#contract/income/papers.ts';
import { startFlow, submitFlow } from '#services/flow/commands.ts';
import { findLink } from '#services/flow/find-link.ts';
import { handInPaper } from '#services/flow/papers.ts';
import type { Harness } from '#test/support/harness.ts';
import { startPartner } from '#test/support/people/partner.ts';

/** A4 in points. */
const size = { width: 595, height: 842 };

/** The signs of a document by its place among those that were handed in. */
export type Prepared = { signals: (Omit<Signal, 'documentId'> & { document: number })[]; result: Result };

/**
 * Reads nothing. A file that begins with `%PDF-locked` opens with a password only. Every other one is a payslip of two pages, and says what
 * was prepared. A check fails if the sign of its kind is `replaced`.
 */
export function preparedReader(prepared: Prepared, page: Uint8Array): IncomeReader {
  const isLocked = (pdf: Uint8Array) => Buffer.from(pdf).includes('%PDF-locked');
  return {
    read: async (pdf) =>
      isLocked(pdf)
        ? { facts: locked(pdf), pages: undefined }
        : { facts: readable(pdf), pages: [page, page] },
    judge: async (papers) => {
      const signals = prepared.signals.flatMap(({ document, ...signal }): Signal[] => {
        const documentId = papers[document]?.id;
        return documentId === undefined ? [] : [{ ...signal, documentId }];
      });
      return { checks: papers.flatMap(checksOf(signals)), signals, ...judgedDocuments(papers, prepared) };
    },
    close: async () => undefined,
  };
}

const hashOf = (pdf: Uint8Array) => createHash('sha256').update(pdf).digest('hex');

const locked = (pdf: Uint8Array): IncomePaper => ({
  ...{ readable: false, sha256: hashOf(pdf), reason: 'encrypted' },
});

const readable = (pdf: Uint8Array): IncomePaper => ({
  ...{ readable: true, sha256: hashOf(pdf), textSha256: null, locked: false },
  pages: [1, 2].map(() => ({ ...size, words: [], annotations: [], imageShare: 0 })),
  ...{ fonts: [], revisions: [], signatures: [] },
  made: {
    ...{ producer: '', creator: '', createdAt: null, modifiedAt: null },
    ...{ xmpCreatedAt: null, xmpModifiedAt: null, xmpProducer: null },
  },
  active: { javascript: false, launch: false, embeddedFiles: false, remote: false },
});

type Papers = Parameters<IncomeReader['judge']>[0];

const checksOf =
  (signals: readonly Signal[]) =>
  ({ id: documentId, facts }: Papers[number]): Judgement['checks'] =>
    incomeCheckKinds
      .filter((kind) => facts.readable || kind === 'file_integrity' || kind === 'duplicate')
      .map((kind) => {
        const own = signals.filter((signal) => signal.documentId === documentId && signal.kind === kind);
        const isFailed = own.some(({ sign }) => sign === 'replaced');
        const result = isFailed ? 'failed' : own.length > 0 ? 'doubt' : 'passed';
        return { kind, result, confidence: 0.9, documentId };
      });

const judgedDocuments = (papers: Papers, { result }: Prepared): Pick<Judgement, 'documents' | 'result'> => ({
  documents: papers.map(({ id, facts }) => ({
    ...{ id, type: facts.readable ? 'payslip' : null, pages: facts.readable ? facts.pages.length : null },
    ...{ issuedOn: null, periodStart: null, periodEnd: null },
  })),
  result,
});

/** An organisation that has income checks in live, and receives their events. */
export async function startIncomeOffice(harness: Harness) {
  const event_types = ['income_check.completed', 'income_check.reviewed'];
  const partner = await startPartner(harness, { environment: 'live', endpoint: { event_types } });
  const read = async (id: string) => (await partner.ask('GET', `/income-checks/${id}`)).json;

  /** A person hands in these files and sends them. Returns the id when there is a verdict. */
  async function sent(files: readonly (Buffer | string)[], body: object = {}): Promise<string> {
    const { json } = await partner.ask('POST', '/income-checks', body);
    const token = new URL(json.upload_url).pathname.split('/').at(-1) ?? '';
    const flow = () => ({ ...harness.ctx, requestId: randomUUID(), deadlineAt: Date.now() + 10_000 });
    const link = async () => {
      const found = await findLink(harness.ctx, token);
      if (found === undefined) throw new Error('the link opens nothing');
      return found;
    };
    const sender = { address: '192.0.2.1', userAgent: 'Test browser' };
    await startFlow(flow(), token, await link(), { language: 'nl', sender });
    for (const file of files)
      expect(await handInPaper(harness.ctx, await link(), Buffer.from(file))).toBeUndefined();
    await submitFlow(flow(), token, await link());
    const isDone = async () => expect((await read(json.id)).status).toBe('completed');
    await vi.waitFor(isDone, { timeout: 30_000, interval: 50 });
    return json.id;
  }

  /** The events of this type about the income check that the receiver got. */
  const received = (id: string, type: string) =>
    partner.receiver.received
      .map(({ body }) => JSON.parse(String(body)))
      .filter((event) => event.type === type && event.data.income_check_id === id);

  return { ...partner, read, sent, received };
}
