/**
 * Checks the dossier of a verification, offline. Copy this file: it imports nothing but what Node 20 or newer has built in.
 *
 *   node verify-dossier.mjs dossier.json --key ledger-key.pem
 *
 * The exit code is 0 if every line is under a signed daily root, 3 if all is right but some lines are not under a root yet, 1 if
 * something is broken, and 64 if the command cannot be carried out. The first line of the result names the first thing that is broken.
 */

import { createHash, createPublicKey, verify } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs, TextDecoder } from 'node:util';

const format = 'verification-dossier/1';

/** @typedef {import('node:crypto').KeyObject} KeyObject */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ faults: string[], lines: number, anchored: number, day: string | null, signer: string | null }} Result */

/**
 * Checks the bytes of a dossier. `faults` is empty if it is valid. The root of `day` vouches for the first `anchored` of its `lines`.
 *
 * @param {Uint8Array} bytes @param {readonly KeyObject[]} keys the public keys that are trusted
 * @returns {Result}
 */
export function checkDossier(bytes, keys) {
  /** @type {Result} */
  const nothing = { faults: [], lines: 0, anchored: 0, day: null, signer: null };
  const { dossier, fault } = parsed(bytes);
  if (dossier === undefined) return { ...nothing, faults: [fault] };

  const lines = listOf(dossier.ledger);
  const root = rootIn(dossier, lines, keys);
  const changed = digestFaults(dossier);
  const faults = [
    ...chainFaults(dossier, lines),
    // A root that was changed says nothing about the lines.
    ...(changed.some((each) => each.startsWith('root')) ? [] : root.faults),
    ...summaryFaults(dossier, lines),
    ...signatureFaults(dossier, keys),
    ...changed,
  ];
  // Last, because every other fault says more.
  if (faults.length === 0) faults.push(...spellingFaults(bytes, dossier));
  if (faults.length > 0) return { ...nothing, faults: faults.map(printable) };
  const signer = text(fieldsOf(dossier.signed).key);
  return { faults, lines: lines.length, anchored: root.line, day: root.day, signer };
}

// The file

/** @param {Uint8Array} bytes @returns {{ dossier: Fields, fault: '' } | { dossier: undefined, fault: string }} */
function parsed(bytes) {
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-')
    return {
      dossier: undefined,
      fault: 'file: this is the PDF. It has the dossier as an attachment, dossier.json: check that file',
    };
  try {
    const dossier = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    if (dossier?.format === format) return { dossier, fault: '' };
    return { dossier: undefined, fault: `format: it is not ${format}` };
  } catch {
    return { dossier: undefined, fault: `file: it is not JSON${misspelt(bytes)}` };
  }
}

/** A line of text as the product writes it: a key, a value, or a bracket. */
const textLine =
  /^ *(?:"(?:[^"\\]|\\.)*": )?(?:[{[]|[}\]]|\{\}|\[\]|"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null),?$/;

/** Names the first line of text that cannot be in a dossier. @param {Uint8Array} bytes */
function misspelt(bytes) {
  const lines = Buffer.from(bytes).toString().replace(/\n$/, '').split('\n');
  const index = lines.findIndex((line) => !textLine.test(line));
  return index === -1 ? '' : `, see text line ${index + 1}`;
}

/**
 * The product writes a dossier in one way only: keys sorted, two spaces deep. Another spelling of the same data could show a reader
 * something else, for example by a key that is there twice.
 *
 * @param {Uint8Array} bytes @param {Fields} dossier
 */
function spellingFaults(bytes, dossier) {
  const expected = Buffer.from(`${JSON.stringify(sorted(dossier), null, 2)}\n`);
  if (expected.equals(bytes)) return [];
  const length = Math.max(expected.length, bytes.length);
  let place = 0;
  while (place < length && expected[place] === bytes[place]) place += 1;
  const lineNumber = expected.subarray(0, place).toString().split('\n').length;
  return [
    `file: byte ${place + 1} (text line ${lineNumber}) is not as the product writes it, though the data are unchanged`,
  ];
}

