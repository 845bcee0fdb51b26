import { createReadStream, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type Router from '@koa/router';
import type { ApiContext, ApiState } from '../state.ts';
import { describeApi } from './openapi.ts';
import type { Route } from './row.ts';

/** The interface description, and a page that shows it. Nothing of either comes from elsewhere. */
export function mountDocs(router: Router<ApiState>, rows: readonly Route[]): void {
  const document = JSON.stringify(describeApi(rows));
  router.get('/openapi.json', (koa) => {
    answer(koa, 'application/json', aMinute, document);
  });
  router.get('/docs', (koa) => {
    koa.set('Content-Security-Policy', contentSecurityPolicy);
    answer(koa, 'text/html', aMinute, page);
  });
  router.get(startPath, (koa) => {
    answer(koa, 'text/javascript', aMinute, start);
  });
  router.get(iconPath, (koa) => {
    answer(koa, 'image/svg+xml', aMinute, icon);
  });
  router.get(scalarPath, (koa) => {
    answer(koa, 'text/javascript', forGood, createReadStream(scalarFile));
  });
}

const aMinute = 'public, max-age=60';
const forGood = 'public, max-age=31536000, immutable';

function answer(koa: ApiContext, type: string, caching: string, body: ApiContext['body']): void {
  koa.set('Cache-Control', caching);
  koa.body = body;
  koa.type = `${type}; charset=utf-8`;
}

const distOfScalar = dirname(createRequire(import.meta.url).resolve('@scalar/api-reference'));
const scalarFile = join(distOfScalar, 'browser/standalone.js');
const scalarVersion = JSON.parse(readFileSync(join(distOfScalar, '../package.json'), 'utf8')).version;

/** With the version in its name the file never changes. */
const scalarPath = `/docs/scalar-${scalarVersion}.js`;
const startPath = '/docs/start.js';
const iconPath = '/docs/icon.svg';

/** Nothing from elsewhere, and no script in the page; styles are let in, since Scalar writes its own into the page. */
const contentSecurityPolicy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verification service: reference</title>
<link rel="icon" href="${iconPath}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The description itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="${scalarPath}"></script>
<script src="${startPath}"></script>
</body>
</html>
`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0a6e4f"/>' +
  '<path d="m4 8.5 2.8 2.8L12 5.5" fill="none" stroke="#fff" stroke-width="2"/></svg>';

/** All that Scalar would fetch from its makers, or offer to send there, is off. */
const options = {
  url: '/openapi.json',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  authentication: { preferredSecurityScheme: 'apiKey' },
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
};

const start = `Scalar.createApiReference('#reference', ${JSON.stringify(options)});\n`;
