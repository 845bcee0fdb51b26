import { Problem } from '#contract/errors.ts';
import type { GuardedRequest } from './guarded-request.ts';
import type { ServerContext } from './server-context.ts';

export const uploadGroups = ['process', 'organisation', 'address'] as const;
type Group = (typeof uploadGroups)[number];
/** The organisation had the largest share of what was full, or the upload was slow. */
export const evictionReasons = ['share', 'slow'] as const;

/** An upload is slow if its average rate is lower than `bytesPerMsMax`. It is rated only after `ratedAfterMs`. */
const slow = { bytesPerMsMax: 64, ratedAfterMs: 1_000 } as const;

/** Who sends an upload, and for whom. The sandbox and live uploads of an organisation count separately. */
export type Sender = { owner: Owner; address?: string; request: GuardedRequest };
type Owner = { orgId: string; environment: string };

type Arriving = Sender & {
  process: 'this';
  /** The organisation in one environment. */
  organisation: string;
  startedMs: number;
  /** Ends the upload with the refusal. */
  end(): void;
};

type UploadContext = Pick<ServerContext, 'instruments' | 'log'>;

/**
 * Limits the uploads of an address, of an organisation and of the process that are there at the same time, because each may hold a file in
 * memory. Many people may share one address, for example that of an office, a mobile network or a proxy.
 */
export function createArrivals(
  max: Readonly<Partial<Record<Group, number>>>,
  refusal: 'service_unavailable' | 'overloaded' = 'service_unavailable',
) {
  const arriving = new Set<Arriving>();

  /** Ends an upload of each full group. If no upload of a full group may be ended, the new one is refused and none is ended. */
  const makeRoom = ({ instruments, log }: UploadContext, added: Arriving): void => {
    const evicted: Evicted[] = [];
    for (const full of uploadGroups) {
      const others = [...arriving].filter(
        (each) => each[full] === added[full] && !evicted.some(({ upload }) => upload === each),
      );
      if (others.length < (max[full] ?? Infinity)) continue;
      const found = evictedOf(others, added);
      if (found === undefined) throw new Problem(refusal);
      evicted.push({ ...found, full });
    }
    for (const { upload, full, reason } of evicted) {
      arriving.delete(upload);
      upload.end();
      instruments.uploadsEvicted.add(1, { full, reason });
      const { orgId, environment } = upload.owner;
      log.warn({ full, reason, org_id: orgId, environment }, 'an upload was ended in favour of another');
    }
  };

  /** Receives an upload, or refuses it. It has its place until `receive` ends. */
  return async <Result>(
    ctx: UploadContext,
    sender: Sender,
    receive: () => Promise<Result>,
  ): Promise<Result> => {
    const { orgId, environment } = sender.owner;
    const ended = Promise.withResolvers<never>();
    const added: Arriving = {
      ...{ ...sender, process: 'this', organisation: `${orgId}/${environment}` },
      startedMs: performance.now(),
      end() {
        sender.request.giveUp();
        ended.reject(new Problem(refusal));
      },
    };
    makeRoom(ctx, added);
    arriving.add(added);
    try {
      return await Promise.race([receive(), ended.promise]);
    } finally {
      arriving.delete(added);
    }
  };
}

/** An upload that ends in favour of another, and why. */
type Evicted = { upload: Arriving; full: Group; reason: (typeof evictionReasons)[number] };

/**
 * Only an organisation with more uploads in a group gives way to another one. So no partner keeps out the people of another, or ends what
 * they send. If the largest has at least two more, its slowest upload ends, whatever its rate. Else a slow upload ends, also of the same
 * organisation, since senders that stop in the middle could keep everybody out.
 */
function evictedOf(others: readonly Arriving[], added: Arriving): Omit<Evicted, 'full'> | undefined {
  const shares = Map.groupBy(others, ({ owner }) => owner.orgId);
  const countOf = ({ owner }: Arriving) => shares.get(owner.orgId)?.length ?? 0;
  const own = countOf(added);
  const [largest = []] = [...shares.values()].toSorted((a, b) => b.length - a.length);
  const ofLargest = largest.length > own + 1 ? leastLost(largest.filter(isArriving)) : undefined;
  if (ofLargest !== undefined) return { upload: ofLargest, reason: 'share' };
  const givesWay = (each: Arriving) => each.owner.orgId === added.owner.orgId || countOf(each) > own;
  const slowest = slowestOf(others.filter((each) => isArriving(each) && givesWay(each) && isSlow(each)));
  return slowest && { upload: slowest, reason: 'slow' };
}

/** The slowest of the uploads that are rated. If none is rated, it is the newest, since the least of it has arrived. */
const leastLost = (uploads: readonly Arriving[]): Arriving | undefined =>
  slowestOf(uploads.filter(isRated)) ?? uploads.at(-1);

const slowestOf = (uploads: readonly Arriving[]): Arriving | undefined =>
  uploads.toSorted((a, b) => rateOf(a) - rateOf(b))[0];

/** What has arrived is as good as done, so it is not ended. */
const isArriving = ({ request }: Arriving): boolean => !request.complete;

const isRated = ({ startedMs }: Arriving): boolean => performance.now() - startedMs > slow.ratedAfterMs;
const isSlow = (upload: Arriving): boolean => isRated(upload) && rateOf(upload) < slow.bytesPerMsMax;

/** In bytes per millisecond. */
const rateOf = ({ request, startedMs }: Arriving): number =>
  request.bytesReceived / (performance.now() - startedMs);
