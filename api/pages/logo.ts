import { Problem } from '#contract/errors.ts';
import type { Context } from '#services/context.ts';
import { findLogo } from '#services/organisations/find-logo.ts';
import type { ApiContext } from '../state.ts';
import { forever } from './assets.ts';

const named = /^([0-9a-f]{64})\.png$/;

/** Sends a logo by its hash. Another logo has another address, so a browser may keep it for good. */
export const sendLogo =
  ({ store }: Pick<Context, 'store'>) =>
  async (koa: ApiContext): Promise<void> => {
    const sha256 = named.exec(koa.params.name ?? '')?.[1];
    const png = sha256 && (await findLogo(store, Buffer.from(sha256, 'hex')));
    if (!png) throw new Problem('not_found');
    koa.set('Cache-Control', forever);
    koa.type = 'image/png';
    koa.body = png;
  };
