import { createHash } from 'node:crypto';

const style =
  'body{font:1.125rem/1.6 system-ui,sans-serif;max-width:38rem;margin:12vh auto;padding:0 1.25rem;color:#1b1f24;background:#fff}' +
  'h1{font-size:1.5rem;line-height:1.3}hr{border:0;border-top:1px solid #d5d9de;margin:2rem 0}' +
  '@media(prefers-color-scheme:dark){body{color:#e8eaed;background:#16181b}hr{border-color:#3a3f45}}';

/** Nothing is loaded from anywhere, and the one style is named by its hash. */
export const contentSecurityPolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

type Text = { title: string; text: string };

/** A page in Dutch and English; Dutch first, since most of its readers are. */
const page = (nl: Text, en: Text) => `<!doctype html>
<html lang="nl">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${nl.title} · ${en.title}</title>
<style>${style}</style>
</head>
<body>
<main>
<section><h1>${nl.title}</h1><p>${nl.text}</p></section>
<hr>
<section lang="en"><h1>${en.title}</h1><p>${en.text}</p></section>
</main>
</body>
</html>
`;

export const notOpenYet = page(
  {
    title: 'Deze verificatie is nog niet open',
    text: 'U kunt uw identiteit hier nog niet bewijzen. U hoeft nu niets te doen.',
  },
  {
    title: 'This verification is not open yet',
    text: 'You cannot prove your identity here yet. There is nothing you need to do now.',
  },
);

export const unknownLink = page(
  {
    title: 'Deze link kennen wij niet',
    text: 'Controleer of de link volledig is overgenomen, of vraag een nieuwe aan wie hem u stuurde.',
  },
  {
    title: 'We do not know this link',
    text: 'Check that the link was copied in full, or ask whoever sent it for a new one.',
  },
);
