import type Router from '@koa/router';
import { uuid } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import { acceptsNow } from '#services/flow/hand-in.ts';
import { handInPaper, removePaper } from '#services/flow/papers.ts';
import type { ClientAddress } from '../client-address.ts';
import { bodyBytes } from '../middleware/body.ts';
import type { ServerContext } from '../server-context.ts';
import type { ApiState } from '../state.ts';
import { dropAndGoOn, goOn, linkUsing, type Pages } from './requests.ts';
import { fileIn, oneUpload, uploads } from './upload.ts';

/** The documents of an income check come one at a time. Each can be taken back before Send. */
export function mountPapers(
  router: Router<ApiState>,
  ctx: ServerContext,
  { addressOf, counted }: { addressOf: ClientAddress; counted: readonly [Pages, Pages, Pages] },
): void {
  router.post('/verify/:token/paper', ...counted, async (koa) => {
    const link = linkUsing(koa, 'papers');
    if (!acceptsNow(link, 'papers')) return dropAndGoOn(koa);
    const fault = await oneUpload(link, async () => {
      const upload = await fileIn(ctx, koa, link, { address: addressOf(koa.req), ...uploads.paper });
      return typeof upload === 'string' ? upload : handInPaper(ctx, link, upload);
    });
    goOn(koa, fault && { fault });
  });

  router.post('/verify/:token/remove-paper', ...counted, async (koa) => {
    const link = linkUsing(koa, 'papers');
    const form = new URLSearchParams((await bodyBytes(koa, limits.bodySizeBytesMax)).toString('utf8'));
    const id = uuid.safeParse(form.get('id'));
    if (id.success && acceptsNow(link, 'papers')) await removePaper(ctx, link, id.data);
    goOn(koa);
  });
}
