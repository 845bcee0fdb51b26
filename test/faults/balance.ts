import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { grants } from '#contract/enums.ts';
import { openStore } from '#store/database/connection.ts';
import { makeKey } from '#test/support/rows/keys.ts';
import { createClient, type FaultClient } from './client.ts';
import type { Received } from './evidence.ts';
import { type Machine, startMachine } from './machine/machine.ts';
import { queryOnce, readLines, until } from './machine/tools.ts';

/**
 * Sends many events while a fifth of the receivers fail: node test/faults/balance.ts [--events 5000]
 * Eight of ten partners have a good receiver. The receiver of one partner always answers 500, so its deliveries are exhausted. The
 * receiver of another never answers, so its deliveries wait until the endpoint is deactivated. Published must equal delivered +
 * scheduled + exhausted + cancelled in the database, and the log of the receiver must agree. The program also prints the memory of
 * the processes, which should not grow with the number of events.
 */

const { values } = parseArgs({ options: { events: { type: 'string', default: '5000' } } });
const partners = ['/failing', '/hanging', ...Array<string>(8).fill('/good')];
const eventsEach = Math.ceil(Number(values.events) / partners.length);
const batch = 5;
const sampleEveryMs = 5_000;
/** An endpoint that keeps failing gets one first attempt in a second, and its last event makes all its attempts. */
const settleMsMax = (eventsEach + 120) * 1_000;

const say = (line: string) => void process.stdout.write(`${line}\n`);

type Partner = { path: string; client: FaultClient; endpointId: string };

async function becomePartner(machine: Machine, path: string, number: number): Promise<Partner> {
  const store = await openStore(machine.databaseUrl, 1);
  const organisation = `Partner ${number}`;
  const wanted = { organisation, environment: 'sandbox', rateLimit: 1_000_000 } as const;
  const { key: sandbox } = await makeKey(store, { ...wanted, grants: [...grants] });
  await store.close();
  const client = createClient(machine.apiUrl, { sandbox }, machine.clientLog);
  const { id } = await client.registerEndpoint(machine.receiverUrl + path);
  return { path, client, endpointId: id };
}

async function publish({ client }: Partner, number: number): Promise<void> {
  for (let n = 0; n < eventsEach; n++) {
    const key = `partner-${number}-event-${n}`;
    const item = {
      seed: n,
      key,
      environment: 'sandbox',
      ending: 'at birth',
      scenario: 'approved',
      thinks: 0,
    } as const;
    const created = await client.create(item);
    if (created?.status !== 201) throw new Error(`event ${key} was answered ${created?.status}`);
  }
}

type Counts = Record<'published' | 'delivered' | 'scheduled' | 'exhausted' | 'cancelled', number>;
const statuses = `
  count(*)::int as published,
  count(*) filter (where d.status = 'delivered')::int as delivered,
  count(*) filter (where d.status in ('pending', 'retrying'))::int as scheduled,
  count(*) filter (where d.status = 'failed')::int as exhausted,
  count(*) filter (where d.status = 'cancelled')::int as cancelled`;

async function countsOf(machine: Machine, path = ''): Promise<Counts> {
  const [counts] = await queryOnce<Counts>(
    machine.databaseUrl,
    `select ${statuses} from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
     where right(w.url, length($1)) = $1`,
    [path],
  );
  if (counts === undefined) throw new Error('no counts');
  return counts;
}

/** Resident megabytes of a process. They can be read on Linux only. */
function residentMb(pid: number | undefined): number {
  const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
  return Math.round((Number(pages) * 4_096) / 1e6);
}

/** Prints one line every few seconds until `stop` is called. */
function watch(machine: Machine) {
  const samples: { api: number; worker: number }[] = [];
  const startedMs = Date.now();
  const look = async () => {
    const sample = { api: residentMb(machine.api.pid()), worker: residentMb(machine.worker.pid()) };
    samples.push(sample);
    const { published, delivered, scheduled, exhausted, cancelled } = await countsOf(machine);
    say(
      `${String(Math.round((Date.now() - startedMs) / 1_000)).padStart(4)} s: API ${sample.api} MB, worker ${sample.worker} MB; ` +
        `${published} published, ${delivered} delivered, ${scheduled} scheduled, ${exhausted} exhausted, ${cancelled} cancelled`,
    );
  };
  const timer = setInterval(() => void look().catch(() => undefined), sampleEveryMs);
  return { samples, stop: () => clearInterval(timer) };
}

