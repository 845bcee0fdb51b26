// What the camera sees, in numbers, and the one hint that follows. Everything here is a function of small grey pictures.

/** @typedef {{ pixels: Uint8Array | Uint8ClampedArray, width: number, height: number }} Grey brightness from 0 to 255, row by row */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box in pixels of a grey picture */
/** @typedef {{ at: number, slope: number }} Line the place in the middle of the frame, and how far it leans: pixels aside in each pixel along */
/**
 * The view is the frame with a margin around it. The strip is a part of the frame with more detail, and `before` the view before this one.
 * @typedef {{ view: Grey, frame: Box, strip: Grey, before: Grey | undefined }} Look
 */
/** @typedef {'more_light' | 'aim' | 'closer' | 'further' | 'straight' | 'glare' | 'hold_still' | 'blur' | 'ready'} Hint */

/** Each limit was set on rendered pictures of specimens: `test/integration/verify/hints.test.ts`. */
const limits = {
  /** The 95th percentile of brightness in the frame. A document at a quarter of normal light has about 60. */
  brightest: 85,
  /** The average brightness of a face, and its share of the average around it. */
  face: 55,
  faceShare: 0.45,
  /** The share of the frame that a document takes. */
  smallest: 0.8,
  largest: 1.1,
  /** How far the middle of a document may be from that of the frame, as a share of the frame. */
  aside: 0.12,
  slope: 0.1,
  /** The share of small tiles in the frame that are overexposed. */
  glare: 0.008,
  /** The average difference of brightness from one view to the next. */
  motion: 7,
  /** The sharpness of edges. A sharp edge has about 0.6. */
  sharp: { document: 0.42, face: 0.12 },
};

/**
 * Returns the first thing that is wrong, in the order in which a person mends it. The light comes first, since nothing can be measured
 * without it.
 * @param {Look} look
 * @param {boolean} isFace
 * @returns {Hint}
 */
export function hintFor({ view, frame, strip, before }, isFace) {
  if (isFace ? isFaceDark(view, frame) : brightnessAt(view, frame, 0.95) < limits.brightest)
    return 'more_light';
  if (!isFace) {
    const place = placeOf(view, frame);
    if (place !== 'good') return place;
    if (glareIn(view, frame) > limits.glare) return 'glare';
  }
  if (before && motionBetween(view, before) > limits.motion) return 'hold_still';
  return sharpnessOf(strip) < limits.sharp[isFace ? 'face' : 'document'] ? 'blur' : 'ready';
}

/**
 * @param {Grey} view
 * @param {Box} frame
 */
function isFaceDark(view, frame) {
  const inside = averageIn(view, frame);
  const around = averageIn(view, { left: 0, top: 0, right: view.width, bottom: view.height });
  return inside < limits.face || inside < limits.faceShare * around;
}

/**
 * @param {Grey} grey
 * @param {Box} box
 */
function averageIn({ pixels, width }, { left, top, right, bottom }) {
  let sum = 0;
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) sum += pixels[y * width + x] ?? 0;
  return sum / ((right - left) * (bottom - top));
}

/**
 * The brightness below which this share of the pixels lies.
 * @param {Grey} grey
 * @param {Box} box
 * @param {number} share
 */
export function brightnessAt({ pixels, width }, { left, top, right, bottom }, share) {
  const values = [];
  for (let y = top; y < bottom; y++) values.push(...pixels.subarray(y * width + left, y * width + right));
  return Uint8Array.from(values).sort()[Math.floor(values.length * share)] ?? 0;
}

/**
 * Whether a document fills the frame and lies straight, by the lines of its edges.
 * @param {Grey} view
 * @param {Box} frame
 * @returns {'good' | 'aim' | 'closer' | 'further' | 'straight'}
 */
export function placeOf(view, { left, top, right, bottom }) {
  const upright = outermost(linesIn(view, top, bottom), (left + right) / 2);
  const level = outermost(linesIn(turned(view), left, right), (top + bottom) / 2);
  const sides = [
    { lines: upright, from: left, length: right - left },
    { lines: level, from: top, length: bottom - top },
  ].flatMap(({ lines: [first, last], from, length }) => {
    if (!first || !last) return [];
    const middle = (first.at + last.at) / 2 - (from + length / 2);
    return [{ size: (last.at - first.at) / length, aside: Math.abs(middle) / length }];
  });
  if (sides.length === 0) return 'aim';
  const size = Math.max(...sides.map((side) => side.size));
  if (size < limits.smallest) return 'closer';
  if (size > limits.largest) return 'further';
  if (sides.some(({ aside }) => aside > limits.aside)) return 'aim';
  const leans = [...upright, ...level].some((line) => line && Math.abs(line.slope) > limits.slope);
  return leans ? 'straight' : 'good';
}

/**
 * The first line before the middle, and the last one after it.
 * @param {readonly Line[]} lines
 * @param {number} middle
 */
const outermost = (lines, middle) => [
  lines.find(({ at }) => at < middle),
  lines.findLast(({ at }) => at > middle),
];

