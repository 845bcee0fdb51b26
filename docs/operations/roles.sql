-- Creates the roles of the product, or sets their passwords again. Run it with psql as a superuser in the database of the product. You
-- may run it at any time. The passwords come from the environment.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv housekeeping_password HOUSEKEEPING_PASSWORD

select format('create role %I', name)
from (values ('verification_owner'), ('verification_app'), ('verification_housekeeping')) as wanted (name)
where name not in (select rolname from pg_roles) \gexec
alter role verification_owner login password :'owner_password';
alter role verification_app login password :'app_password';
alter role verification_housekeeping login password :'housekeeping_password';

\set new_owner verification_owner
\ir hand-over.sql