/** The same value, with the keys of every object in order. @param {unknown} value @returns {unknown} */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(byKey);
  return Object.fromEntries(members.map(([key, each]) => [key, sorted(each)]));
}

// The chain

/**
 * Names the first broken line.
 *
 * @param {Fields} dossier @param {readonly Fields[]} lines @returns {string[]}
 */
function chainFaults(dossier, lines) {
  const id = fieldsOf(dossier.header).verification_id;
  let previousHash = '0'.repeat(64);
  for (const [index, line] of lines.entries()) {
    const fault = lineFault(lines, index + 1, line, previousHash, id);
    if (fault !== undefined) return [fault];
    previousHash = String(line.hash);
  }
  const { lines: signedLines, end } = statementOf(dossier);
  const last = lines.length;
  if (!Number.isSafeInteger(signedLines)) return [];
  if (Number(signedLines) > last)
    return [
      `line ${last + 1}: it is missing: the end was cut off (${last} of ${text(signedLines)} lines are left)`,
    ];
  if (last !== signedLines) return [`line ${last}: it was added: ${text(signedLines)} lines were signed`];
  return previousHash === end ? [] : [`line ${last}: it is not the end that was signed`];
}

/**
 * @param {readonly Fields[]} lines @param {number} number @param {Fields} line @param {string} previousHash @param {unknown} id
 * @returns {string | undefined}
 */
function lineFault(lines, number, line, previousHash, id) {
  if (line.sequence !== number) return orderFault(lines, number, line.sequence);
  const name = `line ${number} (${text(line.type)})`;
  const { hash, ...hashed } = line;
  if (hash !== sha256(canonical(hashed)).toString('hex'))
    return `${name}: it was changed: its hash does not fit`;
  if (!sameKeys(hashed, lineFields)) return `${name}: it has not the fields of a line`;
  if (line.previous_hash !== previousHash)
    return `${name}: it does not follow ${number === 1 ? 'the beginning of a chain' : `line ${number - 1}`}`;
  return line.subject_id === id ? undefined : `${name}: it is not about the verification of the header`;
}

const lineFields = ['at', 'data', 'previous_hash', 'sequence', 'subject_id', 'type'];

/** @param {readonly Fields[]} lines @param {number} expected @param {unknown} found */
function orderFault(lines, expected, found) {
  const isElsewhere = lines.some(({ sequence }) => sequence === expected);
  return isElsewhere
    ? `line ${expected}: line ${text(found)} is in its place: lines were swapped`
    : `line ${expected}: it is missing: ${expected === 1 ? 'the first' : 'the next'} is line ${text(found)}`;
}

// What the dossier says about its lines

/**
 * Compares each field that summarises lines with these lines. So not even the owner of the key can sign a summary that says anything
 * else.
 *
 * @param {Fields} dossier @param {readonly Fields[]} lines @returns {string[]}
 */
function summaryFaults(dossier, lines) {
  const expected = summaryOf(lines);
  const header = fieldsOf(dossier.header);
  const verdict = dossier.verdict === null ? null : fieldsOf(dossier.verdict);
  /** @type {[string, unknown, unknown][]} the name of a field, what it says, and what the lines say */
  const compared = [
    ...['environment', 'method', 'dossier_ref', 'created_at', 'submitted_at', 'completed_at'].map(
      (name) =>
        /** @type {[string, unknown, unknown]} */ ([`header.${name}`, header[name], expected.header[name]]),
    ),
    ['header.status', header.status === 'completed', expected.verdict !== null],
    ['consents', dossier.consents, expected.consents],
    [
      'artefacts',
      listOf(dossier.artefacts)
        .filter(({ line }) => line !== null)
        .map(artefactIn),
      expected.artefacts,
    ],
    ['checks', listOf(dossier.checks).map(checkIn), expected.checks],
    ['verdict', verdict && verdictIn(verdict), expected.verdict],
  ];
  return compared
    .filter(([, says, should]) => !isSame(says, should))
    .map(([name, says, should]) => `${firstDifference(name, says, should)}: it is not what the lines say`);
}

