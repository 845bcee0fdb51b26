-- Creates the roles of the product, or sets their passwords again. Run it with psql as a superuser in the database of the product. You
-- may run it at any time. The passwords come from the environment.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
\getenv housekeeping_password HOUSEKEEPING_PASSWORD

set roles.verification_owner = :'owner_password';
set roles.verification_app = :'app_password';
set roles.verification_housekeeping = :'housekeeping_password';
\ir make-roles.sql

set roles.new_owner = 'verification_owner';
\ir hand-over.sql
