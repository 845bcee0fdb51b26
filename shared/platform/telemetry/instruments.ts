import { createNoopMeter, type Meter } from '@opentelemetry/api';

/** Bucket boundaries in seconds, for requests and attempts. The largest boundary is the deadline of an attempt. */
const durations = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
/**
 * Bucket boundaries in seconds, for the examination of a document. A picture without a machine-readable zone takes the shortest
 * time. The largest boundary is the time limit of an examination.
 */
const checkDurations = [0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
/**
 * Bucket boundaries in seconds, for the age of a delivery at its first attempt. The boundaries range from an immediate start to an
 * outage of hours.
 */
const ages = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 28_800];

const seconds = (buckets: number[]) => ({ unit: 's', advice: { explicitBucketBoundaries: buckets } });

/**
 * Every metric of the product. If OpenTelemetry has a convention for a name, the metric has that name. `docs/operations/metrics.md`
 * explains all metrics. An attribute has one of a few fixed values, so it never contains an id, an organisation or data of a
 * caller.
 */
export const instrumentsOf = (meter: Meter) => ({
  ...requestInstruments(meter),
  ...consoleInstruments(meter),
  ...flowInstruments(meter),
  ...deliveryInstruments(meter),
  ...housekeepingInstruments(meter),
  ...databaseInstruments(meter),
  ...processInstruments(meter),
});

export type Instruments = ReturnType<typeof instrumentsOf>;

/** Instruments that record nothing, for a process whose metrics are neither served nor exported. */
export const noInstruments: Instruments = instrumentsOf(createNoopMeter());

function requestInstruments(meter: Meter) {
  return {
    requestDuration: meter.createHistogram('http.server.request.duration', {
      description: 'HTTP requests, by route and status; for the agent interface also by method or tool',
      ...seconds(durations),
    }),
    creates: meter.createCounter('verification.creates', {
      description: 'Requests to create a verification, by outcome',
    }),
    createsInProgress: meter.createObservableGauge('verification.creates.in_progress', {
      description: 'Creates that the process works on, by whether they complete at once or stay pending',
    }),
    createsAllowed: meter.createObservableGauge('verification.creates.allowed', {
      description: 'Creates that the process works on at most at once, by kind; further ones are refused',
    }),
    rateLimitRefusals: meter.createCounter('rate_limit.refusals', {
      description: 'Requests that a rate limit refused, by kind of limit',
    }),
    rateLimitStore: meter.createObservableGauge('rate_limit.store', {
      description: '1 for the store that counts requests now',
    }),
    rateLimitBreaker: meter.createObservableGauge('rate_limit.breaker_open', {
      description: '1 while Redis is not asked, after several failures in a row',
    }),
    keyLookups: meter.createObservableCounter('key_cache.lookups', {
      description: 'Lookups of API keys, by whether the cache knew the key',
    }),
    workflowsUnstarted: meter.createObservableGauge('verification.workflows.unstarted', {
      description: 'Verifications whose workflow should have started over 75 seconds ago',
    }),
    oldestUnstarted: meter.createObservableGauge('verification.workflows.unstarted.oldest', {
      description: 'Time since the workflow of the oldest of them should have started',
      unit: 's',
    }),
    claimsOpen: meter.createObservableGauge('request.claims.open', {
      description: 'Requests that have had no answer for over ten minutes, and that nobody repeated',
    }),
    oldestClaim: meter.createObservableGauge('request.claims.oldest', {
      description: 'Time since the oldest of them was sent',
      unit: 's',
    }),
    requestLogWaiting: meter.createObservableGauge('request_log.lines_waiting', {
      description: 'Lines of the request log that are not written yet',
    }),
    requestLogLost: meter.createObservableCounter('request_log.lines_lost', {
      description: 'Lines of the request log that were lost',
    }),
  };
}

