/**
 * Finds the decisions, sections and files that a text names, and those that a document defines. `test/unit/docs/citations.test.ts`
 * compares the two for the whole repository.
 */

/** A comment starts a line or follows white space. So an address of the web or a glob in a string is no comment. */
const comment = /(?<=^|\s)(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/gm;
const hashComment = /(?<=^|\s)#[^\n]*/gm;

/** The marks that open, close and continue a comment. If they were kept, a citation across two lines would not be found. */
const marks = /^[ \t]*(?:\/\*+|\*\/|\*|\/\/+|#)|\*\/$/gm;
export const withoutMarks = (source: string): string => source.replaceAll(marks, '');

/** Returns the comments of TypeScript, JavaScript and CSS. Each comment stays on its line. */
export const commentsIn = (source: string): string => withoutMarks(blankBetween(source, comment));

/** Returns the comments of YAML, shell and similar languages. */
export const hashCommentsIn = (source: string): string => withoutMarks(blankBetween(source, hashComment));

export const withoutComments = (source: string): string => source.replaceAll(comment, blank);

/** Keeps only the ends of lines, so that the text after them stays on its line. */
const blank = (text: string): string => text.replaceAll(/[^\n]+/g, '');

function blankBetween(source: string, kept: RegExp): string {
  const rest = source.split(kept).map(blank);
  const parts = source.match(kept) ?? [];
  return rest.map((text, at) => text + (parts[at] ?? '')).join('');
}

const number = String.raw`\d+(?:\.\d+)*`;
const numbers = String.raw`${number}(?:(?:,\s+(?:and\s+)?|\s+(?:and|or|to)\s+)${number})*`;

/** Returns the numbers of a list such as `8, 20 and 28 to 31`, with all numbers of a range. */
const listed = (text: string): string[] =>
  text.split(/,\s+(?:and\s+)?|\s+(?:and|or)\s+/).flatMap((part) => {
    const [from = '', to] = part.split(/\s+to\s+/);
    return to === undefined || part.includes('.') ? part.split(/\s+to\s+/) : range(Number(from), Number(to));
  });

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, step) => String(from + step));

const found = (text: string, form: string): string[][] => [...text.matchAll(new RegExp(form, 'gi'))];

/** Finds the numbers of `decision 3`, `decisions 3 and 5`, `decisions 3, 5 and 8 to 10`. */
export const decisionsIn = (text: string): string[] => [
  ...found(text, String.raw`\bdecision\s+(\d+)`).map(([, one = '']) => one),
  ...found(text, String.raw`\bdecisions\s+(${numbers})`).flatMap(([, list = '']) => listed(list)),
];

/** Finds the numbers of `specification 4.1`, `section 6.3`, `§ 7`; `rules 3 and 4 of 4.1` are 4.1.3 and 4.1.4. */
export const sectionsIn = (text: string): string[] => [
  ...found(text, String.raw`(?:\bspecification\s+|\bsections?\s+|§\s*)(${numbers})`).flatMap(
    ([, list = '']) => listed(list),
  ),
  ...found(text, String.raw`\brules?\s+(${numbers})\s+of\s+(?:section\s+)?(${number})`).flatMap(
    ([, rules = '', section]) => listed(rules).map((rule) => `${section}.${rule}`),
  ),
];

/** Returns the numbers of a document's headings and of the items of the numbered lists below them. */
export function numbersOf(markdown: string): string[] {
  let section = '';
  return markdown.split('\n').flatMap((line) => {
    const heading = /^#+ (\d+(?:\.\d+)*)\.? /.exec(line)?.[1];
    const item = /^(\d+)\. /.exec(line)?.[1];
    section = heading ?? section;
    return heading ?? (item === undefined ? [] : `${section}.${item}`);
  });
}

/** Returns the anchors of a document's headings, in the form that code hosts use. */
export const anchorsOf = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

const segment = String.raw`[\w.@*<>{},-]+`;
const pathLike = new RegExp(String.raw`(?<![\w/.$~:@-])#?(${segment}(?:/${segment})*/?)(#[\w-]+)?`, 'g');
const endsLikeOurs = /[\w>}*]\.(?:ts|mjs|css|md)$/;

/**
 * Finds every file or folder of the repository that a text names, with its anchor. A name counts if it ends in .ts, .mjs, .css or
 * .md. A name with a slash counts if it begins with one of `folders`. So a package or an address of the web does not count.
 */
export const pathsIn = (text: string, folders: readonly string[]): string[] =>
  [...text.replaceAll(/\b[a-z]+:\/\/\S+/g, '').matchAll(pathLike)]
    .map(([, name = '', anchor = '']) => ({ name: name.replace(/[.,]+$/, ''), anchor }))
    .filter(({ name }) => endsLikeOurs.test(name) || folders.some((folder) => name.startsWith(`${folder}/`)))
    .map(({ name, anchor }) => name + anchor);

/** The targets of a document's links, except addresses of the web. */
export const linksIn = (markdown: string): string[] =>
  [...markdown.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));

/** Matches the names that a short form stands for: `{a,b}` is either, `*` and `<noun>` are any name, `**` is any folders. */
export const formOf = (name: string): RegExp =>
  new RegExp(
    `^${name
      .replaceAll(/[.+^$()|[\]\\]/g, String.raw`\$&`)
      .replaceAll(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
      .replaceAll(/\*\*\/?|\*|<[^>]*>/g, (wild) => (wild.startsWith('**') ? '.*' : '[^/]+'))}$`,
  );
