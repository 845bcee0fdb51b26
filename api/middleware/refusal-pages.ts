import type { Middleware } from 'koa';
import type { RefusalPages } from '../refusal-pages.ts';
import type { ApiState } from '../state.ts';

/** Makes every error at an address that persons open a page, also one that comes before the route. A route can make a better page. */
export const refusalsAsPages =
  (pagesOf: RefusalPages): Middleware<ApiState> =>
  (koa, next) => {
    const pageOf = pagesOf(koa.req);
    if (pageOf !== undefined)
      koa.state.errorBody = ({ code }) => {
        const { headers, body } = pageOf(code);
        koa.set(headers);
        return body;
      };
    return next();
  };