function consoleInstruments(meter: Meter) {
  return {
    consoleRefusals: meter.createCounter('console.refusals', {
      description: 'Requests that the console refused, wrong passwords and codes among them, by reason',
    }),
    passwordWork: meter.createObservableCounter('console.password_work', {
      description: 'Slow hashes and judgements of passwords, by whether they were begun or refused',
    }),
    passwordWorkWaiting: meter.createObservableGauge('console.password_work.waiting', {
      description: 'Slow hashes and judgements of passwords that wait for their turn',
    }),
    forwardedForIgnored: meter.createCounter('http.forwarded_for.ignored', {
      description: 'Uses of an X-Forwarded-For from a peer that TRUST_PROXY does not name',
    }),
  };
}

function flowInstruments(meter: Meter) {
  return {
    flowSteps: meter.createCounter('flow.steps', {
      description: 'Steps that people took on the hosted page, by outcome',
    }),
    uploadsEvicted: meter.createCounter('upload.evictions', {
      description: 'Uploads that were ended in favour of another, by what was full and by reason',
    }),
    checksDuration: meter.createHistogram('checks.duration', {
      description: 'Duration of the examination of a document or of a comparison of faces, by outcome',
      ...seconds(checkDurations),
    }),
    pictureLooks: meter.createCounter('picture.looks', {
      description: 'Quick looks at pictures, by kind of picture and by what was found',
    }),
    pictureLookDelay: meter.createHistogram('picture.look.delay', {
      description: 'Time from a picture to what a quick look found',
      ...seconds(durations),
    }),
    programsLost: meter.createCounter('isolated_program.lost', {
      description: 'Processes for pictures and documents that gave no answer, by reason',
    }),
    payloadsRefused: meter.createCounter('workflow.payloads_refused', {
      description: 'Values in Temporal that the product did not encrypt',
    }),
    ordersRefused: meter.createCounter('workflow.orders_refused', {
      description: 'Orders that came through Temporal and that no stored row asks for',
    }),
    reviewsWaiting: meter.createObservableGauge('review.queue.waiting', {
      description: 'Verifications that wait for a person to decide, by environment',
    }),
    oldestReview: meter.createObservableGauge('review.queue.oldest', {
      description: 'Time since the oldest of them came into the queue, by environment',
      unit: 's',
    }),
    submissionsOpen: meter.createObservableGauge('flow.submissions.open', {
      description: 'Submitted flows without a verdict',
    }),
    oldestSubmission: meter.createObservableGauge('flow.submissions.oldest', {
      description: 'Time since the oldest submitted flow without a verdict was submitted',
      unit: 's',
    }),
    documentsUnmasked: meter.createObservableGauge('flow.documents.unmasked', {
      description: 'Verdicts whose document waits for its masked copy',
    }),
    oldestUnmasked: meter.createObservableGauge('flow.documents.unmasked.oldest', {
      description: 'Time since the oldest of them',
      unit: 's',
    }),
  };
}

function deliveryInstruments(meter: Meter) {
  return {
    attempts: meter.createCounter('webhook.attempts', {
      description:
        'Finished delivery attempts, by outcome, last phase, class of status, and new or kept connection',
    }),
    attemptDuration: meter.createHistogram('webhook.attempt.duration', {
      description: 'Duration of delivery attempts',
      ...seconds(durations),
    }),
    firstAttemptAge: meter.createHistogram('webhook.first_attempt.age', {
      description: 'Age of a delivery at the start of its first attempt',
      ...seconds(ages),
    }),
    deferrals: meter.createCounter('webhook.deferrals', {
      description: 'Attempts without a turn, since their endpoint or organisation used its full share',
    }),
    deferredWaits: meter.createCounter('webhook.deferred', {
      description: 'How long retries, resends and tests were told to wait for their turn',
      unit: 's',
    }),
    deliveriesSettled: meter.createCounter('webhook.deliveries.settled', {
      description: 'Deliveries that ended, by final status',
    }),
    deliveriesOpen: meter.createObservableGauge('webhook.deliveries.open', {
      description:
        'Open deliveries, by state: waiting, due, overdue (due for over two minutes), or queued for their turn',
    }),
    oldestDue: meter.createObservableGauge('webhook.deliveries.oldest_due', {
      description: 'Time since the oldest due delivery became due',
      unit: 's',
    }),
    oldestQueued: meter.createObservableGauge('webhook.deliveries.oldest_queued', {
      description: 'How long the oldest delivery has waited for its first turn, paused endpoints apart',
      unit: 's',
    }),
    workflowsOpen: meter.createObservableGauge('workflow.open', {
      description: 'Running workflows, by type, as counted by Temporal',
    }),
  };
}