/** @param {readonly Fields[]} lines */
function summaryOf(lines) {
  const dataOf = (/** @type {Fields | undefined} */ line) => fieldsOf(line?.data);
  const created = dataOf(lines[0]);
  const submission = lines.find((line) => Array.isArray(dataOf(line).evidence));
  const verdicts = lines.filter((line) => dataOf(line).verdict);
  const newest = verdicts.at(-1);
  const verdict = fieldsOf(dataOf(newest).verdict);
  const engine = dataOf(newest).engine ?? null;
  /** @type {Fields} */
  const header = {
    environment: created.environment,
    method: created.method,
    dossier_ref: created.dossier_ref,
    created_at: lines[0]?.at,
    submitted_at: submission?.at ?? null,
    completed_at: verdicts[0]?.at ?? null,
  };
  return {
    header,
    consents: lines
      .filter((line) => dataOf(line).consent)
      .map((line) => {
        const { version, language } = fieldsOf(dataOf(line).consent);
        return { line: line.sequence, at: line.at, version, language };
      }),
    artefacts: lines.flatMap((line) =>
      [dataOf(line).evidence, dataOf(line).copies].flatMap(listOf).map(({ kind, sha256, source }) => ({
        kind,
        sha256,
        source: source ?? null,
        line: line.sequence,
        deletion_line: deletionOf(kind, lines),
      })),
    ),
    checks: listOf(verdict.checks).map((check) => ({
      ...check,
      ...(check.result === 'not_applicable' ? notMade : makingOf(check, dataOf(newest).makings, engine)),
    })),
    verdict: newest
      ? {
          line: newest.sequence,
          at: newest.at,
          outcome: verdict.outcome,
          assurance_level: verdict.assurance_level,
          reasons: verdict.reasons,
          reviewed: verdict.reviewed,
          decided_by: dataOf(newest).actor,
        }
      : null,
  };
}

const notMade = { engine: null, threshold: null, finding: null };

/** An older line has one engine for all checks. @param {Fields} check @param {unknown} makings @param {unknown} engine */
function makingOf(check, makings, engine) {
  const making = listOf(makings).find(({ kind }) => kind === check.kind);
  if (making === undefined) return { ...notMade, engine };
  return { engine: making.engine, threshold: making.threshold, finding: making.finding };
}

/** A dossier of an older version says nothing about the last two. @param {Fields} check */
const checkIn = ({ document_id, threshold, finding, ...check }) => ({
  ...check,
  ...(document_id !== undefined && { documentId: document_id }),
  ...{ threshold: threshold ?? null, finding: finding ?? null },
});

const deletions = ['evidence.masked', 'evidence.purged', 'verification.withdrawn', 'verification.erased'];

/** @param {unknown} kind @param {readonly Fields[]} lines */
function deletionOf(kind, lines) {
  const names = (/** @type {Fields} */ { type, data }) => {
    const { kinds } = fieldsOf(data);
    return deletions.includes(String(type)) && Array.isArray(kinds) && kinds.includes(kind);
  };
  return lines.filter(names).at(-1)?.sequence ?? null;
}

/** @param {Fields} artefact */
const artefactIn = ({ kind, sha256, source, line, deletion_line }) => ({
  ...{ kind, sha256, line, deletion_line },
  // A dossier of an older version says nothing about it.
  source: source ?? null,
});

/** @param {Fields} verdict */
const verdictIn = ({ reasons, ...verdict }) => ({ ...verdict, reasons: listOf(reasons).map(({ id }) => id) });

// The signature of the dossier

/**
 * Compares each field with its digest. So a field that was changed is named, and the signature covers all of them.
 *
 * @param {Fields} dossier @returns {string[]}
 */
