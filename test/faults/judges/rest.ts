import { type Evidence, type Finding, found } from '../evidence.ts';
import { seedOf } from '../items.ts';

/** After the end nothing may wait: no claim of a request without its answer, and no workflow whose work is done. */
export function judgeRest({ stored, running }: Evidence): Finding[] {
  const claims = stored.requests.filter(({ status }) => status === 'claimed');
  const openDeliveries = new Set(stored.deliveries.filter(isOpen).map(({ id }) => `delivery/${id}`));
  const openVerifications = new Set(
    stored.verifications.filter(({ status }) => status !== 'completed').map(({ id }) => `verification/${id}`),
  );
  const idle = running.filter(({ id }) => !openDeliveries.has(id) && !openVerifications.has(id));
  const seedOfId = new Map(
    stored.verifications.map(({ id, reference }) => [`verification/${id}`, seedOf(reference)]),
  );
  return [
    ...claims.map(({ idempotency_key: key }) =>
      found('stuck', seedOf(key), `${key}: its request was never carried out`),
    ),
    ...idle.map(({ id, history }) =>
      found(
        'stuck',
        seedOfId.get(id),
        `the workflow ${id} runs and has nothing to do after ${history.join(' ')}`,
      ),
    ),
  ];
}

const isOpen = ({ status }: { status: string }) => status === 'pending' || status === 'retrying';
