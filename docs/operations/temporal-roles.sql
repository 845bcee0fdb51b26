-- Creates Temporal's role and its two databases, or sets the password again. Run it with psql as a superuser. You may run it at any
-- time. The password comes from the environment.
\set ON_ERROR_STOP on
\getenv temporal_password TEMPORAL_PASSWORD

select 'create role temporal' where 'temporal' not in (select rolname from pg_roles) \gexec
alter role temporal login password :'temporal_password';
select format('create database %I', name)
from (values ('temporal'), ('temporal_visibility')) as wanted (name)
where name not in (select datname from pg_database) \gexec

revoke all on database temporal, temporal_visibility from public;

\connect temporal
set roles.new_owner = 'temporal';
\ir hand-over.sql
\connect temporal_visibility
set roles.new_owner = 'temporal';
\ir hand-over.sql