function digestFaults(dossier) {
  const { ledger: _lines, signed: _signed, ...rest } = dossier;
  const fields = new Map(Object.entries(rest).flatMap(([name, value]) => fieldsIn(name, value)));
  const digests = new Map(Object.entries(fieldsOf(statementOf(dossier).digests)));
  const isKnown = (/** @type {string} */ path) =>
    digests.has(path) || [...digests.keys()].some((each) => each.startsWith(`${path}.`));
  const changed = [...fields].filter(
    ([path, value]) => digests.get(path) !== sha256(canonical(value)).toString('hex'),
  );
  return [
    ...changed.map(([path]) => `${path}: it was ${isKnown(path) ? 'changed' : 'added'}`),
    ...[...digests.keys()].filter((path) => !fields.has(path)).map((path) => `${path}: it is missing`),
  ];
}

/** @param {string} name @param {unknown} value @returns {[string, unknown][]} */
function fieldsIn(name, value) {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return inner.length === 0 ? [[name, value]] : inner.map(([key, each]) => [`${name}.${key}`, each]);
}

/** @param {Fields} dossier @param {readonly KeyObject[]} keys @returns {string[]} */
function signatureFaults(dossier, keys) {
  const { key, signature, ...more } = fieldsOf(dossier.signed);
  const statement = statementOf(dossier);
  const header = fieldsOf(dossier.header);
  if (!sameKeys(more, ['statement']) || !sameKeys(statement, statementFields))
    return ['signed: it has not the fields of a signature'];
  const trusted = keys.find((each) => fingerprintOf(each) === key);
  if (trusted === undefined) return [`signed.key: ${otherKey(key, keys)}`];
  const data = Buffer.from(`${format}\n${canonical(statement)}`);
  if (!isSigned(data, signature, trusted)) return ['signed.signature: it does not fit signed.statement'];
  const isOfThis =
    statement.format === format &&
    statement.verification_id === header.verification_id &&
    statement.made_at === header.made_at;
  return isOfThis ? [] : ['signed.statement: it is that of another dossier'];
}

const statementFields = ['digests', 'end', 'format', 'lines', 'made_at', 'verification_id'];

/** @param {unknown} key @param {readonly KeyObject[]} keys */
const otherKey = (key, keys) =>
  `key ${text(key)} signed, and you trust ${keys.map(fingerprintOf).join(', ')}: another key, or it was changed`;

/** @param {Fields} dossier */
const statementOf = (dossier) => fieldsOf(fieldsOf(dossier.signed).statement);

// The daily root

/**
 * Checks the proof that one line was the end of the chain when the ends of all chains were signed. `line` is its number, and 0 if there
 * is no such line yet.
 *
 * @param {Fields} dossier @param {readonly Fields[]} lines @param {readonly KeyObject[]} keys
 * @returns {{ line: number, day: string | null, faults: string[] }}
 */
function rootIn(dossier, lines, keys) {
  if (dossier.root === null) return { line: 0, day: null, faults: [] };
  const root = fieldsOf(dossier.root);
  const fault = rootFault(root, lines, keys);
  if (fault !== undefined) return { line: 0, day: null, faults: [fault] };
  return { line: Number(root.line), day: String(root.day), faults: [] };
}

/** @param {Fields} root @param {readonly Fields[]} lines @param {readonly KeyObject[]} keys @returns {string | undefined} */
function rootFault(root, lines, keys) {
  const { line, day, statement, signature } = root;
  if (!sameKeys(root, rootFields)) return 'root: it has not the fields of a root';
  const signed = parsedStatement(statement);
  const trusted = keys.find((each) => fingerprintOf(each) === signed.key);
  if (trusted === undefined) return `root.statement: ${otherKey(signed.key, keys)}`;
  if (!isSigned(Buffer.from(String(statement)), signature, trusted))
    return 'root.signature: it does not fit root.statement';
  if (signed.day !== day) return 'root.day: it is not that of root.statement';
  const anchored = lines.find(({ sequence }) => sequence === line);
  if (anchored === undefined)
    return `line ${text(line)}: it is missing: the signed root of ${text(day)} vouches for it`;
  const leaf = `${text(anchored.subject_id)} ${text(line)} ${text(anchored.hash)}`;
  return rootOf(leaf, root.index, signed.chains, root.path) === signed.merkle_root
    ? undefined
    : `line ${text(line)}: it is not the line for which the signed root of ${text(day)} vouches`;
}

