import { sha256 } from '#platform/crypto/crypto.ts';
import type { PictureDecoder } from '#platform/pictures/decoders.ts';
import type { PictureFault } from '#platform/pictures/picture.ts';
import { settingsForLedger } from '#policy/organisation-settings.ts';
import type { Store } from '#store/database/connection.ts';
import { timeOf, writeAtOnce } from '#store/database/statements.ts';
import { deleteLogo, lockSettings, writeLogo } from '#store/organisations/organisations.ts';
import { assertMay, type Caller } from '../caller.ts';
import { nextLine } from '../ledger/append.ts';

export type LogoContext = { store: Pick<Store, 'transaction'>; decoder: Pick<PictureDecoder, 'logo'> };

/**
 * Sets the logo on the hosted pages of an organisation, or removes it if `upload` is null. A process without secrets draws the picture
 * anew, so no byte of the upload reaches a browser. The change is a line in the organisation's chain of the ledger. Returns what is wrong
 * with the picture.
 */
export async function changeLogo(
  { store, decoder }: LogoContext,
  caller: Caller,
  { upload }: { upload: Uint8Array | null },
): Promise<PictureFault | undefined> {
  assertMay(caller, 'organisation.change');
  const { actor, scope } = caller;
  const id = scope.orgId;
  const drawn = upload && (await decoder.logo(upload));
  if (drawn !== null && 'fault' in drawn) return drawn.fault;
  return store.transaction(async (tx) => {
    const settings = await lockSettings(tx, { id });
    if (settings === undefined) throw new Error('the organisation was removed at the same time');
    const line = await nextLine(tx, scope, {
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
    return undefined;
  });
}
