import { html, type Value } from '../pages/markup.ts';

/** One mail address. Nothing that begins a header, a second address or another part of an address fits. */
const mail = /^[\w.+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
/** One phone number, as people write it. */
const phone = /^\+?[\d ().-]+$/;

/**
 * The contact of an organisation: a link if it is one mail address, one phone number or one https address, else the text as it is. It
 * comes from a setting, so the address is made of parts that were recognised, and no other scheme can come out.
 */
export function contactLink(contact: string): Value {
  const address = addressOf(contact);
  return address === undefined ? contact : html`<a href=${address} rel="noreferrer">${contact}</a>`;
}

function addressOf(contact: string): string | undefined {
  if (mail.test(contact)) return `mailto:${contact}`;
  if (phone.test(contact)) return phoneAddress(contact);
  return webAddress(contact);
}

/** A number has at most 15 digits (E.164). The nought in "+31 (0)20" is not dialled. */
function phoneAddress(contact: string): string | undefined {
  const isInternational = contact.startsWith('+');
  const digits = (isInternational ? contact.replace('(0)', '') : contact).replace(/\D/g, '');
  return digits.length >= 5 && digits.length <= 15 ? `tel:${isInternational ? '+' : ''}${digits}` : undefined;
}

/** A name or a password before the host could make an address look like another one. */
function webAddress(contact: string): string | undefined {
  const url = /^https:\/\/[^\s\\]+$/i.test(contact) && URL.canParse(contact) ? new URL(contact) : undefined;
  return url?.username === '' && url.password === '' ? url.href : undefined;
}
