-- Makes the role `new_owner` the owner of this database and of what is in it. An earlier installation made everything as a superuser.
select format('alter database %I owner to %I', current_database(), :'new_owner') \gexec
revoke create on schema public from public;
grant usage, create on schema public to :"new_owner";

select format('alter table %s owner to %I', oid::regclass, :'new_owner')
from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relowner <> :'new_owner'::regrole \gexec

select format('alter function %s owner to %I', oid::regprocedure, :'new_owner')
from pg_proc
where pronamespace = 'public'::regnamespace and proowner <> :'new_owner'::regrole
  and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e') \gexec