const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Compares the second quarter of the run with the last. The first quarter is a warm-up, in which code is compiled and caches fill.
 */
function growth(values: number[]): string {
  const quarter = Math.floor(values.length / 4);
  const [early, late] = [mean(values.slice(quarter, 2 * quarter)), mean(values.slice(-quarter))];
  return `${Math.round(early)} → ${Math.round(late)} MB`;
}

const countsByPath = async (machine: Machine) => ({
  good: await countsOf(machine, '/good'),
  failing: await countsOf(machine, '/failing'),
  hanging: await countsOf(machine, '/hanging'),
});

type CountsByPath = Awaited<ReturnType<typeof countsByPath>> & { all: Counts };

function balance(machine: Machine, { all, good, failing, hanging }: CountsByPath): string[] {
  const goodEvents = 8 * eventsEach;
  const received = readLines<Received>(machine.receiverLog);
  const on = (path: string) => received.filter((line) => line.path === path);
  const perEvent = (path: string) =>
    [...Map.groupBy(on(path), ({ eventId }) => eventId).values()].map(({ length }) => length);
  const checks: [string, boolean][] = [
    ['published, by the database', all.published === 10 * eventsEach],
    [
      'published = delivered + scheduled + exhausted + cancelled',
      all.published === all.delivered + all.scheduled + all.exhausted + all.cancelled,
    ],
    ['every good event was delivered', good.delivered === goodEvents && all.delivered === goodEvents],
    [
      'every good event was received, once',
      perEvent('/good').length === goodEvents && perEvent('/good').every((times) => times === 1),
    ],
    ['every failing delivery is exhausted', failing.exhausted === eventsEach],
    [
      'every failing event was received six times',
      perEvent('/failing').length === eventsEach && perEvent('/failing').every((times) => times === 6),
    ],
    [
      // On a slow machine the run takes so long that a delivery to the receiver that hangs has made all its attempts.
      'the rest is scheduled still, cancelled or exhausted',
      hanging.scheduled + hanging.cancelled + hanging.exhausted === eventsEach && hanging.cancelled > 0,
    ],
    [
      'no event of the rest was received more than six times',
      perEvent('/hanging').every((times) => times <= 6),
    ],
  ];
  return checks.flatMap(([name, holds]) => (holds ? [] : [name]));
}

async function run(): Promise<string[]> {
  const machine = await startMachine();
  try {
    const all: Partner[] = [];
    for (const [number, path] of partners.entries()) all.push(await becomePartner(machine, path, number));
    const memory = watch(machine);
    say(`${10 * eventsEach} events of ${partners.length} partners:`);
    for (let from = 0; from < partners.length; from += batch)
      await Promise.all(all.slice(from, from + batch).map((partner, n) => publish(partner, from + n)));
    await until(
      'all good events are delivered and all failing ones exhausted',
      async () => {
        const { good, failing } = await countsByPath(machine);
        return good.delivered === 8 * eventsEach && failing.exhausted === eventsEach;
      },
      settleMsMax,
      500,
    );
    await all.find(({ path }) => path === '/hanging')?.client.deactivate(all[1]?.endpointId ?? '');
    await until('some are cancelled', async () => (await countsOf(machine)).cancelled > 0, settleMsMax);
    await pause(2 * sampleEveryMs);
    memory.stop();
    for (const { client } of all) await client.stop();
    const counts = { ...(await countsByPath(machine)), all: await countsOf(machine) };
    say(`counts: ${JSON.stringify(counts.all)}`);
    say(`memory, second quarter → last: API ${growth(memory.samples.map(({ api }) => api))}`);
    say(`memory, second quarter → last: worker ${growth(memory.samples.map(({ worker }) => worker))}`);
    return balance(machine, counts);
  } finally {
    await machine.stop();
  }
}

const broken = await run();
for (const name of broken) say(`does not hold: ${name}`);
if (broken.length === 0) say('the books balance');
process.exit(broken.length === 0 ? 0 : 1);
