-- Creates the roles of the product that are missing, and gives each the password that the setting with its name has. `npm start` runs
-- this file too, so it has no command of psql.
do $$
declare
  name text;
begin
  foreach name in array array['verification_owner', 'verification_app', 'verification_housekeeping'] loop
    if to_regrole(name) is null then
      execute format('create role %I', name);
    end if;
    execute format('alter role %I login password %L', name, current_setting('roles.' || name));
  end loop;
end $$;
