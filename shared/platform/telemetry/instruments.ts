import { createNoopMeter, type Meter } from '@opentelemetry/api';

/** Seconds. Of a request or an attempt: from what a cache answers to what the deadline ends. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/** Seconds. Of one document: from a picture without a zone to the end that is put to it. */
const checkDurations = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/** Seconds. Of an event until its first attempt: from eager to an outage of hours. */
const ages = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 28_800];

const seconds = (buckets: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries: buckets } });

/**
 * Every figure of our own, by the names of OpenTelemetry's conventions where these have one; `docs/operations/metrics.md` says
 * what each means. An attribute is a word of ours out of a short list: never a value that was sent, an id, or an organisation.
 */
export const instrumentsOf = (meter: Meter) => ({
  requestDuration: meter.createHistogram('http.server.request.duration', {
    description: 'Requests, by route and status; of the agent interface by method or tool',
    ...seconds(durations),
  }),
  creates: meter.createCounter('verification.creates', {
    description: 'Verifications that were asked for, by what came of it',
  }),
  rateLimitRefusals: meter.createCounter('rate_limit.refusals', {
    description: 'Requests beyond a limit, by what the limit is of',
  }),
  rateLimitStore: meter.createObservableGauge('rate_limit.store', {
    description: '1 where requests are counted now',
  }),
  rateLimitBreaker: meter.createObservableGauge('rate_limit.breaker_open', {
    description: '1 while Redis is not asked after failures in a row',
  }),
  keyLookups: meter.createObservableCounter('key_cache.lookups', {
    description: 'API keys that were looked up, by whether the cache knew them',
  }),
  requestLogWaiting: meter.createObservableGauge('request_log.lines_waiting', {
    description: 'Lines of the request log that are not written yet',
  }),
  requestLogLost: meter.createObservableCounter('request_log.lines_lost', {
    description: 'Lines of the request log that were given up',
  }),

  flowSteps: meter.createCounter('flow.steps', {
    description: 'What people pressed and handed in on the hosted page, by what came of it',
  }),
  checksDuration: meter.createHistogram('checks.duration', {
    description: 'How long the examination of a document took, by whether it could be made',
    ...seconds(checkDurations),
  }),
  submissionsOpen: meter.createObservableGauge('flow.submissions.open', {
    description: 'Flows that people finished and that have no verdict yet',
  }),

  attempts: meter.createCounter('webhook.attempts', {
    description: 'Attempts that ended, by outcome, the phase they came to, and class of status',
  }),
  attemptDuration: meter.createHistogram('webhook.attempt.duration', {
    description: 'How long attempts took',
    ...seconds(durations),
  }),
  firstAttemptAge: meter.createHistogram('webhook.first_attempt.age', {
    description: 'How old deliveries were when their first attempt began',
    ...seconds(ages),
  }),
  deferrals: meter.createCounter('webhook.deferrals', {
    description: 'Attempts that were put off, since their endpoint or organisation had its share under way',
  }),
  deliveriesSettled: meter.createCounter('webhook.deliveries.settled', {
    description: 'Deliveries that came to an end, by how',
  }),
  deliveriesOpen: meter.createObservableGauge('webhook.deliveries.open', {
    description: 'Deliveries that are not settled: not due yet, due, or due for over two minutes',
  }),
  oldestDue: meter.createObservableGauge('webhook.deliveries.oldest_due', {
    description: 'For how long the open delivery that waits longest has been due',
    unit: 's',
  }),
  workflowsOpen: meter.createObservableGauge('workflow.open', {
    description: 'Workflows that run, by type, as Temporal counts them',
  }),

  connections: meter.createObservableGauge('db.client.connection.count', {
    description: 'Connections to Postgres',
  }),
  connectionsMax: meter.createObservableGauge('db.client.connection.max', {
    description: 'Connections to Postgres that this process may open',
  }),
  connectionsAwaited: meter.createObservableGauge('db.client.connection.pending_requests', {
    description: 'Queries that wait for a connection',
  }),

  eventLoopDelay: meter.createObservableGauge('nodejs.eventloop.delay.p99', {
    description: 'How late timers were, but for one in a hundred, over the last 10 seconds or more',
    unit: 's',
  }),
  eventLoopDelayMax: meter.createObservableGauge('nodejs.eventloop.delay.max', {
    description: 'How late the latest timer was, over the last 10 seconds or more',
    unit: 's',
  }),
  cpuTime: meter.createObservableCounter('process.cpu.time', {
    description: 'Processor time of this process',
    unit: 's',
  }),
  memory: meter.createObservableGauge('process.memory.usage', {
    description: 'Memory of this process that is resident',
    unit: 'By',
  }),
  heap: meter.createObservableGauge('v8js.memory.heap.used', {
    description: 'Memory that live JavaScript objects take',
    unit: 'By',
  }),
  startTime: meter.createObservableGauge('process.start_time', {
    description: 'When this process started, in seconds since 1970',
    unit: 's',
  }),
});

export type Instruments = ReturnType<typeof instrumentsOf>;

/** Where nobody asks for figures. */
export const noInstruments: Instruments = instrumentsOf(createNoopMeter());
