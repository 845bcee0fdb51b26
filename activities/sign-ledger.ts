import type { LedgerSigned } from '#contract/workflows.ts';
import type { RootFiles } from '#platform/crypto/root-files.ts';
import type { Log } from '#platform/log.ts';
import type { Context } from '#services/context.ts';
import { signLedger } from '#services/ledger/roots.ts';

const unsigned: LedgerSigned = { day: null, chains: 0, broken: null };

/** Signs the ends of the ledger's chains, if LEDGER_KEY and LEDGER_DIR are set. */
export const createSigning =
  (ctx: Pick<Context, 'store' | 'clock'>, { roots, log }: { roots: RootFiles | undefined; log: Log }) =>
  async (): Promise<LedgerSigned> => {
    if (roots === undefined) return unsigned;
    const signed = await signLedger(ctx, roots);
    if (signed.broken)
      log.error(signed, 'chains of the ledger were cut or changed; npm run inspect names them');
    return signed;
  };