const rootFields = ['day', 'index', 'line', 'path', 'signature', 'statement'];

/** @param {unknown} statement @returns {Fields} */
function parsedStatement(statement) {
  try {
    return fieldsOf(JSON.parse(String(statement)));
  } catch {
    return {};
  }
}

/**
 * The root of a Merkle tree, computed from one leaf and its audit path (as RFC 9162 verifies an inclusion proof). Returns undefined if the path
 * has not the length for such a tree.
 *
 * @param {string} leaf @param {unknown} index @param {unknown} size @param {unknown} path
 */
function rootOf(leaf, index, size, path) {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || !Array.isArray(path)) return undefined;
  let [place, last] = [Number(index), Number(size) - 1];
  if (place < 0 || place > last) return undefined;
  let hash = sha256(Buffer.concat([Buffer.from([0]), Buffer.from(leaf)]));
  for (const beside of path) {
    if (last === 0 || !isHex(beside, 32)) return undefined;
    const other = Buffer.from(beside, 'hex');
    const isRight = place % 2 === 1 || place === last;
    hash = sha256(Buffer.concat([Buffer.from([1]), ...(isRight ? [other, hash] : [hash, other])]));
    // A leaf at the right end has nothing beside it on some levels.
    while (isRight && place % 2 === 0 && place !== 0) [place, last] = [place / 2, Math.floor(last / 2)];
    [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
  }
  return last === 0 ? hash.toString('hex') : undefined;
}

// Tools

/**
 * Canonical JSON (RFC 8785) of a value that JSON.parse has made.
 *
 * @param {unknown} value @returns {string}
 */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(byKey);
  return `{${members.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`;
}

/** By UTF-16 code units, as RFC 8785 wants it. @param {[string, unknown]} a @param {[string, unknown]} b */
const byKey = ([a], [b]) => (a < b ? -1 : 1);

/** @param {string | Uint8Array} data */
const sha256 = (data) => createHash('sha256').update(data).digest();

/** @param {unknown} value @param {number} bytes @returns {value is string} */
const isHex = (value, bytes) =>
  typeof value === 'string' && value.length === 2 * bytes && /^[\da-f]*$/.test(value);

/** @param {Uint8Array} data @param {unknown} signature @param {KeyObject} key */
const isSigned = (data, signature, key) =>
  isHex(signature, 64) && verify(null, data, key, Buffer.from(signature, 'hex'));

/** The first 16 hexadecimal digits of the SHA-256 of the public key. @param {KeyObject} key */
const fingerprintOf = (key) =>
  sha256(key.export({ format: 'der', type: 'spki' }))
    .toString('hex')
    .slice(0, 16);

/** @param {unknown} a @param {unknown} b */
const isSame = (a, b) => a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));

/** The path of the first field in which two values differ. @param {string} path @param {unknown} a @param {unknown} b @returns {string} */
function firstDifference(path, a, b) {
  if (typeof a !== typeof b || a === null || b === null) return path;
  const [one, other] = [fieldsOf(a), fieldsOf(b)];
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const key = keys.find((each) => !isSame(one[each], other[each]));
  return key === undefined ? path : firstDifference(`${path}.${key}`, one[key], other[key]);
}

