/** A page of what was found, looking back from a place. */
export type LookedBack<Item> = {
  data: Item[];
  /** The place to go on from. Null at the end of what is kept. */
  next: string | null;
  /** The time of the oldest line that was looked at. Null if there was none, or if nothing had to be looked through. */
  lookedBackTo: Date | null;
};

type Search<Line, Item, Place> = {
  from: Place;
  limit: number;
  /** What is wished. Without a wish every line fits. */
  wanted: object;
  /** At most `count` lines before the place, newest first. */
  before(place: Place, count: number): Promise<Line[]>;
  placeOf(line: Line): Place;
  textOf(place: Place): string;
  /** Undefined if the line does not fit. */
  itemOf(line: Line): Item | undefined;
};

const batchSize = 1_000;
/** One page looks at so many lines at most, so it costs the same however rare the wanted ones are. */
const lookedAtMax = 5_000;

/** Looks back over lines until `limit` of them fit. */
export async function lookBack<Line extends { createdAt: Date }, Item, Place>(
  search: Search<Line, Item, Place>,
): Promise<LookedBack<Item>> {
  const { limit, textOf } = search;
  const found: LookedBack<Item> = { data: [], next: null, lookedBackTo: null };
  let place = search.from;
  // Without a wish a page needs no more lines than it shows.
  const batch = Object.values(search.wanted).some(Boolean) ? batchSize : limit;
  for (let left = lookedAtMax; left > 0; left -= batch) {
    const lines = await search.before(place, batch);
    for (const line of lines) {
      place = search.placeOf(line);
      found.lookedBackTo = line.createdAt;
      const item = search.itemOf(line);
      if (item !== undefined) found.data.push(item);
      if (found.data.length === limit) return { ...found, next: textOf(place) };
    }
    if (lines.length < batch) return found;
  }
  return { ...found, next: textOf(place) };
}
