import { answerBytesMax } from '../names.ts';
import { Refused } from './refused.ts';

const declaration = /^\s*<\?xml\s[^?<>]*\?>/;

/**
 * The text of an answer, if it has nothing but elements, attributes and text. A document type, comments, CDATA and processing
 * instructions have no place in these messages, and are the tools of most attacks on signatures. So they are refused before any
 * parser sees them.
 */
export function plainMarkup(bytes: Uint8Array): string {
  if (bytes.length > answerBytesMax) throw new Refused('too_large');
  const text = textOf(bytes)
    .replace(/^\uFEFF/, '')
    .replace(declaration, '');
  if (/<[!?]/.test(text)) throw new Refused('forbidden_markup');
  // Only the five entities that XML itself defines, and characters by number.
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/.test(text))
    throw new Refused('forbidden_markup');
  return text;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Refused('not_xml');
  }
}
