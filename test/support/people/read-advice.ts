/** The form of Send, as a browser without scripts sends it from this page: it says what advice stood there. */
export const formOfSend = (page: string): string =>
  new URLSearchParams(
    [...page.matchAll(/<input type="hidden" form="send" name="(\w+)" value="([^"]+)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  ).toString();
