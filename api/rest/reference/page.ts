import { asDocument, html } from '../../pages/markup.ts';
import type { Document, Entry } from './document.ts';
import { paragraphs } from './markdown.ts';
import { badge, entryView } from './operation.ts';
import { authenticationSection, errorsSection, headersSection, objectsSection } from './sections.ts';

type Links = { stylesheet: string; icon: string; description: string };

/** Renders the reference as one page of HTML without scripts, from the document alone. */
export function renderReference(document: Document, prefix: string, links: Links): string {
  const entries = entriesOf(document, prefix);
  const { title, version, description } = document.info;
  return asDocument(html`
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: reference</title>
        <link rel="icon" href=${links.icon} />
        <link rel="stylesheet" href=${links.stylesheet} />
      </head>
      <body>
        <a class="skip" href="#main">Skip to the text</a>
        <nav aria-label="Contents">${contents(document, entries)}</nav>
        <main id="main">
          <header>
            <h1>${title}</h1>
            <p>Version ${version} of the interface. <a href=${links.description}>OpenAPI description</a></p>
            ${paragraphs(description)}
          </header>
          ${authenticationSection(document)}
          ${tagsOf(document).map((tag) => tagSection(tag, entries, document))}
          ${objectsSection(document, entries)}
          ${headersSection(document)}
          ${errorsSection(document, entries)}
        </main>
      </body>
    </html>`);
}

function entriesOf({ paths = {}, webhooks = {} }: Document, prefix: string): Entry[] {
  const found = (kind: Entry['kind'], items: typeof paths) =>
    Object.entries(items).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        id: operation.operationId ?? path,
        tag: operation.tags?.[0] ?? '',
        kind,
        method: kind === 'event' ? 'EVENT' : method.toUpperCase(),
        path: kind === 'event' ? path : prefix + path,
        operation,
      })),
    );
  return [...found('operation', paths), ...found('event', webhooks)];
}

const tagsOf = ({ tags = [] }: Document) =>
  tags.map(({ name, description }) => ({ id: name.toLowerCase().replaceAll(' ', '-'), name, description }));

function contents(document: Document, entries: Entry[]) {
  const groups = tagsOf(document).map(({ id, name }) => {
    const links = entries
      .filter(({ tag }) => tag === name)
      .map(
        (entry) => html`<li><a href=${`#${entry.id}`}>${badge(entry)} ${entry.operation.summary}</a></li>`,
      );
    return html`<li><a href=${`#${id}`}>${name}</a><ul>${links}</ul></li>`;
  });
  const last = ['Objects', 'Headers', 'Errors'];
  return html`
    <ul>
      <li><a href="#authentication">Authentication</a></li>
      ${groups}
      ${last.map((name) => html`<li><a href=${`#${name.toLowerCase()}`}>${name}</a></li>`)}
    </ul>`;
}

function tagSection(
  { id, name, description }: ReturnType<typeof tagsOf>[number],
  entries: Entry[],
  document: Document,
) {
  return html`
    <section id=${id}>
      <h2>${name}</h2>
      ${paragraphs(description)}
      ${entries.filter(({ tag }) => tag === name).map((entry) => entryView(entry, document))}
    </section>`;
}
