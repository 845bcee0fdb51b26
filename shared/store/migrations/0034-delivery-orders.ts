import { Migration } from '@mikro-orm/migrations';

/** Orders of members about many deliveries of an endpoint, which the sweep carries out batch after batch. */
export class DeliveryOrders extends Migration {
  override up(): void {
    this.addSql(`
      create table delivery_orders (
        id uuid not null,
        org_id uuid not null constraint delivery_orders_org_id_foreign references organisations (id),
        endpoint_id uuid not null constraint delivery_orders_endpoint_id_foreign references webhook_endpoints (id)
          on delete cascade,
        kind text not null,
        member_id uuid not null,
        created_from timestamptz(3) null,
        created_before timestamptz(3) null,
        expected integer not null,
        place_at timestamptz(3) null,
        place_id uuid null,
        looked_at integer not null default 0,
        sent integer not null default 0,
        created_at timestamptz(3) not null default now(),
        ended_at timestamptz(3) null,
        primary key (id)
      ) with (
        autovacuum_vacuum_scale_factor = 0.005, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 10000,
        autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000)
    `);
    this.addSql(
      'create unique index delivery_orders_open on delivery_orders (endpoint_id, kind) where (ended_at is null)',
    );
    this.addSql(
      'create index delivery_orders_newest on delivery_orders (endpoint_id, created_at desc, id desc)',
    );
  }
}
