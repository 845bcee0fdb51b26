import Koa from 'koa';
import pg from 'pg';

/**
 * The cheapest program that can answer a read, to compare the product with: Koa, pg and one query by primary key. It has no keys,
 * no limits, no log and no checks.
 */

const [databaseUrl, id] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });

const app = new Koa();
app.use(async (koa) => {
  const { rows } = await pool.query('select * from verifications where id = $1', [id]);
  koa.body = rows[0];
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.on('disconnect', () => process.exit());
