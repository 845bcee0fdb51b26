// Pictures stay in the memory of the page until the person has sent everything. They are never in a storage of the browser.

/**
 * A picture that the person took or chose. `arrivedAt` is the time by which the server names it, once it has arrived.
 * @typedef {{ picture: Blob, source: string, url: string, arrivedAt?: string | undefined }} Shot
 */

/** @type {Map<string, Shot>} by the kind of the evidence */
const shots = new Map();

/** @param {string} kind */
export const shotOf = (kind) => shots.get(kind);

/**
 * @param {string} kind
 * @param {Blob} picture
 * @param {string} source
 */
export function keep(kind, picture, source) {
  forget(kind);
  shots.set(kind, { picture, source, url: URL.createObjectURL(picture) });
}

/** @param {string} kind */
export function forget(kind) {
  const shot = shots.get(kind);
  if (shot) URL.revokeObjectURL(shot.url);
  shots.delete(kind);
}

export function forgetAll() {
  for (const kind of shots.keys()) forget(kind);
}

/**
 * Compares the memory with what the server says that it has. A picture that another device replaced is forgotten, so that the person
 * never confirms a picture that is not the one that was sent.
 * @param {string | null} header the kinds of the pictures that arrived, and when: `card_front=1700000000000,…`
 * @param {string | undefined} sent the kind that the answer is about
 */
export function compare(header, sent) {
  if (header === null) return;
  const times = new Map(header.split(',').map((each) => /** @type {[string, string]} */ (each.split('='))));
  for (const [kind, shot] of shots) {
    if (kind === sent) shot.arrivedAt = times.get(kind);
    else if (shot.arrivedAt !== undefined && shot.arrivedAt !== times.get(kind)) forget(kind);
  }
}
