/** The points at which a part can be made to die. The report uses these names. */
export const apiPoints = [
  'API between claim and Temporal call',
  'API between Temporal call and answer',
  'API between the commit of a pending create and its start',
  'API before the Temporal call of /complete',
  'API between Temporal call and answer of /complete',
] as const;

export const workerPoints = [
  'worker before the recording transaction',
  'worker during the recording transaction',
  'worker after the recording transaction',
  'worker before the completing transaction',
  'worker during the completing transaction',
  'worker after the completing transaction',
  'worker before startDeliveries',
  'worker after startDeliveries',
  'worker before the attempt row',
  'worker during the attempt row',
  'worker between attempt row and send',
  'worker after 2xx before commit',
  'worker during the commit of the outcome',
  'worker after commit',
] as const;

/** Only the receiver can see these two moments. It informs the harness, which kills the worker. */
export const receiverPoints = ['worker during connect', 'worker after send'] as const;

export type CrashPoint =
  | (typeof apiPoints)[number]
  | (typeof workerPoints)[number]
  | (typeof receiverPoints)[number];

/** The order of the harness to a part: die at the n-th arrival at this point. Undefined means that the part must not die. */
export type Order = { point: CrashPoint; arrival: number } | undefined;
