import { sha256 } from '#platform/crypto.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { PictureFault } from '#platform/pictures/picture.ts';
import { settingsForLedger } from '#policy/organisation-settings.ts';
import type { Store } from '#store/connection.ts';
import { deleteLogo, lockSettings, type Which, writeLogo } from '#store/organisations.ts';
import { scopeOfOperator } from '#store/scope.ts';
import { timeOf, writeAtOnce } from '#store/statements.ts';
import { type Actor, nextLine } from '../ledger/append.ts';

export type Changed = 'changed' | 'no_organisation' | { fault: PictureFault };
export type LogoContext = { store: Pick<Store, 'transaction'>; decoder: Pick<PictureDecoder, 'logo'> };

/**
 * Sets the logo on the hosted pages of an organisation, or removes it if `upload` is null. A process without secrets draws the picture
 * anew, so no byte of the upload reaches a browser. The change is a line in the organisation's chain of the ledger.
 */
export async function changeLogo(
  { store, decoder }: LogoContext,
  organisation: Which,
  upload: Uint8Array | null,
  actor: Actor,
): Promise<Changed> {
  const drawn = upload && (await decoder.logo(upload));
  if (drawn !== null && 'fault' in drawn) return drawn;
  return store.transaction(async (tx) => {
    const settings = await lockSettings(tx, organisation);
    if (settings === undefined) return 'no_organisation';
    const { id } = settings;
    const line = await nextLine(tx, scopeOfOperator({ orgId: id, environment: 'live' }), {
      subjectId: id,
      type: 'organisation.changed',
      actor,
      data: { changed: [{ setting: 'logo' }], settings: settingsForLedger(settings) },
      at: await timeOf(tx),
    });
    const write =
      drawn === null
        ? deleteLogo(tx, id)
        : writeLogo(tx, id, { sha256: sha256(drawn.png), picture: drawn.png });
    await writeAtOnce(tx, [write, ...line]);
    return 'changed';
  });
}
