import { Problem } from '#contract/errors.ts';
import { type EndpointWatch, watchEndpoint } from '#services/webhooks/watch.ts';
import type { Answer, MemberRequest } from '../../request.ts';
import { notFound } from '../../trouble.ts';

/** An endpoint of the member's organisation. Endpoints belong to both environments. */
export type FoundEndpoint = EndpointWatch;

/** Undefined if the path names no endpoint of the organisation. */
const findEndpoint = ({ ctx, callers, params }: MemberRequest): Promise<FoundEndpoint | undefined> =>
  watchEndpoint(ctx, callers.live, { id: params.id ?? '' }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    return undefined;
  });

/** Runs with the endpoint that the path names, or shows that there is none. */
export const withEndpoint =
  (run: (request: MemberRequest, found: FoundEndpoint) => Promise<Answer> | Answer) =>
  async (request: MemberRequest): Promise<Answer> => {
    const found = await findEndpoint(request);
    return found === undefined ? notFound(request) : run(request, found);
  };