/** @param {Grey} grey */
function turned({ pixels, width, height }) {
  const turnedPixels = new Uint8Array(pixels.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) turnedPixels[x * height + y] = pixels[y * width + x] ?? 0;
  return { pixels: turnedPixels, width: height, height: width };
}

const slopes = [0, -0.05, 0.05, -0.1, 0.1, -0.15, 0.15, -0.2, 0.2];
const edgeMin = 12;
/** The share of the rows in which a line must be an edge. Writing and photographs have shorter lines. */
const lineMin = 0.75;

/**
 * The upright lines in the rows that a document has in any case, from left to right.
 * @param {Grey} grey
 * @param {number} top
 * @param {number} bottom
 * @returns {Line[]}
 */
function linesIn(grey, top, bottom) {
  const quarter = (bottom - top) / 4;
  const [from, to] = [Math.round(top + quarter), Math.round(bottom - quarter)];
  const lines = [];
  for (let at = 1; at < grey.width - 1; at++) {
    const shares = slopes.map((slope) => edgeShare(grey, { at, slope }, from, to));
    const share = Math.max(...shares);
    if (share >= lineMin) lines.push({ at, slope: slopes[shares.indexOf(share)] ?? 0 });
  }
  return lines;
}

/**
 * The share of the rows in which the line is an edge.
 * @param {Grey} grey
 * @param {Line} line
 * @param {number} from
 * @param {number} to
 */
function edgeShare({ pixels, width }, { at, slope }, from, to) {
  let edges = 0;
  for (let y = from; y < to; y++) {
    const x = Math.round(at + slope * (y - (from + to) / 2));
    const index = y * width + x;
    if (x <= 0 || x >= width - 1) continue;
    if (Math.abs((pixels[index + 1] ?? 0) - (pixels[index - 1] ?? 0)) >= edgeMin) edges++;
  }
  return edges / (to - from);
}

const tileSide = 5;
const overexposed = { brightness: 248, share: 0.6 };

/**
 * The share of tiles inside the frame that are overexposed.
 * @param {Grey} grey
 * @param {Box} frame
 */
export function glareIn(grey, { left, top, right, bottom }) {
  let [tiles, bright] = [0, 0];
  for (let y = top + tileSide; y + 2 * tileSide <= bottom; y += tileSide)
    for (let x = left + tileSide; x + 2 * tileSide <= right; x += tileSide) {
      tiles++;
      if (isOverexposed(grey, x, y)) bright++;
    }
  return tiles === 0 ? 0 : bright / tiles;
}

/**
 * @param {Grey} grey
 * @param {number} left
 * @param {number} top
 */
function isOverexposed({ pixels, width }, left, top) {
  let bright = 0;
  for (let index = 0; index < tileSide ** 2; index++) {
    const [x, y] = [left + (index % tileSide), top + Math.floor(index / tileSide)];
    if ((pixels[y * width + x] ?? 0) >= overexposed.brightness) bright++;
  }
  return bright > overexposed.share * tileSide ** 2;
}

/**
 * @param {Grey} now
 * @param {Grey} before
 */
export function motionBetween(now, before) {
  if (now.pixels.length !== before.pixels.length) return 0;
  let sum = 0;
  for (let index = 0; index < now.pixels.length; index++)
    sum += Math.abs((now.pixels[index] ?? 0) - (before.pixels[index] ?? 0));
  return sum / now.pixels.length;
}

const strongEdge = 30;
const edgesMin = 0.004;

/**
 * How abruptly the strongest edges change, from 0 to 1, whatever their contrast. 0 if there are hardly any edges.
 * @param {Grey} strip
 */
export function sharpnessOf({ pixels, width, height }) {
  let [edges, sum] = [0, 0];
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width - 1; x++) {
      const index = y * width + x;
      const [before, here, after] = [pixels[index - 1] ?? 0, pixels[index] ?? 0, pixels[index + 1] ?? 0];
      const change = Math.abs(after - before);
      if (change < strongEdge) continue;
      edges++;
      sum += Math.min(1, Math.abs(2 * here - before - after) / change);
    }
  return edges < edgesMin * width * height ? 0 : sum / edges;
}

const steadyMs = 300;
const readableMs = 1_500;

/** @typedef {{ seen: string, seenSince: number, shown: string, shownSince: number }} Shown */

/**
 * What a person reads: a hint that has lasted, and no other hint within a second and a half. Times are in milliseconds.
 * @param {Shown | undefined} last
 * @param {string} hint
 * @param {number} now
 * @returns {Shown}
 */
export function nextShown(last, hint, now) {
  if (last === undefined) return { seen: hint, seenSince: now, shown: hint, shownSince: now };
  const seenSince = last.seen === hint ? last.seenSince : now;
  const isDue = hint !== last.shown && now - seenSince >= steadyMs && now - last.shownSince >= readableMs;
  return isDue ? { seen: hint, seenSince, shown: hint, shownSince: now } : { ...last, seen: hint, seenSince };
}
