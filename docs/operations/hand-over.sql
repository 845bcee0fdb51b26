-- Makes the role that the setting `roles.new_owner` names the owner of this database and of what is in it. An earlier installation made
-- everything as a superuser. `npm start` runs this file too, so it has no command of psql.
do $$
declare
  new_owner constant text := current_setting('roles.new_owner');
  statement text;
begin
  execute format('alter database %I owner to %I', current_database(), new_owner);
  execute format('revoke temporary on database %I from public', current_database());
  revoke create on schema public from public;
  execute format('grant usage, create on schema public to %I', new_owner);
  for statement in
    select format('alter table %s owner to %I', oid::regclass, new_owner)
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> new_owner::regrole
    union all
    select format('alter function %s owner to %I', oid::regprocedure, new_owner)
    from pg_proc
    where pronamespace = 'public'::regnamespace and proowner <> new_owner::regrole
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
  loop
    execute statement;
  end loop;
end $$;
