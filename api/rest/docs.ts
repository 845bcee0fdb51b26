import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Router from '@koa/router';
import { sha256Hex } from '#platform/crypto/crypto.ts';
import type { ApiContext, ApiState } from '../state.ts';
import { describeApi } from './openapi.ts';
import { renderReference } from './reference/page.ts';
import { prefix, routes } from './routes.ts';

/** Serves the interface description and a page that shows it. The page loads nothing from other hosts. */
export function mountDocs(router: Router<ApiState>): void {
  router.get(links.description, (koa) => {
    answer(koa, 'application/json', aMinute, document);
  });
  router.get('/docs', (koa) => {
    koa.set(docsHeaders);
    answer(koa, 'text/html', aMinute, page);
  });
  router.get(links.icon, (koa) => {
    answer(koa, 'image/svg+xml', aMinute, icon);
  });
  router.get(links.stylesheet, (koa) => {
    answer(koa, 'text/css', forever, stylesheet);
  });
}

const aMinute = 'public, max-age=60';
const forever = 'public, max-age=31536000, immutable';

function answer(koa: ApiContext, type: string, caching: string, body: string): void {
  koa.set('Cache-Control', caching);
  koa.body = body;
  koa.type = `${type}; charset=utf-8`;
}

const stylesheet = readFileSync(join(import.meta.dirname, 'reference/style.css'), 'utf8');
const digest = sha256Hex(stylesheet).slice(0, 12);

export const links = {
  description: '/openapi.json',
  icon: '/docs/icon.svg',
  /** The digest is part of the name, so browsers may keep the file forever. */
  stylesheet: `/docs/style-${digest}.css`,
};

const document = JSON.stringify(describeApi(routes));
const page = renderReference(JSON.parse(document), prefix, links);

/** Allows no scripts. Allows styles and images from our own origin only. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const docsHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': contentSecurityPolicy,
};

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0a6e4f"/>' +
  '<path d="m4 8.5 2.8 2.8L12 5.5" fill="none" stroke="#fff" stroke-width="2"/></svg>';
