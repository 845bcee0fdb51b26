import { p } from '@mikro-orm/core';

/** A time with millisecond precision, as in the API. So a cursor compares the same values that a partner receives. */
export const instant = () => p.datetime().length(3);

/** The default is the start of the transaction that writes the row (decision 37). */
export const createdAt = () => instant().defaultRaw('now()');

export const bytes = () => p.blob().$type<Buffer>();

/** A column that belongs to a relation with several columns. MikroORM wants that said, and queries use the column like any other. */
export const inRelation = <Property extends { persist(persist: false): unknown }>(
  property: Property,
): Property => property.persist(false) as Property;

/** A relation with several columns, each of which is `inRelation`. It is a constraint of the table and no column of its own. */
export const relationOf = (relation: () => unknown) => relation as () => typeof noColumn;

const noColumn = p.uuid().persist(false);
