import type Router from '@koa/router';
import { type Patience, patiences } from '#contract/movements.ts';
import { acceptsNow } from '#services/flow/hand-in.ts';
import { adviceSoon } from '#services/flow/looks.ts';
import { askForMovements, goWithoutMovements, handInMovements } from '#services/flow/movements/movements.ts';
import type { ClientAddress } from '../client-address.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiState } from '../state.ts';
import { dropAndGoOn, goOn, linkUsing, type Pages } from './requests.ts';
import { fileIn, oneUpload, uploads } from './upload.ts';

/** The movements before the camera: what the server asks for, the frames, and the way on without them. */
export function mountMovements(
  router: Router<ApiState>,
  ctx: ServerContext,
  { addressOf, counted }: { addressOf: ClientAddress; counted: readonly [Pages, Pages, Pages] },
): void {
  router.post('/verify/:token/ask-movements', ...counted, async (koa) => {
    const link = linkUsing(koa, 'movements');
    if (!acceptsNow(link, 'movements')) return dropAndGoOn(koa);
    const asked = await askForMovements(ctx, link, patienceIn(koa.query.patience));
    if (asked === undefined) return goOn(koa, { fault: 'too_many' });
    koa.body = asked;
  });

  router.post('/verify/:token/movements', ...counted, async (koa) => {
    const link = linkUsing(koa, 'movements');
    const sentAt = ctx.clock.now();
    if (!acceptsNow(link, 'movements')) return dropAndGoOn(koa);
    const fault = await oneUpload(link, async () => {
      const bytes = await fileIn(ctx, koa, link, { address: addressOf(koa.req), ...uploads.movements });
      if (typeof bytes === 'string') return bytes;
      return handInMovements(ctx, link, { nonce: String(koa.query.nonce), sentAt, bytes });
    });
    const isAgain = fault !== undefined || (await adviceSoon(ctx, link, 'movements')) !== undefined;
    goOn(koa, { ...(fault && { fault }), ...(isAgain && { take: 'movements' }) });
  });

  router.post('/verify/:token/no-movements', ...counted, async (koa) => {
    const link = linkUsing(koa, 'movements');
    koa.req.resume();
    if (acceptsNow(link, 'movements')) await goWithoutMovements(ctx, link);
    goOn(koa);
  });
}

/** Who says nothing, or something else, gets the usual time. */
const patienceIn = (said: unknown): Patience => patiences.find((each) => each === said) ?? 'usual';
