import { closeSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const sizeBytesMax = 8 * 1024 * 1024;

export function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

export function trimLog(file: string): void {
  if (sizeOf(file) > sizeBytesMax) truncateSync(file);
}

/** Returns the text after `offset`, but at most the last 64 KiB. */
export function writtenSince(file: string, offset: number): string {
  const size = sizeOf(file);
  const from = Math.max(offset, size - 65_536);
  const buffer = Buffer.alloc(Math.max(0, size - from));
  if (buffer.length === 0) return '';
  const handle = openSync(file, 'r');
  const length = readSync(handle, buffer, 0, buffer.length, from);
  closeSync(handle);
  return buffer.toString('utf8', 0, length);
}

/** Returns the last error line after `offset`. If there is no error line, returns the last line. */
export function faultIn(file: string, offset: number): string | undefined {
  const lines = writtenSince(file, offset)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const line = lines.findLast((text) => /FATAL|PANIC|\berror\b/i.test(text)) ?? lines.at(-1);
  return line?.replace(/^.*(?=FATAL:|PANIC:)/, '').trim();
}
