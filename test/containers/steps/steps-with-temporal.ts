import { expect, partnerOf, type Scene, type Step } from './step.ts';

export const stepsWithTemporal: Step[] = [
  { title: 'Temporal gets empty databases with more history shards, and all goes on', run: newShards },
];

async function newShards(scene: Scene): Promise<string[]> {
  const { deployment } = scene;
  const partner = partnerOf(scene);
  const held = (await partner.create(true)).id;
  await deployment.block('shards');
  await deployment.healthy();
  await partner.lookAgain();
  await partner.complete(held);
  await partner.hears([held, (await partner.create()).id]);
  return [`${held}, from before, completed`, await shards(scene)];
}

/** The development server that stands in for Temporal does not keep its shards in Postgres. */
async function shards({ deployment }: Scene): Promise<string> {
  if (process.env.TEMPORAL_BUILT === undefined)
    return "the number of shards is that of Temporal's own server";
  const query = 'select count(*) from shards';
  const said = await deployment.shell(
    `docker compose exec --no-TTY postgres psql --username=postgres --tuples-only --command '${query}' temporal`,
  );
  expect(Number(said) === 512, `shards: ${said}`);
  return 'Temporal works with 512 shards';
}