function housekeepingInstruments(meter: Meter) {
  return {
    purgeOverdue: meter.createObservableGauge('housekeeping.overdue', {
      description: 'For how long the oldest row of a kind of data has been past its time',
      unit: 's',
    }),
    purgeDone: meter.createObservableGauge('housekeeping.last_success', {
      description: 'When no row of a kind of data was left to purge, in seconds since 1970; 0 if never',
      unit: 's',
    }),
    ledgerSigned: meter.createObservableGauge('ledger.signed', {
      description: 'When the ends of the ledger were last signed, in seconds since 1970; 0 if never',
      unit: 's',
    }),
    ledgerBroken: meter.createObservableGauge('ledger.broken_chains', {
      description:
        'Chains that no longer held what was signed the day before, when the ledger was last signed',
    }),
    removalsAhead: meter.createObservableGauge('housekeeping.removals_ahead', {
      description:
        'Live verifications that are removed within 90 days, for which nobody reported the end of the relationship',
    }),
    certificateLeft: meter.createObservableGauge('eid.certificate.left', {
      description:
        'For how long the first certificate of a contract with a bank is valid yet; negative after that',
      unit: 's',
    }),
    bankListAge: meter.createObservableGauge('eid.bank_list.age', {
      description: 'The age of the oldest list of banks of a contract, which its acquirer renews each day',
      unit: 's',
    }),
    housekeepingPaused: meter.createObservableGauge('housekeeping.paused', {
      description: '1 while the schedule of housekeeping is paused',
    }),
  };
}

function databaseInstruments(meter: Meter) {
  return {
    connections: meter.createObservableGauge('db.client.connection.count', {
      description: 'Connections to Postgres',
    }),
    connectionsMax: meter.createObservableGauge('db.client.connection.max', {
      description: 'Connections to Postgres that this process may open',
    }),
    clockOffset: meter.createObservableGauge('process.clock.offset', {
      description: 'By how much the clock of this machine is ahead of that of the database',
      unit: 's',
    }),
    connectionsAwaited: meter.createObservableGauge('db.client.connection.pending_requests', {
      description: 'Queries that wait for a connection',
    }),
  };
}

function processInstruments(meter: Meter) {
  return {
    eventLoopDelay: meter.createObservableGauge('nodejs.eventloop.delay.p99', {
      description: '99th percentile of the event loop delay, over at least the last 10 seconds',
      unit: 's',
    }),
    eventLoopDelayMax: meter.createObservableGauge('nodejs.eventloop.delay.max', {
      description: 'Largest event loop delay, over at least the last 10 seconds',
      unit: 's',
    }),
    cpuTime: meter.createObservableCounter('process.cpu.time', {
      description: 'Processor time of this process',
      unit: 's',
    }),
    memory: meter.createObservableGauge('process.memory.usage', {
      description: 'Resident memory of this process',
      unit: 'By',
    }),
    heap: meter.createObservableGauge('v8js.memory.heap.used', {
      description: 'Memory of live JavaScript objects',
      unit: 'By',
    }),
    startTime: meter.createObservableGauge('process.start_time', {
      description: 'Start time of this process, in seconds since 1970',
      unit: 's',
    }),
  };
}
