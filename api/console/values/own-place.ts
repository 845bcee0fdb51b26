const anywhere = 'http://console.invalid';
const placeCharactersMax = 1000;

/**
 * The path and query of a page of this console that an address names. Undefined for every other address: a browser reads several spellings
 * as another host, so the path is compared after it was read as a browser does.
 */
export function ownPlace(given: string | null): string | undefined {
  if (given === null || given.length > placeCharactersMax) return undefined;
  const url = URL.parse(given, anywhere);
  if (url === null || url.origin !== anywhere || url.pathname.startsWith('//')) return undefined;
  return url.pathname === '/' ? undefined : url.pathname + url.search;
}

/** An address with the place to go on with afterwards. */
export const thenTo = (address: string, place: string | undefined): string =>
  place === undefined ? address : `${address}?${new URLSearchParams({ next: place })}`;