/** The fields of an object or a list, and none for any other value. @param {unknown} value @returns {Fields} */
const fieldsOf = (value) =>
  typeof value === 'object' && value !== null ? /** @type {Fields} */ (value) : {};

/** @param {unknown} value @returns {Fields[]} */
const listOf = (value) => (Array.isArray(value) ? value.map(fieldsOf) : []);

/** @param {Fields} fields @param {readonly string[]} names sorted */
const sameKeys = (fields, names) => Object.keys(fields).sort().join() === names.join();

/** A value for a message: short. @param {unknown} value */
const text = (value) => String(value).slice(0, 80);

/** A message on one line that cannot command a terminal. @param {string} message */
const printable = (message) => message.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 300);

// The command

const usage = `Usage: npm run --silent verify-dossier -- FILE --key PUB
       node verify-dossier.mjs FILE --key PUB
PUB is a file with the public key in PEM, or the key itself in base64. After a change of the key give --key once for each key.`;

/** @param {readonly string[]} args @param {(line: string) => void} print @returns {number} the exit code */
export function run(args, print) {
  const asked = readArguments(args);
  if (typeof asked === 'string') {
    print(`${asked}\n${usage}`);
    return 64;
  }
  const { faults, lines, anchored, day, signer } = checked(asked.bytes, asked.keys);
  const [first, ...others] = faults;
  if (first !== undefined) {
    print(`BROKEN at ${first}`);
    for (const other of others) print(`  also at ${other}`);
    return 1;
  }
  print(`VALID: all ${lines} lines and all fields are as key ${signer} signed them`);
  if (day !== null) print(`lines 1 to ${anchored}: the signed root of ${day} vouches for them`);
  if (anchored === lines) return 0;
  print(
    `${anchored + 1 === lines ? `line ${lines}` : `lines ${anchored + 1} to ${lines}`}: not anchored yet (make the dossier again after the next daily root)`,
  );
  return 3;
}

/** @param {Uint8Array} bytes @param {readonly KeyObject[]} keys @returns {Result} */
function checked(bytes, keys) {
  try {
    return checkDossier(bytes, keys);
  } catch {
    const faults = ['file: its data have not the form of a dossier'];
    return { faults, lines: 0, anchored: 0, day: null, signer: null };
  }
}

/** @param {readonly string[]} args @returns {{ bytes: Uint8Array, keys: KeyObject[] } | string} what to check, or what is wrong */
function readArguments(args) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { key: { type: 'string', multiple: true } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return 'Give the file of one dossier.';
    if (values.key === undefined) return 'Give the public key. With npm, options follow two dashes (--).';
    const keys = values.key.map(readKey);
    if (keys.some((key) => key === undefined))
      return '--key is neither a file with a public Ed25519 key nor such a key in base64.';
    return { bytes: readFileSync(file), keys: keys.filter((key) => key !== undefined) };
  } catch (error) {
    return `The arguments or the file cannot be read (${text(fieldsOf(error).code)}).`;
  }
}

/** The start of a public Ed25519 key in DER. The 32 bytes of the key follow. */
const derStart = Buffer.from('302a300506032b6570032100', 'hex');

/** @param {string} given a file or a key, in PEM or in base64 @returns {KeyObject | undefined} */
function readKey(given) {
  const content = existsSync(given) ? readFileSync(given, 'utf8') : given;
  try {
    const key = content.includes('-----BEGIN')
      ? createPublicKey(content)
      : keyOf(Buffer.from(content, 'base64'));
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** @param {Buffer} bytes the 32 bytes of the key, or its DER */
const keyOf = (bytes) =>
  createPublicKey({
    key: bytes.length === 32 ? Buffer.concat([derStart, bytes]) : bytes,
    format: 'der',
    type: 'spki',
  });

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // A reader that has seen enough, such as `head`, goes away. The exit code still says what was found.
  process.stdout.on('error', (error) => {
    if (fieldsOf(error).code !== 'EPIPE') throw error;
  });
  process.exitCode = run(process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`));
}
