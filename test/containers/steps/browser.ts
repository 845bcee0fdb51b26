export type Page = { url: string; status: number; text: string; location: string | null };

/**
 * A browser without scripts on this machine. It keeps cookies, though it ignores `Secure`, and sends forms with the token of the page
 * that it read last.
 */
export function newBrowser(origin: string) {
  const cookies = new Map<string, string>();
  let token: string | undefined;

  async function ask(method: 'GET' | 'POST', path: string, body?: FormData | URLSearchParams): Promise<Page> {
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(120_000),
      headers: {
        'accept-language': 'en',
        'user-agent': 'Test browser',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(body !== undefined && { body }),
    });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? token;
    return { url: response.url, status: response.status, text, location: response.headers.get('location') };
  }

  return {
    get: (path: string) => ask('GET', path),
    /** Sends the fields with the token of the last page, if it had one. */
    post: (path: string, fields: Record<string, string> = {}) =>
      ask('POST', path, new URLSearchParams({ ...fields, ...(token !== undefined && { token }) })),
    postForm: (path: string, form: FormData | URLSearchParams) => ask('POST', path, form),
  };
}

/** Where the form of a page goes whose address ends with this word. */
export function actionOf({ url, text, status }: Page, word: string): string {
  const targets = [...text.matchAll(/<form[^>]* action="([^"]+)"/g)].map(([, target = '']) => target);
  const found = targets.find((target) => target.includes(`/${word}?`));
  if (found === undefined) throw new Error(`no form for ${word} on the page (${status}): ${targets}`);
  const { pathname, search } = new URL(found.replaceAll('&amp;', '&'), url);
  return pathname + search;
}
