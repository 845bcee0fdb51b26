import { expect, test, vi } from 'vitest';
import { createSecrets } from '#platform/crypto/crypto.ts';
import { changeContract } from '#services/eid/contracts.ts';
import { atTheEnd } from '#test/support/at-the-end.ts';
import { type Pages, startMonitor } from '#test/support/documents/alerts.ts';
import { operatorAt } from '#test/support/people/as-operator.ts';
import { startStackWith } from '../outages/stack.ts';
import { scrape } from './page.ts';

export type Monitor = ReturnType<typeof startMonitor>;

/** What the product asks Postgres or Temporal for, each time that the page is read. */
export const counted = [
  ...['webhook_deliveries_open', 'webhook_deliveries_oldest_due_seconds', 'workflow_open'],
  'webhook_deliveries_oldest_queued_seconds',
  ...['flow_submissions_open', 'flow_submissions_oldest_seconds'],
  ...['flow_documents_unmasked', 'flow_documents_unmasked_oldest_seconds'],
  ...['request_claims_open', 'request_claims_oldest_seconds'],
  ...['verification_workflows_unstarted', 'verification_workflows_unstarted_oldest_seconds'],
  ...['housekeeping_overdue_seconds', 'housekeeping_last_success_seconds', 'housekeeping_paused'],
  ...['eid_certificate_left_seconds', 'eid_bank_list_age_seconds'],
];

const eventLoopDelay = 'nodejs_eventloop_delay_p99_seconds';
const partsMax = 20;
const readingSeconds = 90;

/**
 * Starts the product for a file of tests that let rules of docs/operations/alerts.yml ring by their causes. The pages are those of the
 * processes of the product. Only the clock of Prometheus is another one: a page is read again and again until the time of a rule is over.
 */
export async function startWatched(...given: Parameters<typeof startStackWith>) {
  const stack = await startStackWith(...given);
  atTheEnd(stack.stop);
  const agree = agreedWith(stack);
  await agree(40);
  const pages = async (): Promise<Pages> => ({
    api: await read(stack.metricsUrls.api),
    worker: await read(stack.metricsUrls.worker),
  });
  /** Reads the pages until this is so. `before` is called before each reading. */
  const pagesWhen = (isSo: (all: Pages) => boolean, before?: () => Promise<unknown>) =>
    vi.waitFor(
      async () => {
        await before?.();
        const all = await pages();
        expect(isSo(all)).toBe(true);
        return all;
      },
      { timeout: readingSeconds * 1_000, interval: 500 },
    );
  const allCounted = () => pagesWhen((all) => counted.every((name) => has(all, name)));
  // A process that starts is busy, and its page says so for ten seconds.
  const quiet = await pagesWhen(
    (all) => counted.every((name) => has(all, name)) && Math.max(...valuesIn(all, eventLoopDelay)) < 1,
  );

  return {
    ...{ stack, agree, pages, pagesWhen, allCounted, quiet },

    /**
     * Lets the cause happen again and again, with this time of Prometheus after each, until the rule rings. Returns the alerts of the last
     * time.
     */
    async repeated(
      monitor: Monitor,
      alert: string,
      { minutes, cause }: { minutes: number; cause: () => Promise<Pages> },
    ): Promise<string[]> {
      let rang: string[] = [];
      for (let part = 0; part < partsMax && !rang.includes(alert); part++)
        rang = monitor.watch(await cause(), minutes);
      return rang;
    },

    /**
     * A test in which these rules ring by a cause. They are silent before it. `ring` returns the alerts that rang. `missing` says what the
     * test needs and this machine has not.
     */
    ringing(
      alerts: string | readonly string[],
      cause: string,
      ring: (monitor: Monitor) => Promise<readonly string[]>,
      missing?: string,
    ): void {
      const wanted = [alerts].flat();
      test(`${wanted.join(', ')}: ${cause}`, async ({ skip }) => {
        skip(missing !== undefined, missing);
        const monitor = startMonitor();
        const early = monitor.watch(await pages(), 5);
        expect(wanted.filter((alert) => early.includes(alert))).toEqual([]);
        expect(await ring(monitor)).toEqual(expect.arrayContaining(wanted));
      }, 300_000);
    },
  };
}

const read = (url: string) =>
  scrape(url).then(
    ({ samples }) => samples,
    () => [],
  );

/** Gives the organisation of the stack a contract with a bank, whose certificate ends after these days. */
const agreedWith =
  ({ store }: Awaited<ReturnType<typeof startStackWith>>) =>
  async (days: number): Promise<void> => {
    const ctx = { store, secrets: createSecrets([Buffer.alloc(32, 7)]) };
    const certificateEndsAt = new Date(Date.now() + days * 86_400_000);
    const contract = { text: '{}', certificateEndsAt, simulated: true, issuers: [] };
    await changeContract(ctx, await operatorAt(store, 'Acme'), { contract });
  };

/** True if any process has this metric. */
export const has = (all: Pages, wanted: string): boolean =>
  Object.values(all).some((samples) => samples.some(({ name }) => name === wanted));

type Labels = Readonly<Record<string, string>>;

/** The values of a metric in all processes, of the samples with these labels. */
const valuesIn = (all: Pages, wanted: string, labels: Labels = {}): number[] =>
  Object.values(all)
    .flat()
    .filter(({ name }) => name === wanted)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .map(({ value }) => value);

/** Their sum. */
export const valueIn = (all: Pages, wanted: string, labels: Labels = {}): number =>
  valuesIn(all, wanted, labels).reduce((sum, value) => sum + value, 0);
